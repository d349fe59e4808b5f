"""The judge of choices, by rules: which option a text picks.

Where a text names options is found by `reading.mentions`, what it says of them by `truths` and `picks`. The sense of the
question turns the one into the other: where the false statement is asked for, "3 is wrong" picks 3 and "3 is true" sets it
aside; else the other way round. The answer that a text declares (`Reply.declared`) is read before the text behind a turn
("Wait, no: ..."), and that before the whole. What is picked is decided by the first of these that holds:

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

from evaluators.verify import abstention
from evaluators.verify.implied import bit, implied, only, unlisted
from evaluators.verify.picks import ARROWS, pointed_at
from evaluators.verify.question import Question
from evaluators.verify.rationale import judge_rationale
from evaluators.verify.reading.options import NONE, Options
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, phrase, read_text
from evaluators.verify.ruling import Ruling, unscored
from evaluators.verify.sayings import Sayings
from evaluators.verify.stated import LONG, Pick, Reading, Sense, stated
from queries.records.verdict import Reason


def judge(reply: Reply, question: Question) -> Ruling:
    """Judge which option a text picks, and its explanation where the item has a rationale.

    >>> hue = Question("Which is red?", "choice", ("2",), options=("grass", "blood"))
    >>> judge(Reply.of("B) blood"), hue)[:3], judge(Reply.of("Grass or blood."), hue)[:2]
    (('correct', 'exact', '2'), ('incorrect', 'several_answers'))
    """
    text = reply.text
    nothing = abstention.nothing_said(text, question) or _echo(reply, question)
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
    reading = Reading.of(reply, options)
    picked = _sure(reply, reading)
    withheld = abstention.withheld(reply.text) if picked is None or len(picked.options) > 1 else None
    if picked is None and (withheld is None or withheld.outcome == "abstained"):
        picked = implied(reading, hedged=withheld is not None)
    if picked and picked.reason != "exact" and (_goes_through(reply.text, reading) or _only_begun(reply.text, picked)):
        return unscored("truncated", (picked.span,))
    if picked and len(picked.options) > 1 and withheld is None and _UNDECIDED.search(reply.text):
        withheld = Ruling("abstained", "unsure", None, (picked.span,))
    if picked is None or (withheld is not None and len(picked.options) > 1):
        part = None if withheld else bit(reply.text, options) or unlisted(reply.text, options)
        if part is None:
            return _withheld(withheld, reply, question, options)
        picked = part
    if len(picked.options) > 1:
        return Ruling("incorrect", "several_answers", None, (picked.span,))
    if _contradicts_itself(reply.text, picked, question):
        return Ruling("incorrect", "several_answers", None, (picked.span,))
    answer = str(picked.options[0]) if picked.options[0] != NONE else None
    if question.expected is not None and answer == question.expected[0]:
        return Ruling("correct", picked.reason, answer, (picked.span,))
    if picked.options[0] == options.unknown:
        return Ruling("abstained", "unsure", None, (picked.span,))
    return Ruling("incorrect", "wrong", answer, (picked.span,))


def _contradicts_itself(text: str, picked: Pick, question: Question) -> bool:
    """Tell whether a label is told with the whole text of another option ("The answer is option 3, Mars", where Mars is 2)."""
    own = question.options[picked.options[0] - 1] if picked.options[0] != NONE else ""
    behind = _BESIDE_LABEL.match(text, picked.span[1])
    if not own or not behind or _LABELLED.fullmatch(text[slice(*picked.span)]) is None:
        return False
    told = frozenset(phrase(behind[1]))
    return bool(told) and told.isdisjoint(phrase(own)) and any(told.issubset(phrase(option)) for option in question.options)


_LABELLED = re.compile(r"\W*(?:(?:option|number|no\.?|choice|answer)\W{0,2})?(?:\d{1,2}|[A-Ia-i])\W*", re.IGNORECASE)
_BESIDE_LABEL = re.compile(
    r"(?:[,:)–—-]|\.\n|\s?\((?=[^.,;:()\n]+\)))\W{0,3}(?:(?:text|label|option|value|name)\W{1,3})?([^.,;:()\n]{1,80})",
    re.IGNORECASE,
)


def _goes_through(text: str, reading: Reading) -> bool:
    """Tell whether a text breaks off while it goes through the options: it begins sentences with others, and ends with one."""
    end = text.rstrip()[-1:]
    if not (end.isalnum() or end in ",-–—(") or "." not in text or not reading.mentions:
        return False
    last = reading.read.sentences[-1]
    begun = {m.options for m in reading.mentions for s in reading.read.sentences if s.start <= m.start < s.start + _BEGINNING}
    closing = [m for m in reading.mentions if last.start <= m.start]
    heads = bool(closing) and closing[0].start < last.start + _BEGINNING and len(begun) > 1
    return heads and (closing[0].end >= len(text.rstrip()) or abstention.cut_off(text) is not None)


def _only_begun(text: str, picked: Pick) -> bool:
    """Tell whether a text breaks off in prose that only names options ("Let me compare them. The first is made of")."""
    if len(text.rsplit("\n", 1)[-1].split()) < _PROSE:
        return False  # an entry of a list or table
    stopped = abstention.broken_off(text) or abstention.cut_off(text)
    unpicked = len(picked.options) > 1 or (picked.span[1] < len(text.rstrip()) and _SETS_OUT.search(text) is not None)
    return stopped is not None and unpicked


_PROSE = 6
"""So many words at least has a last line that is prose."""
_SETS_OUT = re.compile(
    r"\A\W*(?:(?:okay|sure|alright|first)\W+)?(?:let me|let us|let's|we (?:need|have) to|i(?:'ll| will| need to) )"
    r"[^.!?\n]{0,80}\b(?:look|compare|consider|go through|check|examine|analy[sz]e|think|evaluate|review)\b",
    re.IGNORECASE,
)


_BEGINNING = 3
"""So many characters from its beginning a sentence begins."""
_UNDECIDED = re.compile(
    r"\b(?:cannot|can't|can not|couldn't|unable to|not able to) (?:\w+ )?(?:decide|choose|pick|tell|say|determine|make up)\b"
    r"|\bundecided\b",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(r"\b(?:i|i'm|i've|i'd|my|we|me)\b", re.IGNORECASE)


def _withheld(withheld: Ruling | None, reply: Reply, question: Question, options: Options) -> Ruling:
    """Rule on a text that picks nothing: that nothing can be known may be an option, and the right one."""
    if withheld is None:
        cut = abstention.cut_off(reply.text) or abstention.begun(reply.text)
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
    reading = Reading.of(reply, Options.of(options, question))
    return _sure(reply, reading) or implied(reading, hedged=False)


# --- nothing but the question again -----------------------------------------------------------------------------------

_SCAFFOLD = frozenset(
    phrase(
        "q a question answer option options statement statements choice choices the following are these is and or here explain"
    )
)


def _echo(reply: Reply, question: Question) -> Reason | None:
    """Tell whether a text only gives the question and its options again, and calls nothing behind them its answer."""
    text, words, asked = reply.text, phrase(reply.text), phrase(question.text)
    own = [phrase(option) for option in question.options]
    if len(words) > 3 * (len(asked) + sum(map(len, own))):
        return None
    line = _without(own, words)
    if line is None:
        return None
    if reply.declared and _without(own, phrase(text[: reply.declared[0]])) is not None:
        return None  # "1. Rome 2. Oslo. Answer: 2"
    beside = set(line.split()) - set(asked) - _SCAFFOLD
    # All options in a row, without labels or the question, are several answers, not an echo.
    marks_only = all(word.isdigit() or len(word) == 1 for word in beside) and not _MARKED.search(text)
    return "echo" if marks_only and (beside or set(asked) <= set(words)) else None


def _without(options: list[list[str]], words: list[str]) -> str | None:
    """Return words in a line without those of each option; null where an option is not there."""
    line = f" {' '.join(words)} "
    for option in sorted(options, key=len, reverse=True):
        if f" {' '.join(option)} " not in line:
            return None
        line = line.replace(f" {' '.join(option)} ", "  ", 1)
    return line


_MARKED = re.compile(r"[✓✔✅☑❌✗✘✖✕👍👎👉🎯➡→←⭐*]")


# --- what is picked in so many words ----------------------------------------------------------------------------------


def _sure(reply: Reply, whole: Reading) -> Pick | None:
    """Return what is picked in so many words."""
    bare = _bare(reply.text, whole.options.phrases)
    if bare is not None:
        return bare
    pointed = pointed_at(whole.said) if ARROWS.search(reply.text) else None
    if pointed:
        return whole.pick(pointed.options, (pointed.start, pointed.end), "exact")
    for start, end in _zones(reply, whole):
        for stretch in _ends(start, end):
            zone = whole.stretch(*stretch)
            if zone.mentions:
                picked = stated(zone) or (only(zone) if stretch == reply.declared else None)
                if picked:
                    return picked
    return None


def _bare(text: str, phrases: Sequence[list[str]]) -> Pick | None:
    """Return the pick of a text that is an option's words, its number or both, whatever else the option's words may mean.

    >>> _bare("The answer is 3.", [["red"], ["third"], ["blue"]]), _bare("third", [["red"], ["third"], ["blue"]])
    (Pick(options=(3,), reason='exact', span=(14, 15)), Pick(options=(2,), reason='exact', span=(0, 5)))
    >>> _bare("1984", [["1984"], ["1985"]]), _bare("2. Blue", [["red"], ["blue"]])
    (Pick(options=(1,), reason='exact', span=(0, 4)), Pick(options=(2,), reason='exact', span=(0, 7)))
    """
    number = _BARE_NUMBER.fullmatch(text)
    words = phrase(number["number"] if number else text) if len(text) < _BARE_LENGTH else []
    labelled = number is not None and number["kind"] is not None  # "Option 3", also where an option is called "3"
    same = [n for n, own in enumerate(phrases, 1) if words and not labelled and own == words]
    if len(same) == 1:
        span = number.span("number") if number else (0, len(text))
        return Pick((same[0],), "exact", span)
    if number is None:
        return _entry(text, phrases) if words and not same else None
    if same or not 1 <= int(number["number"]) <= len(phrases):
        return None
    return Pick((int(number["number"]),), "exact", number.span("number"))


def _entry(text: str, phrases: Sequence[list[str]]) -> Pick | None:
    """Return the pick of a text that is one entry of the list of options: its number and its words."""
    entry = _ENTRY.match(text)
    number = int(entry["number"]) if entry else 0
    if entry is None or not 1 <= number <= len(phrases) or phrase(text[entry.end() :]) != phrases[number - 1]:
        return None
    return Pick((number,), "exact", (entry.start("number"), len(text)))


_LEADING_TO = r"\W*(?:(?:the |my )?(?:(?:correct|right|final|best) )?"
_BARE_NUMBER = re.compile(
    rf"{_LEADING_TO}(?:answer|(?P<kind>option|choice))(?: is)?\W*)?(?P<number>\d{{1,4}})\W*", re.IGNORECASE
)
_ENTRY = re.compile(
    rf"{_LEADING_TO}(?:answer|option|choice)(?: is)?\W*)?(?:(?:option|choice)\W*)?(?P<number>\d{{1,2}})[.):\]]+\W*(?=\w)",
    re.IGNORECASE,
)
_BARE_LENGTH = 200


def _ends(start: int, end: int) -> Iterator[Span]:
    """Yield a stretch of text, or of a very long one its end and its beginning."""
    if end - start <= 2 * LONG:
        yield start, end
    else:
        yield end - LONG, end
        yield start, start + LONG


_CALLED_CORRECT = re.compile(r"\b(?:correct|right|true|accurate)\s+\w+[^\w]*(?:\w+\W*){0,3}\Z", re.IGNORECASE)
_LEADING_IN = 60
"""So many characters before what is declared say what it is called."""


def _zones(reply: Reply, whole: Reading) -> Iterator[Span]:
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
