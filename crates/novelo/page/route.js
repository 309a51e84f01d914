// Addresses: #/VIEW/INSTANCE-ID?key=value. Ids are made to fit in a URL and stand there as they are.

/** View, instance id (or null) and the rest of an address. */
export function parse(hash) {
  const [path, query] = splitOnce(hash.replace(/^#\/?/, ""), "?");
  const [view, id] = splitOnce(path, "/");
  return { view: view || "play", id: id ? decode(id) : null, query: new URLSearchParams(query) };
}

const splitOnce = (text, at) => {
  const place = text.indexOf(at);
  return place < 0 ? [text, ""] : [text.slice(0, place), text.slice(place + 1)];
};

function decode(id) {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** The address of a view; values that are empty are left out. */
export function address(view, id = null, query = {}) {
  const kept = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const text = kept.map(([key, value]) => `${key}=${tidy(String(value))}`).join("&");
  return `#/${view}${id ? `/${tidy(id)}` : ""}${text ? `?${text}` : ""}`;
}

// encodeURIComponent would make ids unreadable; these characters may stand in a fragment as they are.
const tidy = (text) => encodeURIComponent(text).replace(/%(3A|2C|2F|3D|40|7C|3B)/g, decodeURIComponent);

/** Goes to a view. */
export const go = (...where) => {
  location.hash = address(...where);
};

/** Says in the address bar what is shown, without showing it anew. */
export const note = (...where) => history.replaceState(null, "", address(...where));
