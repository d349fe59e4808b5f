r"""SPARQL 1.1 as a list of tokens, so that a query is changed token by token and never by searching its text.

A token knows where it stands, and between two tokens stands only white space: the tokens joined with these gaps are the text
again. A `#`, `{` or `?x` within a string, an IRI or a comment is part of that token. Source: SPARQL 1.1 Query Language, §19.8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from queries.errors import LexerError

Kind = Literal["comment", "iri", "string", "langtag", "blank", "pname", "variable", "number", "word", "punct"]

# The character classes of the SPARQL 1.1 grammar, productions 164 to 167.
_BASE = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d\u2070-\u218f\u2c00-\u2fef"
    "\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
_NAME = f"{_BASE}_0-9\u00b7\u0300-\u036f\u203f-\u2040"
_PREFIX = rf"[{_BASE}](?:[{_NAME}.\-]*[{_NAME}\-])?"
# A percent-encoded byte, or a sign that a local name may hold only behind a backslash (productions 170 to 173).
_PLX = r"%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"
_LOCAL = rf"(?:[{_BASE}_0-9:]|{_PLX})(?:(?:[{_NAME}\-.:]|{_PLX})*(?:[{_NAME}\-:]|{_PLX}))?"

# The order decides between kinds that begin alike: an IRI before the sign `<`, a prefixed name before a keyword, and a
# string in three quotes before an empty one in two.
_KINDS: dict[Kind, str] = {
    "comment": r"#[^\r\n]*",
    "iri": r'<(?:[^\x00-\x20<>"{}|^`\\]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>',
    "string": (
        r'"""(?:(?:""|")?(?:[^"\\]|\\.))*"""' + r"|'''(?:(?:''|')?(?:[^'\\]|\\.))*'''"
        r'|"(?!"")(?:[^"\\\r\n]|\\[^\r\n])*"' + r"|'(?!'')(?:[^'\\\r\n]|\\[^\r\n])*'"
    ),
    "langtag": r"@[A-Za-z]+(?:-[A-Za-z0-9]+)*(?:--[a-z]+)?",
    "blank": rf"_:[{_BASE}_0-9](?:[{_NAME}\-.]*[{_NAME}\-])?",
    "pname": rf"(?:{_PREFIX})?:(?:{_LOCAL})?",
    "variable": rf"[?$][{_BASE}_0-9][{_BASE}_0-9\u00b7\u0300-\u036f\u203f-\u2040]*",
    "number": r"(?:[0-9]+\.[0-9]*|\.?[0-9]+)[eE][+-]?[0-9]+|[0-9]*\.[0-9]+|[0-9]+",
    "word": r"[A-Za-z_][A-Za-z_0-9]*",
    "punct": r"\^\^|&&|\|\||!=|<=|>=|<<|>>|[{}()\[\];,.|/^*+?!=<>&~\-]",
}
# DOTALL, because a string in three quotes may hold line breaks. Compiled with the first query, which takes 20 ms.
_TOKEN = "(?s)" + "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items())
_GAP = re.compile(r"[ \t\r\n]*")


class Token(NamedTuple):
    """One token of a query: what it is, its text, and where it starts (offset from 0, line and column from 1)."""

    kind: Kind
    text: str
    start: int
    line: int
    column: int

    @property
    def end(self) -> int:
        """The offset of the first character after the token."""
        return self.start + len(self.text)

    @property
    def name(self) -> str:
        """A variable without its `?` or `$`, or a prefixed name's prefix; else nothing.

        >>> [t.name for t in tokens("select $x wd:Q42")]
        ['', 'x', 'wd']
        """
        if self.kind == "variable":
            return self.text[1:]
        return self.text.partition(":")[0] if self.kind == "pname" else ""

    @property
    def word(self) -> str:
        """A keyword in capitals, or a punctuation sign; else nothing.

        >>> [t.word for t in tokens("select ?from {")]
        ['SELECT', '', '{']
        """
        return self.text.upper() if self.kind == "word" else self.text if self.kind == "punct" else ""


def tokens(text: str, path: str | None = None) -> list[Token]:
    """Split a query into its tokens, comments included.

    Parameters: `path` is the file that an error names.
    Raises LexerError at the first place that no token fits.

    >>> [t.kind for t in tokens("ASK { ?s a <x#y> } # done")]
    ['word', 'punct', 'variable', 'word', 'iri', 'punct', 'comment']
    """
    return list(_scan(text, path))


def _scan(text: str, path: str | None) -> Iterator[Token]:
    token, position, line, line_start = re.compile(_TOKEN), 0, 1, 0
    while True:
        gap = _GAP.match(text, position)
        start = gap.end() if gap else position
        line, line_start = _advance(text, position, start, line, line_start)
        if start == len(text):
            return
        match = token.match(text, start)
        if not match:
            raise _no_token(text, start, f"{path or 'query'}:{line}:{start - line_start + 1}")
        kind: Kind = match.lastgroup  # type: ignore[assignment]  # the group names are the kinds
        yield Token(kind, match.group(), start, line, start - line_start + 1)
        position = match.end()
        line, line_start = _advance(text, start, position, line, line_start)


def _advance(text: str, start: int, end: int, line: int, line_start: int) -> tuple[int, int]:
    """Count the lines of `text[start:end]`; return the line at its end and where that line starts."""
    breaks = text.count("\n", start, end)
    return (line + breaks, text.rfind("\n", start, end) + 1) if breaks else (line, line_start)


def _no_token(text: str, start: int, place: str) -> LexerError:
    sign = text[start]
    if sign in "\"'":
        way_out = f"close it with {sign}, or write {sign * 3} around text of several lines"
        return LexerError("this string is never closed", place=place, way_out=way_out)
    shown = sign if sign.isprintable() else f"U+{ord(sign):04X}"
    return LexerError(f"'{shown}' starts nothing that SPARQL knows", place=place, way_out="delete it or quote it")
