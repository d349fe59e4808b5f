"""The judge of choices, by rules: which option a text picks.

Where a text names options is found by `reading.options`, what it says of them by `picks`. The sense of the question turns the
one into the other: where the false statement is asked for, "3 is wrong" picks 3 and "3 is true" sets it aside; else the other
way round. The answer that a text declares (`Reply.declared`) is read before the text behind a turn ("Wait, no: ..."), and that
before the whole. What is picked is decided by the first of these that holds:

| the text | reason |
|---|---|
| says of an option that it is the answer; the last such ("the false one is 3", "I'd go with B", "that leaves 1") | `exact` |
| begins with an option's number, letter or text, or is nothing else | `exact` |
| judges options one by one, and one alone is what is asked for ("1: true. 2: false. 3: true.") | `exact` |
| sets all options aside but one | `normalised` |
| has one option in bold | `normalised` |
| names one option only, or one alone where it says what is asked for, not denied | `normalised` |

An option named by its words alone is `normalised`. Two picks in one place ("A and C"), or several options without a pick, are
`several_answers`. An option such as "unsure" is no answer: who picks it has abstained, unless it is the right one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal, NamedTuple

from evaluators.verify import abstention
from evaluators.verify.denial import is_denied
from evaluators.verify.picks import Saying, Sayings
from evaluators.verify.question import Question
from evaluators.verify.rationale import judge_rationale
from evaluators.verify.reading.options import NONE, Mention, Options, meaning, mentions, small
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, Text, lazy, phrase, read_text
from evaluators.verify.reading.words import ARTICLES, alternatives, in_digits
from evaluators.verify.ruling import Ruling, unscored
from queries.records.verdict import Reason

Sense = Literal["so", "not_so", "not"]
"""What a question asks for: the option that is so, the one that is not, or what something is not ("Which is not a planet?")."""


class Pick(NamedTuple):
    """The options a text picks (1-based; 0 is "none of them" where no option says so), how, and where."""

    options: tuple[int, ...]
    reason: Reason
    span: Span


def judge(reply: Reply, question: Question) -> Ruling:
    """Judge which option a text picks, and its explanation where the item has a rationale.

    >>> hue = Question("Which is red?", "choice", ("2",), options=("grass", "blood"))
    >>> judge(Reply.of("B) blood"), hue)[:3], judge(Reply.of("Grass or blood."), hue)[:2]
    (('correct', 'exact', '2'), ('incorrect', 'several_answers'))
    """
    text = reply.text
    nothing = abstention.nothing_said(text, question) or _echo(text, question)
    if nothing:
        return unscored(nothing)
    ruling = _ruling(reply, question)
    if not question.rationale:
        return ruling
    explained = judge_rationale(read_text(text), question, answered=ruling.outcome == "correct")
    return ruling._replace(
        rationale=explained.hops, contradicted=explained.contradicted, spans=(*ruling.spans, *explained.spans)
    )


def _ruling(reply: Reply, question: Question) -> Ruling:
    options = Options.of(question.options, question.text)
    reading = _Reading.of(reply, options)
    picked = _sure(reply, reading)
    withheld = abstention.withheld(reply.text) if picked is None or len(picked.options) > 1 else None
    if picked is None and (withheld is None or withheld.outcome == "abstained"):
        picked = _unsure(reading, hedged=withheld is not None)
    if picked and len(picked.options) > 1 and withheld is None and _UNDECIDED.search(reply.text):
        withheld = Ruling("abstained", "unsure", None, (picked.span,))
    if picked is None or (withheld is not None and len(picked.options) > 1):
        bit = None if withheld else _bit(reply.text, options)
        if bit is None:
            return _withheld(withheld, reply, question, options)
        picked = bit
    if len(picked.options) > 1:
        return Ruling("incorrect", "several_answers", None, (picked.span,))
    answer = str(picked.options[0]) if picked.options[0] != NONE else None
    if question.expected is not None and answer == question.expected[0]:
        return Ruling("correct", picked.reason, answer, (picked.span,))
    if picked.options[0] == options.unknown:
        return Ruling("abstained", "unsure", None, (picked.span,))
    return Ruling("incorrect", "wrong", answer, (picked.span,))


_UNDECIDED = re.compile(
    r"\b(?:cannot|can't|can not|couldn't|unable to|not able to) (?:\w+ )?(?:decide|choose|pick|tell|say|determine|make up)\b"
    r"|\bundecided\b",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(r"\b(?:i|i'm|i've|i'd|my|we|me)\b", re.IGNORECASE)


def _withheld(withheld: Ruling | None, reply: Reply, question: Question, options: Options) -> Ruling:
    """Rule on a text that picks nothing: that nothing can be known may be an option, and the right one."""
    if withheld is None:
        cut = abstention.cut_off(reply.text)
        return unscored("truncated", (cut,)) if cut else unscored("unparsed")
    answer = None if options.unknown is None else str(options.unknown)
    impersonal = withheld.outcome == "abstained" and not _OF_ITSELF.search(reply.text)
    if answer and impersonal and question.expected is not None and answer == question.expected[0]:
        return Ruling("correct", "normalised", answer, withheld.spans)
    return withheld


def pick(text: str, options: tuple[str, ...], question: str = "") -> Pick | None:
    """Tell which options a text picks.

    Where the question asks for the wrong option, "the correct one is 2" is no pick.

    >>> pick("The answer is option 2.", ("red", "blue")).options, pick("A and B", ("red", "blue")).options
    ((2,), (1, 2))
    """
    reply = Reply(text.replace("’", "'"))
    reading = _Reading.of(reply, Options.of(options, question))
    return _sure(reply, reading) or _unsure(reading, hedged=False)


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


def _sense(options: Options) -> Sense:
    """Tell what a question asks for.

    >>> _sense(Options(("a", "b"), "Which of these is false?")), _sense(Options(("a", "b"), "Which is not a planet?"))
    ('not_so', 'not')
    """
    stem = small(options.stem.replace("’", "'"))
    if not _ASKS.search(stem):
        return "so"
    return "not_so" if _ASKS_NOT_SO.search(stem) else "not" if _ASKS_NOT.search(stem) else "so"


# --- nothing but the question again -----------------------------------------------------------------------------------

_SCAFFOLD = frozenset(
    phrase(
        "q a question answer option options statement statements choice choices the following are these is and or here explain"
    )
)


def _echo(text: str, question: Question) -> Reason | None:
    """Tell whether a text only gives the question and its options again."""
    words, asked = phrase(text), phrase(question.text)
    own = [phrase(option) for option in question.options]
    if len(words) > 3 * (len(asked) + sum(map(len, own))):
        return None
    line = f" {' '.join(words)} "
    for option in sorted(own, key=len, reverse=True):
        if f" {' '.join(option)} " not in line:
            return None
        line = line.replace(f" {' '.join(option)} ", "  ", 1)
    beside = set(line.split()) - set(asked) - _SCAFFOLD
    # All options in a row, without labels or the question, are several answers, not an echo.
    marks_only = all(word.isdigit() or len(word) == 1 for word in beside) and not _MARKED.search(text)
    return "echo" if marks_only and (beside or set(asked) <= set(words)) else None


_MARKED = re.compile(r"[✓✔✅☑❌✗✘✖✕👍👎👉🎯➡→←⭐*]")


# --- what is read -----------------------------------------------------------------------------------------------------


class _Reading:
    """A text, or a stretch of one, with what it says of the options."""

    def __init__(self, text: str, offset: int, options: Options, sense: Sense, bold: Sequence[Span]) -> None:
        self.text, self.offset, self.options, self.sense = text, offset, options, sense
        self.bold = [(start - offset, end - offset) for start, end in bold]

    @classmethod
    def of(cls, reply: Reply, options: Options) -> _Reading:
        """Read a whole answer."""
        return cls(reply.text, 0, options, _sense(options), reply.bold)

    def stretch(self, start: int, end: int) -> _Reading:
        """Return a stretch of the text."""
        if (start, end) == (0, len(self.text)):
            return self
        return _Reading(self.text[start:end], start, self.options, self.sense, self.bold)

    @lazy
    def mentions(self) -> list[Mention]:
        """Where the text names options."""
        return mentions(self.text, self.options)

    @lazy
    def said(self) -> Sayings:
        """What the text says of the options."""
        return Sayings(self.text, self.mentions, self.options, asks_not=self.sense == "not")

    @lazy
    def picks(self) -> list[Saying]:
        """What picks options, in the sense of the question."""
        return [saying for saying in self.said.all if self._picks(saying)]

    @lazy
    def outs(self) -> frozenset[int]:
        """The options that the text sets aside."""
        return frozenset(n for saying in self.said.all if not self._picks(saying) for n in saying.options)

    def _picks(self, saying: Saying) -> bool:
        """Tell whether what is said picks the option."""
        if saying.what == "pick":
            return not (saying.correct and self._says_what_is_so(saying))
        return saying.what == ("not_so" if self.sense == "not_so" else "so")

    def _says_what_is_so(self, saying: Saying) -> bool:
        """Tell whether "the correct answer is 2" says which statement is true, where the false one is asked for and named."""
        others = (s for s in self.said.all if s.what == "not_so")
        return self.sense == "not_so" and any(set(saying.options).isdisjoint(other.options) for other in others)

    def pick(self, options: Sequence[int], span: Span, reason: Reason) -> Pick:
        """Return a pick with its characters in the whole text."""
        several: Reason = reason if len(set(options)) == 1 else "several_answers"
        return Pick(tuple(dict.fromkeys(options)), several, (span[0] + self.offset, span[1] + self.offset))

    def denies(self, mention: Mention) -> bool:
        """Tell whether an option is named only to be denied, where what is denied is not what is asked for."""
        read = self.read
        before = self.text[max(0, mention.start - _REACH) : mention.start]
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


# --- what is sure -----------------------------------------------------------------------------------------------------


def _sure(reply: Reply, whole: _Reading) -> Pick | None:
    """Return what is picked in so many words."""
    bare = _bare(reply.text, whole.options.texts)
    if bare is not None:
        return bare
    for start, end in _zones(reply, whole):
        for stretch in _ends(start, end):
            zone = whole.stretch(*stretch)
            if zone.mentions:
                picked = _stated(zone) or (_only(zone) if stretch == reply.declared else None)
                if picked:
                    return picked
    return None


def _bare(text: str, texts: Sequence[str]) -> Pick | None:
    """Return the pick of a text that is an option's words or a number alone, whatever else the option's words may mean.

    >>> _bare("The answer is 3.", ("red", "third", "blue")), _bare("third", ("red", "third", "blue"))
    (Pick(options=(3,), reason='exact', span=(14, 15)), Pick(options=(2,), reason='exact', span=(0, 5)))
    >>> _bare("1984", ("1984", "1985"))
    Pick(options=(1,), reason='exact', span=(0, 4))
    """
    number = _BARE_NUMBER.fullmatch(text)
    words = phrase(number["number"] if number else text) if len(text) < _BARE_LENGTH else []
    labelled = number is not None and number["kind"] is not None  # "Option 3", also where an option is called "3"
    same = [n for n, option in enumerate(texts, 1) if words and not labelled and phrase(option) == words]
    if len(same) == 1:
        span = number.span("number") if number else (0, len(text))
        return Pick((same[0],), "exact", span)
    if number is None or same or not 1 <= int(number["number"]) <= len(texts):
        return None
    return Pick((int(number["number"]),), "exact", number.span("number"))


_BARE_NUMBER = re.compile(
    r"\W*(?:(?:the |my )?(?:answer|(?P<kind>option|choice))(?: is)?\W*)?(?P<number>\d{1,4})\W*", re.IGNORECASE
)
_BARE_LENGTH = 200


_LONG = 10_000
"""Of a text longer than twice this, only so many characters at either end are looked at."""


def _ends(start: int, end: int) -> Iterator[Span]:
    """Yield a stretch of text, or of a very long one its end and its beginning."""
    if end - start <= 2 * _LONG:
        yield start, end
    else:
        yield end - _LONG, end
        yield start, start + _LONG


_CALLED_CORRECT = re.compile(r"\b(?:correct|right|true|accurate)\s+\w+[^\w]*(?:\w+\W*){0,3}\Z", re.IGNORECASE)
_LEADING_IN = 60
"""So many characters before what is declared say what it is called."""


def _zones(reply: Reply, whole: _Reading) -> Iterator[Span]:
    """Yield what to read, one after the other: what is declared, what stands behind a turn, all of it."""
    declared, turn = reply.declared, (reply.turn, len(reply.text))
    if declared and _declares(reply.text[max(0, declared[0] - _LEADING_IN) : declared[0]], whole.sense):
        yield from (declared, turn) if declared[0] >= reply.turn else (turn, declared)
    elif reply.turn:
        yield turn
    yield 0, len(reply.text)


def _declares(before: str, sense: Sense) -> bool:
    """Tell whether what is declared is the answer: not the true statement where the false one is wanted, nor others' pick."""
    if sense == "not_so" and _CALLED_CORRECT.search(before):
        return False
    return not Sayings(before, (), Options.of(())).attributed(len(before))


