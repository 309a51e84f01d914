// A magnifying glass over a picture: drag to move, wheel or two fingers to zoom.

const [LEAST, MOST] = [0.05, 4];

/** Makes `layer` inside `svg` movable. */
export function glass(svg, layer) {
  let [x, y, scale] = [0, 40, 1];
  let moved = 0;
  const fingers = new Map();
  const apply = () => layer.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  const zoom = (factor, cx = svg.clientWidth / 2, cy = svg.clientHeight / 2) => {
    const next = Math.max(LEAST, Math.min(MOST, scale * factor));
    x = cx - ((cx - x) * next) / scale;
    y = cy - ((cy - y) * next) / scale;
    scale = next;
    apply();
  };
  const inside = (event) => {
    const box = svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  svg.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), ...inside(event));
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => {
    if (!fingers.size) moved = 0;
    fingers.set(event.pointerId, inside(event));
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = inside(event);
    const other = [...fingers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    moved += Math.hypot(now[0] - before[0], now[1] - before[1]);
    // Captured only once it is a drag, so that a click still reaches the node under it.
    if (moved > 5 && !svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
    if (other) {
      const apart = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
      zoom(apart(now) / Math.max(1, apart(before)), ...other);
    } else {
      x += now[0] - before[0];
      y += now[1] - before[1];
      apply();
    }
    fingers.set(event.pointerId, now);
  });
  const up = (event) => fingers.delete(event.pointerId);
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(name, up);
  apply();
  return {
    zoom,
    /** Whether the last press was a drag and not a click. */
    dragged: () => moved > 5,
    /** Shows all places, as large as they fit. */
    fit(places) {
      if (!places.length || !svg.clientWidth) return;
      const [xs, ys] = [places.map((place) => place[0]), places.map((place) => place[1])];
      const [left, right, top, bottom] = [Math.min(...xs) - 30, Math.max(...xs) + 30, Math.min(...ys) - 40, Math.max(...ys) + 30];
      scale = Math.max(LEAST, Math.min(1.3, svg.clientWidth / (right - left), svg.clientHeight / (bottom - top)));
      x = (svg.clientWidth - (left + right) * scale) / 2;
      y = -top * scale;
      apply();
    },
    /** Moves a place into sight if it is not. */
    follow([px, py]) {
      const [sx, sy] = [px * scale + x, py * scale + y];
      if (!svg.clientWidth || (sx > 20 && sy > 20 && sx < svg.clientWidth - 60 && sy < svg.clientHeight - 20)) return;
      x = svg.clientWidth / 2 - px * scale;
      y = svg.clientHeight / 2 - py * scale;
      apply();
    },
  };
}
