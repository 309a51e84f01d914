// A link to exactly what one sees.

import { button } from "../dom.js";

/** A button that copies the address; where the browser refuses, the address bar has it anyway. */
export function share(address) {
  const element = button("Copy link", async () => {
    const url = new URL(address(), location.href).href;
    try {
      await navigator.clipboard.writeText(url);
      element.lastChild.textContent = "Copied";
    } catch {
      element.lastChild.textContent = "It is in the address bar";
    }
    setTimeout(() => (element.lastChild.textContent = "Copy link"), 2000);
  }, { icon: "link", kind: "plain" });
  return element;
}
