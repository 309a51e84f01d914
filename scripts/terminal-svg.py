#!/usr/bin/env python3
"""A terminal's screen as an SVG picture.

    tmux capture-pane -e -p | scripts/terminal-svg.py > docs/play.svg
"""

import re
import sys
from html import escape

COLOURS = {
    None: "#d8dee9", 30: "#1d2129", 31: "#e06c75", 32: "#98c379", 33: "#e5c07b", 34: "#61afef",
    35: "#c678dd", 36: "#56b6c2", 37: "#abb2bf", 90: "#5c6370", 97: "#ffffff",
}
# The sixteen colours, where a program names them by their number among 256.
NUMBERED = {number: 30 + number if number < 8 else 82 + number for number in range(16)}
BACKGROUND = "#1d2129"
WIDTH, HEIGHT = 8.4, 17
# Spaces count in a terminal, but not in an SVG.
NO_BREAK = "\u00a0"


def style_after(style, codes):
    """The style after an escape sequence."""
    codes = [int(code or 0) for code in codes.split(";")]
    while codes:
        code = codes.pop(0)
        if code == 0:
            style = {}
        elif code in (1, 7):
            style = {**style, {1: "bold", 7: "reversed"}[code]: True}
        elif code in (38, 48) and codes[:1] == [5]:
            key = "front" if code == 38 else "back"
            style = {**style, key: NUMBERED.get(codes[1])}
            codes = codes[2:]
        elif code in (39, 49):
            style = {**style, "front" if code == 39 else "back": None}
        elif 40 <= code <= 47:
            style = {**style, "back": code - 10}
        else:
            style = {**style, "front": code}
    return style


def main():
    lines = sys.stdin.read().rstrip("\n").split("\n")
    pieces, widest, style = [], 0, {}
    for row, line in enumerate(lines):
        col = 0
        for codes, text in re.findall(r"\x1b\[([\d;]*)m|([^\x1b]+)", line):
            if not text:
                style = style_after(style, codes)
                continue
            front = COLOURS.get(style.get("front"), COLOURS[None])
            back = COLOURS[style["back"]] if style.get("back") else None
            if style.get("reversed"):
                front, back = back or BACKGROUND, front
            x, width = 12 + col * WIDTH, len(text) * WIDTH
            if back:
                y = 12 + row * HEIGHT
                pieces.append(f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{HEIGHT}" fill="{back}"/>')
            if text.strip():
                shown = escape(text).replace(" ", NO_BREAK)
                bold = ' font-weight="bold"' if style.get("bold") else ""
                pieces.append(
                    f'<text x="{x:.1f}" y="{12 + row * HEIGHT + 13.5}" textLength="{width:.1f}" '
                    f'fill="{front}"{bold}>{shown}</text>'
                )
            col += len(text)
        widest = max(widest, col)
    width, height = 24 + widest * WIDTH, 24 + len(lines) * HEIGHT
    print(f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
          f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14">')
    print(f'<rect width="100%" height="100%" rx="8" fill="{BACKGROUND}"/>')
    print("\n".join(pieces))
    print("</svg>")


main()