def _stated(zone: _Reading) -> Pick | None:
    """Return what a stretch of text says is the answer, or begins with, or comes to by judging the options."""
    finals = [saying for saying in zone.picks if saying.final]
    if finals:
        return zone.pick(finals[-1].options, _span(finals[-1]), _by(finals[-1]))
    return _leading(zone) or _judged(zone) or _tagged(zone) or _remaining(zone) or _none(zone)


def _bit(text: str, options: Options) -> Pick | None:
    """Read a text that is nothing but a few words of one option ("7" for "shelf 7")."""
    words = [word for word in in_digits(phrase(text)) if word not in ARTICLES]
    if not words or len(words) > _FEW:
        return None
    holding = [n for n in options.regular if set(words) <= set(in_digits(options.phrases[n - 1]))]
    return Pick((holding[0],), "normalised", (0, len(text))) if len(holding) == 1 else None


def _span(saying: Saying) -> Span:
    return saying.start, saying.end


def _by(saying: Saying) -> Reason:
    return "exact" if saying.by == "label" or saying.start == 0 else "normalised"


_AFTER_LABEL = re.compile(r"\s*(?:[.,;:!)\]\"'–—\n-]|\Z|(?:because|since|as|for|and|or|&)\b|[A-Z])")
_CLOSED_LABEL = re.compile(r"[\W_]*(?:[^\W\d_]+\s*\W?)?(?:[^\W_]{1,2}|[^\W\d_]{3,5})[\"')\]]*\s*[.:)\]–—-]")
_AFTER_TEXT = re.compile(r"[\"'”’)]*\s*(?:[.!,;:–—\n-]|\Z|(?:because|since|as|for)\b)")
_OPENING = re.compile(r"[\s\"'“‘(\[]*")
_ROW = re.compile(r"[\ue000-\ue7ff\uf400-\uf8ff](?:\s*(?:,|and|or|&|/|\+)\s*(?:and\s+|or\s+)?[\ue000-\ue7ff\uf400-\uf8ff])*")


