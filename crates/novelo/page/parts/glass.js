// A magnifying glass over a picture: drag to move, wheel or two fingers to zoom. Until someone takes hold of it, it follows.

const [LEAST, MOST] = [0.05, 4];
/** At this scale everything is read with ease. */
const EASY = 0.7;

/** Makes `layer` inside `svg` movable; `moved` is told of every change, and whether it was by hand. */
export function glass(svg, layer, moved) {
  let [x, y, scale] = [0, 40, 1];
  let way = 0;
  const fingers = new Map();
  const apply = (byHand) => {
    layer.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
    moved?.(byHand);
  };
  const zoom = (factor, cx = svg.clientWidth / 2, cy = svg.clientHeight / 2) => {
    const next = Math.max(LEAST, Math.min(MOST, scale * factor));
    x = cx - ((cx - x) * next) / scale;
    y = cy - ((cy - y) * next) / scale;
    scale = next;
    apply(true);
  };
  const inside = (event) => {
    const box = svg.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  // Without a key held the wheel scrolls the page, as it does everywhere.
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== svg && !svg.contains(document.activeElement)) return;
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), ...inside(event));
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => {
    if (!fingers.size) way = 0;
    fingers.set(event.pointerId, inside(event));
  });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const now = inside(event);
    const other = [...fingers.entries()].find(([id]) => id !== event.pointerId)?.[1];
    way += Math.hypot(now[0] - before[0], now[1] - before[1]);
    // Captured only once it is a drag, so that a click still reaches the node under it.
    if (way > 5 && !svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
    if (other) {
      const apart = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]);
      zoom(apart(now) / Math.max(1, apart(before)), ...other);
    } else if (way > 5) {
      x += now[0] - before[0];
      y += now[1] - before[1];
      apply(true);
    }
    fingers.set(event.pointerId, now);
  });
  const up = (event) => fingers.delete(event.pointerId);
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(name, up);
  return {
    zoom,
    /** Whether the last press was a drag and not a click. */
    dragged: () => way > 5,
    scale: () => scale,
    /** The part of the picture that is seen: left, top, right, bottom. */
    seen: () => [-x / scale, -y / scale, (svg.clientWidth - x) / scale, (svg.clientHeight - y) / scale],
    /**
     * Shows a box above the foot as large as it fits, but never smaller than `least`, and for its width alone not much smaller
     * than can be read with ease: then the place is in the middle.
     */
    frame([left, top, right, bottom], [px, py], least, most, foot) {
      const [width, height] = [svg.clientWidth, svg.clientHeight - foot];
      if (!width) return;
      const easy = Math.min(EASY, 1.4 * least);
      scale = Math.max(least, Math.min(most, height / (bottom - top), Math.max(easy, width / (right - left))));
      const along = (low, high, room, place) => ((high - low) * scale <= room ? (room - (low + high) * scale) / 2
        : Math.min(-low * scale, Math.max(room - high * scale, room / 2 - place * scale)));
      x = along(left, right, width, px);
      y = (bottom - top) * scale <= height ? -top * scale : along(top, bottom, height, py);
      apply(false);
    },
  };
}
