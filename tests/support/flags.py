"""Flags as pictures: how the constants of `queries/families/pictures/flag.rq` are drawn, and how such a picture is read again.

`python tests/support/flags.py` prints the constants. A GIF of four colours is three pieces in base64, each of whole groups of
characters: what stands before the colours, the colours (four characters each), and the cells, which a layout has in common.
"""

from __future__ import annotations

import base64
from collections.abc import Callable

WIDTH, HEIGHT = 60, 40
COLOURS = {
    "black": "000000", "white": "FFFFFF", "red": "C8102E", "blue": "0039A6", "green": "009246",
    "yellow": "FFCE00", "orange": "FF7900",
}  # fmt: skip
LAYOUTS: dict[str, Callable[[int, int], int]] = {
    "three columns": lambda x, y: x // 20,
    "three rows": lambda x, y: y * 3 // HEIGHT,
    "two rows": lambda x, y: y // 20,
    "cross": lambda x, y: int(17 <= x < 25 or 16 <= y < 24),
    "cross with a border": lambda x, y: 2 if 19 <= x < 23 or 18 <= y < 22 else int(17 <= x < 25 or 16 <= y < 24),
    "disc": lambda x, y: int((x - 29.5) ** 2 + (y - 19.5) ** 2 < 144),
}


def before() -> str:
    """What stands before the colours: 30 bytes, of which three of a comment make whole groups."""
    size = WIDTH.to_bytes(2, "little") + HEIGHT.to_bytes(2, "little")
    head = b"GIF89a" + size + bytes(3) + b"\x21\xfe\x03kgp\x00" + b"\x2c" + bytes(4) + size + b"\x81"
    return base64.b64encode(head).decode()


def colour(name: str) -> str:
    """Four characters for a colour."""
    return base64.b64encode(bytes.fromhex(COLOURS[name])).decode()


def cells(layout: str) -> str:
    """The cells of a layout, and the end of the file."""
    data = _compressed([LAYOUTS[layout](x, y) for y in range(HEIGHT) for x in range(WIDTH)])
    blocks = [data[i : i + 255] for i in range(0, len(data), 255)]
    return base64.b64encode(b"\x02" + b"".join(bytes([len(b)]) + b for b in blocks) + b"\x00\x3b").decode()


def _compressed(values: list[int]) -> bytes:
    """Compress with the variable codes of GIF (LZW), from three bits on."""
    table: dict[tuple[int, ...], int] = {(i,): i for i in range(4)}
    word: tuple[int, ...] = ()
    codes, width, free = [(4, 3)], 3, 6
    for value in values:
        if (*word, value) in table:
            word = (*word, value)
            continue
        codes.append((table[word], width))
        table[(*word, value)] = free
        width += free == 1 << width
        free += 1
        word = (value,)
    codes += [(table[word], width), (5, width)]
    bits = "".join(f"{code:0{n}b}"[::-1] for code, n in codes)
    return bytes(int(bits[i : i + 8].ljust(8, "0")[::-1], 2) for i in range(0, len(bits), 8))


def read(url: str) -> list[list[str]]:
    """Read such a picture: the colour of each cell, row by row."""
    data = base64.b64decode(url.removeprefix("data:image/gif;base64,"), validate=True)
    palette = [data[30 + 3 * i : 33 + 3 * i].hex().upper() for i in range(4)]
    at, packed = 43, b""
    while data[at]:
        packed += data[at + 1 : at + 1 + data[at]]
        at += 1 + data[at]
    bits = "".join(f"{byte:08b}"[::-1] for byte in packed)
    names = {value: name for name, value in COLOURS.items()}
    found = [names[palette[value]] for value in _expanded(bits)]
    return [found[i : i + WIDTH] for i in range(0, len(found), WIDTH)]


def _expanded(bits: str) -> list[int]:
    table: list[tuple[int, ...]] = [(0,), (1,), (2,), (3,), (), ()]
    last: tuple[int, ...] = ()
    found, width, at = list[int](), 3, 0
    while (code := int(bits[at : at + width][::-1], 2)) != 5:
        at += width
        if code == 4:
            continue
        word = table[code] if code < len(table) else (*last, last[0])
        if last:
            table.append((*last, word[0]))
        width += len(table) == 1 << width and width < 12
        found += word
        last = word
    return found


if __name__ == "__main__":
    print(before())
    print(" ".join(f"{name}:{colour(name)}" for name in COLOURS))
    for layout in LAYOUTS:
        print(f'("{layout}" "{cells(layout)}")')