def _leading(zone: _Reading) -> Pick | None:
    """Read a pick at the very beginning, unless a list of all options begins there, or a sentence about the option."""
    first = zone.mentions[0]
    opening = _OPENING.match(zone.text)
    if opening is None or first.start > opening.end() or first.kind == "part" or _runs_through(zone):
        return None
    sentence = zone.read.sentences[0].end
    if any(saying.start == first.start and saying.end <= sentence for saying in zone.said.all):
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


def _leading_text(zone: _Reading, first: Mention) -> Pick | None:
    end = _PART_END.search(zone.text, first.end)
    last = end.start() if end else len(zone.text)
    others = {n for m in zone.mentions if m.kind != "part" and m.start < last for n in m.options} - set(first.options)
    if others or zone.denies(first) or first.options[0] in zone.outs:
        return None
    if not _AFTER_TEXT.match(zone.text, first.end):
        return None
    return zone.pick(first.options, (first.start, first.end), "exact")


def _runs_through(zone: _Reading) -> bool:
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


_CONCLUDING = re.compile(rf"\s*(?:{alternatives('choice_concluding')})\b", re.IGNORECASE)
_REACH = 160
"""So many characters before what is said may tell how it is said."""


def _judged(zone: _Reading) -> Pick | None:
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
    return _CONCLUDING.match(re.split(r"[.!?\n]\s*", text[max(0, at - _REACH) : at])[-1]) is not None


