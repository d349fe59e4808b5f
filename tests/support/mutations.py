"""Files damaged as accidents and strangers damage them: bytes, lines, JSON values and whole files, drawn from a seed.

Each damage is a pure function of the text and a stream of random numbers, so that a case is named by its seed.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

Damage = Callable[[bytes, random.Random], bytes]

_PIECES: tuple[bytes, ...] = (
    b"\x00",
    b"\xff",
    b"\xed\xa0\x80",  # half a surrogate pair
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b"\t",
    b'"',
    b"'",
    b"\\",
    b"\\ud800",
    b"\\u0000",
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b"<",
    b"#",
    b",",
    b":",
    b"= ",
    b"null",
    b"1e999",
    b"-0",
    b"NaN",
    b"9" * 5000,
    b"{#\n" * 4000,
    b"[" * 20_000,
    b'{"a":' * 20_000,
    b"(" * 4000,
    b"!" * 4000,
    b"a." * 3000 + b"a = 1\n",
    b'"""',
    "\u2028\u202e\u200b".encode(),
)


def _piece(text: bytes, at: random.Random) -> bytes:
    place = at.randrange(len(text) + 1)
    return text[:place] + at.choice(_PIECES) + text[place:]


def _cut_out(text: bytes, at: random.Random) -> bytes:
    first = at.randrange(len(text) + 1)
    return text[:first] + text[first + at.choice((1, 1, 2, 8, 60)) :]


def _changed_byte(text: bytes, at: random.Random) -> bytes:
    place = at.randrange(max(len(text), 1))
    return text[:place] + bytes([at.randrange(256)]) + text[place + 1 :]


def _cut_off(text: bytes, at: random.Random) -> bytes:
    return text[: at.randrange(len(text) + 1)]


def _repeated(text: bytes, at: random.Random) -> bytes:
    first = at.randrange(len(text) + 1)
    part = text[first : first + at.choice((1, 5, 40, 400))]
    return text[:first] + part * at.choice((2, 3, 500)) + text[first + len(part) :]


def _lines(text: bytes, at: random.Random) -> bytes:
    lines = text.split(b"\n")
    one, other = at.randrange(len(lines)), at.randrange(len(lines))
    match at.randrange(4):
        case 0:
            del lines[one]
        case 1:
            lines.insert(other, lines[one])
        case 2:
            lines[one], lines[other] = lines[other], lines[one]
        case _:
            lines[one] = lines[one][: at.randrange(len(lines[one]) + 1)]
    return b"\n".join(lines)


def _word(text: bytes, at: random.Random) -> bytes:
    words = text.split(b" ")
    words[at.randrange(len(words))] = at.choice((b"", *_PIECES, at.choice(words)))
    return b" ".join(words)


def _whole(text: bytes, at: random.Random) -> bytes:
    return at.choice(
        (
            b"",
            b"\n\n\n",
            b"\r" * 200,
            b"\x00" * 64,
            b"null",
            b"[]",
            b"{}",
            text.replace(b"\n", b"\r"),
            text.replace(b"\n", b"\r\n"),
            text.decode("utf-8", "replace").encode("utf-16"),
            gzip.compress(text, mtime=0)[:-9],
            b"\xef\xbb\xbf" + text,
            b"\x1f\x8b" + text,
        )
    )


_VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    2**70,
    1.5,
    "",
    "\x00",
    "\ud800",
    "x" * 300,
    [],
    [[]],
    {},
    {"": None},
    ["a", None],
    {str(n): "v" for n in range(2000)},
    "0" * 5000,
)


def _value(text: bytes, at: random.Random) -> bytes:
    """Put another value, or none, in the place of one of a line of JSON, or of a whole file of it."""
    lines = text.split(b"\n")
    number = at.randrange(len(lines))
    for candidate in (text, lines[number]):
        try:
            whole = json.loads(candidate)
        except (ValueError, RecursionError):
            continue
        places = [*_places(whole)]
        if not places:
            continue
        holder, key = at.choice(places)
        if at.random() < 0.25:
            del holder[key]
        elif at.random() < 0.2 and isinstance(holder, dict):
            holder["another"] = at.choice(_VALUES)
        else:
            holder[key] = at.choice(_VALUES)
        changed = json.dumps(whole).encode()
        return changed if candidate is text else b"\n".join([*lines[:number], changed, *lines[number + 1 :]])
    return _word(text, at)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    for key, part in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield value, key
        yield from _places(part)


_DAMAGES: tuple[Damage, ...] = (
    _piece,
    _piece,
    _cut_out,
    _changed_byte,
    _cut_off,
    _repeated,
    _lines,
    _word,
    _whole,
    _value,
    _value,
    _value,
)


def damaged(text: bytes, seed: str) -> bytes:
    """Return a text with one to three damages, the same for the same seed."""
    at = random.Random(seed)
    for _ in range(at.choice((1, 1, 1, 2, 3))):
        text = at.choice(_DAMAGES)(text, at)
    return text
