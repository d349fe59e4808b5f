"""Which option a text picks in so many words: it says so, begins with it, judges the options one by one, or leaves one only.

`Reading` is a text, or a stretch of one, with what it says of the options in the sense of the question.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple

from evaluators.verify import abstention
from evaluators.verify.denial import is_denied
from evaluators.verify.picks import sayings
from evaluators.verify.reading.mentions import mentions
from evaluators.verify.reading.options import NONE, Mention, Options, key_of, small
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, Text, lazy, read_text
from evaluators.verify.reading.words import alternatives
from evaluators.verify.sayings import Saying, Sayings
from queries.records.verdict import Reason

Sense = Literal["so", "not_so", "not"]
"""What a question asks for: the option that is so, the one that is not, or what something is not ("Which is not a planet?")."""


LONG = 10_000
"""Of a text longer than twice this, only so many characters at either end are looked at."""


class Pick(NamedTuple):
    """The options a text picks (1-based; 0 is "none of them" where no option says so), how, and where."""

    options: tuple[int, ...]
    reason: Reason
    span: Span


# --- the sense of a question ------------------------------------------------------------------------------------------

_NOT_SO = (
    r"(?:wrong|false|inaccurate|incorrect|untrue|erroneous|mistaken|invalid|a\s+(?:lie|myth|falsehood)"
    r"|(?:not|isn't|aren't)\s+(?:true|correct|accurate|right|a\s+fact))"
)
_STATEMENT = r"(?:statement|option|claim|one|assertion|sentence|alternative|answer|fact|item|choice)s?"
_ASKS_NOT_SO = re.compile(
    rf"\b{_NOT_SO}\s+{_STATEMENT}\b|\b(?:is|are|was|were)\s+(?:\w+ly\s+)?{_NOT_SO}(?=\W|\Z)"
    rf"|\b(?:{_STATEMENT}|of\s+(?:these|the\s+following))\b[^.?!\n]{{0,80}}?\b{_NOT_SO}(?=\W|\Z)"
    rf"|\b{_NOT_SO}\b[^.?!\n]{{0,30}}\b{_STATEMENT}\b"
)
_ASKS = re.compile(r"false|wrong|in(?:accur|corr|val)|untrue|erron|mistak|lie|myth|not|n't|never|except")
_ASKS_NOT = re.compile(
    r"\b(?:which|what|who|where|when)\b[^.?!\n]*?(?:\b(?:not|never|cannot)\b|n't\b)|\bexcept\b[^.?!\n]*\W*\Z"
)


def sense_of(options: Options) -> Sense:
    """Tell what a question asks for.

    >>> sense_of(Options(("a", "b"), "Which of these is false?")), sense_of(Options(("a", "b"), "Which is not a planet?"))
    ('not_so', 'not')
    """
    stem = small(options.stem.replace("’", "'"))
    if not _ASKS.search(stem):
        return "so"
    return "not_so" if _ASKS_NOT_SO.search(stem) else "not" if _ASKS_NOT.search(stem) else "so"


# --- what is read -----------------------------------------------------------------------------------------------------


class Reading:
    """A text, or a stretch of one, with what it says of the options."""

    def __init__(self, text: str, offset: int, options: Options, sense: Sense, bold: Sequence[Span]) -> None:
        self.text, self.offset, self.options, self.sense = text, offset, options, sense
        self.bold = [(start - offset, end - offset) for start, end in bold]

    @classmethod
    def of(cls, reply: Reply, options: Options) -> Reading:
        """Read a whole answer."""
        return cls(reply.text, 0, options, sense_of(options), reply.bold)

    def stretch(self, start: int, end: int) -> Reading:
        """Return a stretch of the text."""
        if (start, end) == (0, len(self.text)):
            return self
        return Reading(self.text[start:end], start, self.options, self.sense, self.bold)

    @lazy
    def mentions(self) -> list[Mention]:
        """Where the text names options."""
        return mentions(self.text, self.options)

    @lazy
    def said(self) -> Sayings:
        """What the text says of the options."""
        return Sayings(self.text, self.mentions, self.options, asks_not=self.sense == "not")

    @lazy
    def sayings(self) -> list[Saying]:
        """All that is said of the options, in order."""
        return sayings(self.said)

    @lazy
    def picks(self) -> list[Saying]:
        """What picks options, in the sense of the question."""
        return [saying for saying in self.sayings if self._picks(saying)]

    @lazy
    def outs(self) -> frozenset[int]:
        """The options that the text sets aside."""
        return frozenset(n for saying in self.sayings if not self._picks(saying) for n in saying.options)

    def _picks(self, saying: Saying) -> bool:
        """Tell whether what is said picks the option."""
        if saying.what == "pick":
            return not (saying.correct and self._says_what_is_so(saying))
        return saying.what == ("not_so" if self.sense == "not_so" else "so")

    def _says_what_is_so(self, saying: Saying) -> bool:
        """Tell whether "the correct answer is 2" says which statement is true, where the false one is asked for and named."""
        others = (s for s in self.sayings if s.what == "not_so")
        return self.sense == "not_so" and any(set(saying.options).isdisjoint(other.options) for other in others)

    def pick(self, options: Sequence[int], span: Span, reason: Reason) -> Pick:
        """Return a pick with its characters in the whole text."""
        several: Reason = reason if len(set(options)) == 1 else "several_answers"
        return Pick(tuple(dict.fromkeys(options)), several, (span[0] + self.offset, span[1] + self.offset))

    def denies(self, mention: Mention) -> bool:
        """Tell whether an option is named only to be denied, where what is denied is not what is asked for."""
        read = self.read
        before = self.text[max(0, mention.start - REACH) : mention.start]
        if _COMPARED.search(before) and _PREDICATED.match(self.text, mention.end):
            return False
        return self.sense != "not" and is_denied(read, *read.words_of(mention.start, mention.end))

    @property
    def read(self) -> Text:
        """The text cut into words."""
        return read_text(self.text)


# "Unlike X, Y has ...": what is said is said of Y.
_COMPARED = re.compile(
    r"(?:\A|[.;:!?\n])\s*(?:unlike|contrary to|in contrast to|as opposed to|compared (?:to|with))\b[^.;:!?\n]*,\s*\Z",
    re.IGNORECASE,
)
_PREDICATED = re.compile(r"[\"'”’)*]*\s+(?!(?:and|or|nor)\b)[a-z]")


# --- what is stated ---------------------------------------------------------------------------------------------------


def stated(zone: Reading) -> Pick | None:
    """Return what a stretch of text says is the answer, or begins with, or comes to by judging the options."""
    finals = [saying for saying in zone.picks if saying.final]
    if finals:
        return zone.pick(finals[-1].options, _span(finals[-1]), _by(finals[-1]))
    return _leading(zone) or _judged(zone) or _tagged(zone) or _ranked(zone) or _remaining(zone) or _none(zone)


def _span(saying: Saying) -> Span:
    return saying.start, saying.end


def _by(saying: Saying) -> Reason:
    return "exact" if saying.by == "label" or saying.start == 0 else "normalised"


_AFTER_LABEL = re.compile(
    r"[\ufe0f\u20e3]{0,2}\s*(?:[✔✓✅☑👍][\ufe0f]?\s*(?=[(\n]|\Z)|\(|[.,;:!)\]\"'–—\n-]|\Z|(?:because|since|as|for|and|or|&)\b|[A-Z])"
)
_CLOSED_LABEL = re.compile(r"[\W_]*(?:[^\W\d_]+\s*\W?)?(?:[^\W_]{1,2}|[^\W\d_]{3,5})[\"')\]]*\s*[.:)\]–—-]")
_AFTER_TEXT = re.compile(r"[\"'”’)]*\s*(?:[.!,;:–—\n-]|\Z|(?:because|since|as|for)\b)")
OPENING = re.compile(r"[\s\"'“‘(\[]*")
_BESIDE = r"[\s,(]*(?:,|&|/|\+|\b(?:and|or|possibly|perhaps|maybe)\b)\s*(?:(?:and|or|also|possibly|perhaps|maybe|even)\s+)*"
_ROW = re.compile(rf"[\ue000-\ue7ff\uf400-\uf8ff](?:{_BESIDE}[\ue000-\ue7ff\uf400-\uf8ff])*")


def _leading(zone: Reading) -> Pick | None:
    """Read a pick at the very beginning, unless a list of all options begins there, or a sentence about the option."""
    first = zone.mentions[0]
    opening = OPENING.match(zone.text)
    if opening is None or first.start > opening.end() or first.kind == "part" or runs_through(zone):
        return None
    sentence = zone.read.sentences[0].end
    if any(saying.start == first.start and saying.end <= sentence for saying in zone.sayings):
        return None
    if zone.text[first.end : first.end + 2].strip().startswith("?"):
        return None
    if first.kind == "text":
        return _leading_text(zone, first)
    if not _AFTER_LABEL.match(zone.text, first.end) and not _CLOSED_LABEL.match(zone.text, first.start, first.end):
        return None
    row = _ROW.match(zone.said.line, opening.end())
    named = zone.said.mentioned(*row.span()) if row else [first]
    return zone.pick([n for mention in named for n in mention.options], (named[0].start, named[-1].end), "exact")


_PART_END = re.compile(r"[.;:!?\n(—–]")


def _leading_text(zone: Reading, first: Mention) -> Pick | None:
    end = _PART_END.search(zone.text, first.end)
    last = end.start() if end else len(zone.text)
    others = {n for m in zone.mentions if m.kind != "part" and m.start < last for n in m.options} - set(first.options)
    if others or zone.denies(first) or first.options[0] in zone.outs:
        return None
    if not _AFTER_TEXT.match(zone.text, first.end):
        return None
    return zone.pick(first.options, (first.start, first.end), "exact")


def runs_through(zone: Reading) -> bool:
    """Tell whether a text goes through the options one after the other, each at the beginning of a line or sentence."""
    begun = [m for m in zone.mentions if len(m.options) == 1 and m.kind not in ("part", "bare") and _begins(zone.text, m)]
    order = list(dict.fromkeys(m.options[0] for m in begun))
    if len(order) < 2:
        return False
    return begun[0].kind == "text" or (order[0] == 1 and order == sorted(order))


def _begins(text: str, mention: Mention) -> bool:
    """Tell whether a mention begins a line, or a sentence that is about it."""
    before = text[max(0, mention.start - 4) : mention.start].rstrip(" \"'(")
    after = text[mention.end - 1 : mention.end + 2]
    heads = any(sign in after for sign in ":)-–—")
    if before[-1:] in ("", "\n"):
        return mention.kind != "text" or heads
    return before[-1:] in (".", ";", "!", "?") and heads


CONCLUDING = re.compile(rf"\s*(?:{alternatives('choice_concluding')})\b", re.IGNORECASE)
REACH = 160
"""So many characters before what is said may tell how it is said."""


def _judged(zone: Reading) -> Pick | None:
    """Read a pick from what is said of the options one by one."""
    picked: dict[int, Saying] = {}
    for saying in zone.picks:
        for number in saying.options:
            picked.setdefault(number, saying)
    wanted = [n for n in picked if n not in zone.outs] or list(picked)
    if not wanted:
        return None
    if len(wanted) > 1:
        concluding = [saying for saying in zone.picks if _concludes(zone.text, saying.start)]
        wanted = list(concluding[-1].options) if concluding else wanted
    return zone.pick(wanted, _span(picked[wanted[0]]), _by(picked[wanted[0]]))


def _concludes(text: str, at: int) -> bool:
    """Tell whether the sentence that holds a character begins with "so" or the like."""
    return CONCLUDING.match(re.split(r"[.!?\n]\s*", text[max(0, at - REACH) : at])[-1]) is not None


def _tagged(zone: Reading) -> Pick | None:
    """Read "Paris (option 2)", where only one option is so named."""
    if zone.options.statements:
        return None
    labels = [m for m in zone.mentions if m.kind in ("label", "mark")]
    tagged = {m.options: m for m in labels if "(" in zone.text[max(0, m.start - 1) : m.end]}
    if len(tagged) != 1:
        return None
    (numbers, mention), *_ = tagged.items()
    return None if zone.outs.issuperset(numbers) else zone.pick(numbers, (mention.start, mention.end), "exact")


_RANKED = re.compile(
    r"\b(?P<first>\w+est)(?: one)? to (?:the )?(?P<last>\w+est)\b[^:\n]{0,30}:"
    r"|\b(?P<top>\w+est)(?: one)? (?:first|on top)\b[^:\n]{0,20}:",
    re.IGNORECASE,
)


def _ranked(zone: Reading) -> Pick | None:
    """Read "Highest to lowest: X, Y, Z", where one of these is asked for."""
    ranked = _RANKED.search(zone.text) if ":" in zone.text else None
    if ranked is None:
        return None
    row = [m for m in zone.mentions if m.start >= ranked.end() and m.kind in ("text", "part")]
    first = key_of((ranked["first"] or ranked["top"]).lower()) in zone.options.asked
    last = ranked["last"] is not None and key_of(ranked["last"].lower()) in zone.options.asked
    if len({m.options for m in row}) < min(3, len(zone.options.regular)) or first == last:
        return None
    mention = row[0] if first else row[-1]
    return zone.pick(mention.options, (mention.start, mention.end), "normalised")


def _remaining(zone: Reading) -> Pick | None:
    """Read a pick from all other options being set aside."""
    options = zone.options
    candidates = [n for n in (*options.regular, options.none) if n is not None]
    left = [n for n in candidates if n not in zone.outs]
    if len(left) == 2 and options.none in left:
        left.remove(options.none)
    if not zone.outs or len(left) > 1 or len(candidates) < 2 or NONE in zone.outs or breaks_off(zone.text):
        return None
    if left:
        return zone.pick(left, (0, len(zone.text)), "normalised")
    return None if zone.picks else zone.pick([NONE], (0, len(zone.text)), "normalised")


def _none(zone: Reading) -> Pick | None:
    """Read that no option is it, where the text names none else."""
    named = {m.options: m for m in zone.mentions if m.kind != "part" and len(m.options) == 1}
    mention = named.get((zone.options.none or NONE,))
    return zone.pick(mention.options, (mention.start, mention.end), "normalised") if mention and len(named) == 1 else None


def breaks_off(text: str) -> bool:
    """Tell whether a text ends in the middle of a sentence."""
    return text.rstrip().endswith((":", ",", "-", "–", "—", "(")) or abstention.cut_off(text) is not None