def _tagged(zone: _Reading) -> Pick | None:
    """Read "Paris (option 2)", where only one option is so named."""
    if zone.options.statements:
        return None
    labels = [m for m in zone.mentions if m.kind in ("label", "mark")]
    tagged = {m.options: m for m in labels if "(" in zone.text[max(0, m.start - 1) : m.end]}
    if len(tagged) != 1:
        return None
    (numbers, mention), *_ = tagged.items()
    return None if zone.outs.issuperset(numbers) else zone.pick(numbers, (mention.start, mention.end), "exact")


def _remaining(zone: _Reading) -> Pick | None:
    """Read a pick from all other options being set aside."""
    options = zone.options
    candidates = [n for n in (*options.regular, options.none) if n is not None]
    left = [n for n in candidates if n not in zone.outs]
    if len(left) == 2 and options.none in left:
        left.remove(options.none)
    if not zone.outs or len(left) > 1 or len(candidates) < 2 or NONE in zone.outs or _breaks_off(zone.text):
        return None
    if left:
        return zone.pick(left, (0, len(zone.text)), "normalised")
    return None if zone.picks else zone.pick([NONE], (0, len(zone.text)), "normalised")


def _none(zone: _Reading) -> Pick | None:
    """Read that no option is it, where the text names none else."""
    named = {m.options: m for m in zone.mentions if m.kind != "part" and len(m.options) == 1}
    mention = named.get((zone.options.none or NONE,))
    return zone.pick(mention.options, (mention.start, mention.end), "normalised") if mention and len(named) == 1 else None


