"""A text with a character of its own for each mention of options, and the way back from what is found in it.

What is said of options is found by patterns over such a text ("X is wrong", "that leaves X"): what is so and what is not by
`truths`, what is picked and what is set aside by `picks`. Nothing is said where it is handed to others or to an earlier moment
("people often say X", "at first I thought X"), asked ("is it X?"), or made a condition ("if X were true").
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from evaluators.verify.reading.options import Mention, Options, small
from evaluators.verify.reading.words import alternatives
from kg.patterns import late

What = Literal["pick", "so", "not_so", "out"]
_CONTRARY: dict[What, What] = {"so": "not_so", "not_so": "so", "pick": "out", "out": "pick"}


class Saying(NamedTuple):
    """What is said of options, where (characters of the text), and whether it is said as the answer.

    `by` is how the options are named: by a label or in words; `correct` says that a pick is called the correct answer, which
    may mean the true statement.
    """

    start: int
    end: int
    options: tuple[int, ...]
    what: What
    final: bool
    by: str
    correct: bool = False


_FIRST = {"label": 0xE000, "mark": 0xE000, "text": 0xE800, "part": 0xF000, "bare": 0xF400}
_ROOM = 0x400
"""So many mentions of a kind have characters of their own."""
NAMED, LABELLED, ANY = "[\ue000-\uefff\uf400-\uf8ff]", "[\ue000-\ue7ff\uf400-\uf8ff]", "[\ue000-\uf8ff]"
TOKEN = re.compile(ANY)


def row(of: str) -> str:
    """Return a pattern for one option or several in a row."""
    between = r"(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|&|or|nor|as well as)\s+|\s*[/+&]\s*)"
    return rf"{of}(?:{between}(?:(?:also|the|both|either|option|neither)\s+)?{of}){{0,8}}"


WHO, WHO_NAMED = rf"(?P<who>{row(ANY)})[\"'”’)\],]*", rf"(?P<who>{row(NAMED)})"
ADVERB = (
    r"(?:(?:\w+ly|therefore|thus|then|hence|indeed|so|also|both|all|each|still|most likely|of course|only|again|just|quite"
    r"|in fact|here|the only|too|now|instead|perhaps|maybe)\b,?\s+){0,3}"
)
COPULAS = alternatives("choice_copulas")
SO, NOT_SO, THE_ONE = (alternatives(f"choice_{name}") for name in ("so", "not_so", "the_one"))
HOLDS, FAILS = alternatives("choice_holds"), alternatives("choice_fails")
JUDGED = rf"(?:(?P<so>{SO})|(?P<not_so>{NOT_SO}))(?![^\W_])"
NOUN, ANSWER = (rf"(?:{alternatives(f'choice_{name}_nouns')})(?![^\W_])" for name in ("statement", "answer"))
_NEGATION = re.compile(r"n't\b|\b(?:not|never|cannot|neither|nor|hardly|no)\b")
LONGEST_REST = 200
_ATTRIBUTED = late(alternatives("choice_attributed"))
_BOUNDARY = re.compile(
    r"[.;:!?\n—–]|,\s+(?=(?:but|yet|however|then|so|i|the|it|that|which|actually|in fact|in reality|my)\b)"
    r"|\b(?:but|however|yet|so|therefore)\b"
)
_CONCEDED = re.compile(rf"\b(?:{alternatives('choice_conceded')})\b[^.;:!?\n,]{{0,80}}\Z")
LESS = late(
    rf"\b(?:{alternatives('choice_beside')})\b[^.;:!?\n,{ANY[1:-1]}]{{0,60}}"
    rf"(?:{ANY}[^.;:!?\n,{ANY[1:-1]}]{{0,20}},?\s*(?:(?:and|or|the)\s+){{0,2}}){{0,6}}\Z"
)
_DESCRIBED = late(
    rf"{ANY}[\"')]*,\s+(?:an?|the|who|which|whose|where|then|himself|herself|itself|located|situated|some|about|home)\b"
    rf"(?:(?!\bbut\b|\byet\b)[^.;:!?\n])*\Z|{ANY}(?:(?!\bbut\b|\byet\b)[^.;:!?\n])*,\s+(?:who|which|whose|where)\b[^.;:!?\n,]*\Z"
)
_BEATEN = re.compile(rf"[\"'”’)]*\s+(?:{alternatives('choice_beaten')})")
_ASKED_BACK = re.compile(r"[\"'”’)]*\s*\?")
_IN_BRACKETS = re.compile(r"\([^()]*\Z")
REACH = 160
"""So many characters before what is said may say whose opinion it is."""


class Sayings:
    """A text with its mentions of options, and all that it says of them."""

    def __init__(self, text: str, mentions: Sequence[Mention], options: Options, *, asks_not: bool = False) -> None:
        """Write a text with one character for each mention.

        Parameters: `asks_not` says that the question asks for what something is not ("Which is not a planet?").
        """
        self.text, self.mentions, self.options, self.asks_not = text, mentions, options, asks_not
        self._of: dict[str, Mention] = {}
        self._at: dict[int, int] = {}
        used = dict.fromkeys(_FIRST.values(), 0)
        pieces: list[str] = []
        edges, at, last = [(0, 0)], 0, 0
        for mention in mentions:
            first = _FIRST[mention.kind]
            if used[first] >= _ROOM:
                continue
            token = chr(first + used[first])
            used[first] += 1
            self._of[token] = mention
            between = TOKEN.sub(" ", text[last : mention.start])
            pieces += (between, token)
            at += len(between)
            edges += [(at, mention.start), (at + 1, mention.end)]
            self._at[mention.start] = at
            at, last = at + 1, mention.end
        pieces.append(TOKEN.sub(" ", text[last:]))
        self.line = small("".join(pieces))
        self._edges, self._starts = edges, [edge for edge, _ in edges]

    def place(self, at: int) -> int:
        """Return where a character of the rewritten text stands in the text."""
        edge, original = self._edges[bisect_right(self._starts, at) - 1]
        return original + at - edge

    def at(self, mention: Mention) -> int:
        """Return where a mention stands in the rewritten text."""
        return self._at.get(mention.start, 0)

    def mentioned(self, start: int, end: int) -> list[Mention]:
        """Return the mentions in a stretch of the rewritten text."""
        return [self._of[token] for token in TOKEN.findall(self.line, start, end)]

    def saying(
        self, match: re.Match[str], what: What, *, final: bool = False, correct: bool = False, start: int | None = None
    ) -> Iterator[Saying]:
        """Yield what is said of those whom a match names, unless it is handed to others where they are named.

        Parameters: `start`, where the saying itself begins to be said, if elsewhere.
        """
        who = match.span("who")
        found = self.mentioned(*who)
        if found and not self.attributed(who[0] if start is None else start) and not self.beaten(who[1]):
            numbers = tuple(dict.fromkeys([n for mention in found for n in mention.options]))
            by = "text" if any(m.kind in ("text", "part") for m in found) else "label"
            end = max(found[-1].end, self.place(match.end() - 1) + 1)
            yield Saying(found[0].start, end, numbers, what, final, by, correct)

    def beaten(self, at: int) -> bool:
        """Tell whether what follows an option makes it another's ("is often thought", "at first") or a lesser one."""
        return _BEATEN.match(self.line, at) is not None

    def attributed(self, at: int) -> bool:
        """Tell whether what is said here is handed to others, to an earlier moment or to a condition."""
        before = self.line[max(0, at - REACH) : at]
        clause = before
        for cut in _BOUNDARY.finditer(before):
            clause = before[cut.end() :]
        return _ATTRIBUTED.search(clause) is not None

    def aside(self, mention: Mention) -> bool:
        """Tell whether an option is named in passing: conceded, compared, described by, in brackets, asked, by others."""
        line, at = self.line, self.at(mention)
        before = line[max(0, at - REACH) : at]
        if _CONCEDED.search(before) or LESS.search(before) or _DESCRIBED.search(before):
            return True
        if _ASKED_BACK.match(line, at + 1) or self.beaten(at + 1):
            return True
        return (mention.kind == "text" and _IN_BRACKETS.search(before) is not None) or self.attributed(at)


def turned(what: What, negated: bool) -> What:
    """Return what is said, or the contrary."""
    return _CONTRARY[what] if negated else what


def is_negated(*parts: str | None) -> bool:
    return sum(len(_NEGATION.findall(part)) for part in parts if part) % 2 == 1


def verdict(match: re.Match[str]) -> What:
    return "so" if match["so"] else "not_so"