def _breaks_off(text: str) -> bool:
    """Tell whether a text ends in the middle of a sentence."""
    return text.rstrip().endswith((":", ",", "-", "–", "—", "(")) or abstention.cut_off(text) is not None


# --- what is less sure ------------------------------------------------------------------------------------------------


def _unsure(zone: _Reading, *, hedged: bool) -> Pick | None:
    """Return what is picked in other words: the option in bold, the only one that is named, the one that the text comes to.

    Parameters: `hedged` says that the text also says that it does not know.
    """
    zone = zone.stretch(0, _LONG) if len(zone.text) > 2 * _LONG else zone
    if not zone.mentions:
        return None
    if hedged:
        return _hedged(zone)
    return _in_bold(zone) or _only(zone) or _lone_label(zone) or _lone_part(zone)


def _in_bold(zone: _Reading) -> Pick | None:
    named = [m for m in zone.mentions if m.kind in ("text", "label", "mark")]
    bold = [m for m in named if any(start < m.end and m.start < end for start, end in zone.bold)]
    upheld = {m.options: m for m in bold if not zone.denies(m) and not zone.outs.issuperset(m.options)}
    if len(upheld) != 1 or len({n for m in bold for n in m.options} - zone.outs) != 1 or _breaks_off(zone.text):
        return None
    (numbers, mention), *_ = upheld.items()
    return zone.pick(numbers, (mention.start, mention.end), "normalised")


_WORDED = 9
"""A label of more characters has the option's words beside it."""


def _only(zone: _Reading) -> Pick | None:
    """Read a pick from the options' words: the only one that is named, or that is named where the question is answered."""
    if zone.sense == "not_so" and zone.options.statements:
        return _denied_statement(zone)
    named = [m for m in zone.mentions if m.kind == "text" or (m.kind in ("label", "mark") and m.end - m.start > _WORDED)]
    named = [m for m in named if m.options != (zone.options.unknown,) and not zone.denies(m) and m.options[0] not in zone.outs]
    main = [m for m in named if not zone.said.aside(m)] or named
    numbers = list(dict.fromkeys(n for m in main for n in m.options))
    if not numbers and zone.options.statements:
        return _asserted_statement(zone)
    if len(numbers) < 2:
        return zone.pick(numbers, (main[0].start, main[0].end), "normalised") if numbers else None
    return _answering(zone, main) or zone.pick(numbers, (main[0].start, main[0].end), "several_answers")


_SO = re.compile(r"\b(?:so|therefore|thus|hence|consequently|which (?:makes|leaves|means)|making)\b", re.IGNORECASE)
_BUT = re.compile(r"\b(?:but|however|yet|whereas)\b", re.IGNORECASE)
_SOLELY = re.compile(r"\bonly (?:the )?\Z", re.IGNORECASE)
_PART = re.compile(r"[;:–—]|,|\b(?:but|and|while|whereas)\b")


def _answering(zone: _Reading, named: Sequence[Mention]) -> Pick | None:
    """Return the option of which a text says most of what the question asks."""
    score: dict[tuple[int, ...], float] = {}
    sentences = [zone.read.sentence_of(zone.read.words_of(mention.start, mention.end)[0]) for mention in named]
    for n in dict.fromkeys(sentences):
        inside = [mention for mention, at in zip(named, sentences, strict=True) if at == n]
        start = zone.read.sentences[n].start
        for mention, points in _said_of_each(zone, inside, n):
            turned = _BUT.search(zone.text, start, mention.start) is not None
            score[mention.options] = max(score.get(mention.options, 0), points + turned / 2)
    best = max(score.values())
    top = [options for options, points in score.items() if points == best]
    if len(top) > 1 or best < 1:
        return _first_of(zone, named, sentences)
    mention = next(m for m in named if m.options == top[0])
    return zone.pick(mention.options, (mention.start, mention.end), "normalised")


def _said_of_each(zone: _Reading, inside: Sequence[Mention], n: int) -> Iterator[tuple[Mention, float]]:
    """Yield the options of a sentence, each with how much of what is asked is said of it.

    What stands between two of them is said of the one before or behind it: a comma or conjunction parts it, else the first
    option's place tells ("X is ..., Y ..." or "... X and ... Y").
    """
    read, text, sentence = zone.read, zone.text, zone.read.sentences[n]
    leads = len(text[sentence.start : inside[0].start].split()) <= _FEW
    rows = _rows(text, inside)
    cuts = [sentence.start]
    for row, then in pairwise(rows):
        part = _PART.search(text, row[-1].end, then[0].start)
        cuts.append(part.start() if part else then[0].start if leads else row[-1].end)
    asked, names = zone.options.sought, zone.options.names & zone.options.sought
    alone = len({mention.options for mention in inside}) == 1
    subject = meaning(read.words[sentence.first : sentence.first + 2])  # of all that follows
    concluding, before = bool(_CONCLUDING.match(text, sentence.start)), sentence.start
    for at, row in enumerate(rows):
        begin, end = (sentence.start, sentence.end) if alone else (cuts[at], (*cuts, sentence.end)[at + 1])
        keys = meaning(read.words[read.word_at(begin) : read.word_at(end)])
        first = row[0].start
        stressed = concluding or _SO.search(text, before, first) or _SOLELY.search(text, before, first)
        points = (
            len(asked & (keys if ";" in text[sentence.start : first] else keys | subject))
            + len((names & keys) - subject) / 4
            + alone / 2
            + (len(asked) if stressed else 0)
        )
        yield from ((mention, points) for mention in row)
        before = row[-1].end


_FEW = 2
"""So many words may stand before an option that a sentence begins with."""


def _first_of(zone: _Reading, named: Sequence[Mention], sentences: Sequence[int]) -> Pick | None:
    """Return the option with which a text begins, where its first sentence names no other."""
    first = named[0]
    opening = _OPENING.match(zone.text)
    others = [m for m, n in zip(named, sentences, strict=True) if n == sentences[0] and m.options != first.options]
    late = opening is None or first.start > opening.end() + len("the ")
    if others or late or zone.said.aside(first) or _runs_through(zone):
        return None
    return zone.pick(first.options, (first.start, first.end), "normalised")


def _asserted_statement(zone: _Reading) -> Pick | None:
    """Return the statement that the text makes in other words: all words that only it has stand in one sentence, not denied."""
    found: dict[int, Span] = {}
    for sentence in zone.read.sentences:
        keys = meaning(zone.read.words[sentence.first : sentence.last])
        inside = [m for m in zone.mentions if m.kind in ("text", "part") and sentence.start <= m.start < sentence.end]
        for number in zone.options.regular:
            own = zone.options.own[number - 1]
            mine = [m for m in inside if m.options == (number,)]
            if own and own <= keys and mine and not any(zone.denies(m) or zone.said.attributed(zone.said.at(m)) for m in mine):
                found.setdefault(number, (sentence.start, sentence.end))
    numbers = [n for n in found if n not in zone.outs]
    return zone.pick(numbers, found[numbers[0]], "normalised") if len(numbers) == 1 else None


_BETWEEN = re.compile(
    r"[\s\"'”’*)]*(?:,|&|/|\band\b|\bor\b|\bas well as\b)[\s\"'“‘*(]*(?:(?:and|or|the|also)\b[\s\"'“‘*(]*){0,3}\Z"
)


_COMPLEMENT = re.compile(r"\b(?:is|are|was|were|called|named) (?:the )?[\"'“‘*(]*\Z")


def _rows(text: str, named: Sequence[Mention]) -> list[list[Mention]]:
    """Return mentions by rows ("X, Y and Z"): what is said of one is said of all."""
    rows = [[named[0]]]
    for mention, then in pairwise(named):
        complement = "," in text[mention.end : then.start] and _COMPLEMENT.search(
            text[max(0, mention.start - _GAP) : mention.start]
        )
        if not complement and _BETWEEN.match(text[mention.end : then.start][:_GAP]):
            rows[-1].append(then)
        else:
            rows.append([then])
    return rows


_GAP = 24
"""So many characters at most stand between two options of a row."""


def _denied_statement(zone: _Reading) -> Pick | None:
    """Return the statement that the text denies in its own words, where the false one is asked for."""
    worded = [m for m in zone.mentions if m.kind in ("text", "part") and len(m.options) == 1]
    denied = {m.options[0]: m for m in reversed(worded) if zone.denies(m) and not zone.said.attributed(zone.said.at(m))}
    numbers = [n for n in denied if n not in zone.outs] or list(denied)
    if len(numbers) != 1:
        return None
    mention = denied[numbers[0]]
    return zone.pick(numbers, (mention.start, mention.end), "normalised")


_ASKED_BACK = re.compile(r"[\"'”’)]*\s*\?")


def _lone_label(zone: _Reading) -> Pick | None:
    """Read a pick from the only option that is named by number or letter."""
    labels = [m for m in zone.mentions if m.kind in ("label", "mark")]
    if len({m.options for m in labels}) != 1 or zone.outs.issuperset(labels[0].options) or _breaks_off(zone.text):
        return None
    upheld = [m for m in labels if not zone.said.attributed(zone.said.at(m)) and not _ASKED_BACK.match(zone.text, m.end)]
    return zone.pick(upheld[0].options, (upheld[0].start, upheld[0].end), "exact") if upheld else None


def _lone_part(zone: _Reading) -> Pick | None:
    """Read a pick from words that only one option has, where names are asked for."""
    if zone.options.statements:
        return None
    parts = [m for m in zone.mentions if m.kind == "part" and not zone.said.aside(m) and not zone.denies(m)]
    if len({m.options for m in parts}) != 1 or parts[0].options[0] in zone.outs:
        return None
    return zone.pick(parts[0].options, (parts[0].start, parts[0].end), "normalised")


_LEANING = re.compile(
    r"\b(?:but|maybe|perhaps|probably|possibly|guess|lean\w*|likely|presumably|think|believe|however|though|still|if i had to"
    r"|suspect|tend)\b",
    re.IGNORECASE,
)


def _hedged(zone: _Reading) -> Pick | None:
    """Read a pick beside words of doubt: the only option named, where the text leans towards it."""
    picked = _in_bold(zone) or _only(zone) or _lone_part(zone)
    if picked is None or len(picked.options) > 1:
        return None
    clause = re.split(r"[.;!?\n]", zone.text[max(0, picked.span[0] - _REACH) : picked.span[0]])[-1]
    return picked if picked.span[0] < 4 or _LEANING.search(clause) else None
