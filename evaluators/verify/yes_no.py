"""The judge of yes-no questions and of probes, by rules.

What a text says is decided by the first of these that holds:

| the text | understood as |
|---|---|
| is blank | empty |
| declares or concludes its answer, or takes one back (`conclusion`) | the last such |
| says yes or no in words (`polarity`) | that one |
| restates or denies what the question claims, or gives something else in its place (`restated`) | yes or no, by the question |
| says that it does not know ("I cannot determine", "no information") | unsure |
| declines ("I can't help with that") | refused |
| is anything else | unparsed |

A form to fill in ("Yes or No:") and an offer of help ("Yes, I can help") are no answers. A probe is read part by part
(`probe`). Explanations are judged by `rationale`.
"""

from __future__ import annotations

import functools
import re

from evaluators.verify.abstention import begun, nothing_said, refuses, unsure
from evaluators.verify.conclusion import AT_ONCE, at_once, final
from evaluators.verify.overturned import idle_opening, overturned
from evaluators.verify.polarity import (
    OFFER,
    Reading,
    anywhere,
    called,
    closing,
    existence,
    hesitant,
    in_short_at_last,
    leading,
    like,
    neither,
    without_form,
)
from evaluators.verify.probe import described_as_another, of_knowledge, probe_of, read_probe, taken_back, tells_plainly
from evaluators.verify.proposition import claim_of
from evaluators.verify.question import Question
from evaluators.verify.rationale import judge_rationale
from evaluators.verify.reading.cued import OpenedPattern, cues
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, Text, read_text
from evaluators.verify.reading.unknowing import professions
from evaluators.verify.reading.words import word_list
from evaluators.verify.restated import stance
from evaluators.verify.rivals import names_in
from evaluators.verify.ruling import Ruling
from evaluators.verify.sense import sense_of
from evaluators.verify.unsaid import unsaid
from queries.records.verdict import Confidence, Outcome, Reason


def read(text: str, question: str = "") -> Reading:
    """Tell what a text says, to a question where that matters ("There is no such film.").

    >>> read("No, he died in Princeton.")
    Reading(answer='no', reason='exact', spans=((0, 2),))
    >>> read("No doubt about it: yes!").answer
    'yes'
    >>> read("I don't know.").reason
    'unsure'
    """
    return understand(Reply(text.replace("’", "'")), Question(question))


def understand(reply: Reply, question: Question) -> Reading:
    """Tell what an answer says to a question.

    >>> understand(Reply.of("<think>No?</think>He did."), Question("Did he?")).answer
    'yes'
    """
    text = reply.text
    brief = at_once(reply) if question.task == "yes_no" else None
    if brief:
        return brief
    text = without_form(text)
    if not text.strip():
        return Reading(None, "unparsed" if reply.text.strip() else "empty")
    found = final(text, reply, question, plain)
    if found and found.answer == "yes" and question.task == "probe" and reply.is_original:
        found = taken_back(text, question, found)
    found = found or plain(text, question)
    if found and found.answer == "no" and question.task == "probe":
        found = of_knowledge(text, question, found)
    if question.task == "probe" and (found is None or found.reason == "unparsed"):
        found = _part_by_part(text) or found
    if found is None and (agreed := _agreed(reply)):
        return agreed
    return found or neither(text)


def _part_by_part(text: str) -> Reading | None:
    """Read a probe that is answered part by part, each by its name ("The steeple, yes. The river, no."): all must be yes."""
    parts = [*_PART.finditer(text)]
    if len(parts) < _PARTS:
        return None
    against = next((part for part in parts if part["side"].lower() == "no"), None)
    return Reading("no" if against else "yes", "normalised", ((against or parts[-1]).span("side"),))


_PART = re.compile(
    r"(?:\A|[.;!?\n,]\s+|\n)(?:(?:and|but) )?(?:the |its |your |as for |part |question )?"
    r"[\w'-]+(?: [\w'-]+){0,3}(?:,|:| [–—-]) ?(?P<side>yes|no)\b(?=\s*(?:[.,;:!–—-]|\Z|\n))",
    re.IGNORECASE,
)
_PARTS = 2


def _agreed(reply: Reply) -> Reading | None:
    """Read the courtesy with which an answer begins as a yes, where nothing else says it ("Of course! From 1970 on.")."""
    if not reply.courtesy or unsure(reply.text) or refuses(reply.text) or begun(reply.text):
        return None
    whole = (0, len(reply.text))
    return Reading("yes", "normalised", (whole,)) if _AGREEING.fullmatch(reply.courtesy) else None


_AGREEING = re.compile(r"\W*(?:of course|certainly|absolutely|sure(?: thing)?|definitely|indeed)\W*", re.IGNORECASE)


def plain(text: str, question: Question) -> Reading | None:
    """Read a text, or a part of it, from its beginning; null where it says neither yes nor no nor that it does not know."""
    if question.task == "probe" and (probe := probe_of(question)) is not None:
        return read_probe(_without_offer(text), question, probe)
    if (held := _held_against(text, question) or _overturned(text, question)) is not None:
        return held
    found = leading(text, question)
    if found is not None and (found.answer != "yes" or not OFFER.match(text)):
        return found
    text = _without_offer(text)
    found = (
        leading(text, question)
        or hesitant(text)
        or closing(text, question)
        or _mentioned(text, question)
        or in_short_at_last(text, question)
    )
    found = found or called(text, question) or _restated(text, question)
    return found or existence(text, question) or like(text, 0, question, opening=True)


def _held_against(text: str, question: Question) -> Reading | None:
    """Read what a text says that it would be wrong to say: the opposite is meant."""
    wrong = unsaid(text) if " to " in text or " if " in text else None
    if wrong is None or not question.text or text[: wrong.start].strip(_BEFORE_LEAD):
        return None
    sense = sense_of(question)
    return Reading(sense.answer(holds=wrong.negative), "normalised", (wrong.span,))


def _overturned(text: str, question: Question) -> Reading | None:
    """Read the yes or no that is meant where the other one is turned round, or what stands behind one that is idle."""
    turned = overturned(text, question)
    if turned:
        return Reading(turned[0], "normalised", (turned[1],))
    start = idle_opening(text)
    if not start:
        return None
    found = plain(text[start:], question)
    return found.moved(start) if found else Reading(None, "unparsed")


_BEFORE_LEAD = " \n.,\"'*"


def _without_offer(text: str) -> str:
    """Blank out a yes that only offers help, so that what follows keeps its place."""
    offer = OFFER.match(text)
    return text if offer is None else " " * offer.end() + text[offer.end() :]


def _mentioned(text: str, question: Question) -> Reading | None:
    """Read a yes or no in the middle, unless the text first denies the claim ("He was not born there. Yes, he came ...")."""
    found = anywhere(text)
    if found is None or found.answer is None or found.spans[0][0] < _BEGINNING:
        return found
    concluded = _concludes(text, found.spans[0][1], question)
    if concluded and concluded.answer != found.answer:
        return concluded
    told = _restated(text[: found.spans[0][0]], question)
    return told.moved(0) if told and told.answer != found.answer and _goes_on(text, found.spans[0]) else found


_BEGINNING = 12


def _concludes(text: str, start: int, question: Question) -> Reading | None:
    """Read what a text concludes of the claim behind its last yes or no ("- 7: no.\n\nSo 91 is prime.")."""
    last = next(reversed([*_SO.finditer(text, start)]), None)
    if last is None or _SENTENCE_GAP.search(text, last.end()):
        return None
    told = _restated(text[last.end() :], question)
    return told and told.moved(last.end())


_SO = re.compile(
    r"(?:\A|(?<=[.!?\n,;] )|(?<=\n))(?:so|therefore|thus|hence|consequently)\b,?\s+(?!far\b|much\b|many\b)", re.IGNORECASE
)
_SENTENCE_GAP = re.compile(r"[.!?\n]\s+\w")


def _goes_on(text: str, span: Span) -> bool:
    """Tell whether a yes or no in the middle only begins a sentence of its own, and another follows."""
    return text[: span[0]].rstrip()[-1:] in ".!" and text[span[1] : span[1] + 1] == ","


def _restated(text: str, question: Question) -> Reading | None:
    """Read what a text says of the question's claim."""
    if not question.text or nothing_said(text, question):
        return None
    found = stance(read_text(text), claim_of(question), question)
    if found and not found.denied and " whether " in text and _is_left_open(text, found.span[1]):
        return None
    return Reading(sense_of(question).answer(holds=found.holds), "normalised", (found.span,)) if found else None


def _is_left_open(text: str, start: int) -> bool:
    """Tell whether a text says behind a place that it does not know whether it is so."""
    read = read_text(text)
    behind = [said for said in professions(read) if said.kind in ("ignorance", "doubt") and read.starts[said.first] > start]
    return any("whether" in read.words[said.first : said.last + _WHETHER_REACH] for said in behind)


_WHETHER_REACH = 4


def judge(reply: Reply, question: Question) -> Ruling:
    """Judge a yes or no, and the explanation where the item has a rationale.

    Where nobody knows (`expected` is null), any yes or no is wrong.

    >>> judge(Reply.of("Yes, he did."), Question("Did he?", expected=("yes",)))[:3]
    ('correct', 'exact', 'yes')
    """
    text = reply.text
    reading = understand(reply, question)
    right = question.expected is not None and reading.answer == question.expected[0]
    outcome, reason, spans = _outcome(text, question, reading, right=right)
    sure = _sure(reply, reading, question)
    if not question.rationale:
        return Ruling(outcome, reason, reading.answer, spans, confidence=sure)
    explained = judge_rationale(reply.read, question, answered=right if reading.answer else None)
    spans = tuple(dict.fromkeys(spans + explained.spans)) if explained.spans else spans
    return Ruling(outcome, reason, reading.answer, spans, explained.hops, explained.contradicted, sure)


def _sure(reply: Reply, reading: Reading, question: Question) -> Confidence | None:
    """Tell whether a reading needs no second opinion: a first yes or no that the rest bears out, or not knowing.

    Of 387 such at first sight two were wrong (`tests/benchmarks/opinion.py` tells first sights).
    """
    if question.task != "yes_no":
        plainly = tells_plainly if reading.answer == "yes" else described_as_another
        return "low" if reading.answer and plainly(reply.text, question) else None
    if reading.answer is None:
        own = '"' not in reply.text and "“" not in reply.text
        return "high" if reading.reason == "unsure" and own and len(reply.text) <= _BRIEF else None
    if _begins_what_is_declared(reply, reading.answer):
        return "low"
    if not _CONTRASTS.isdisjoint(reply.read.cues):
        return "low" if len(reply.text) > _AT_LENGTH else None
    if reading is AT_ONCE[reading.answer]:
        return None if _compares_otherwise(reply.text, question.text) else "high"
    first = "yes" if reply.text[:3].lower() == "yes" else "no" if reply.text[:2].lower() == "no" else ""
    if not first or reply.text[len(first) : len(first) + 1] not in _SIGNS:
        return None
    if first != reading.answer:
        return "low"  # it ends otherwise than it begins: which one it stands by, the rules read best
    if reply.turn:
        return None
    if _compares_otherwise(reply.text, question.text):
        return None
    if len(reply.text) > _AT_ONCE or _AGAIN[first].match(reply.text, len(first)):
        return "low"
    return "low" if _OTHER_WAY[first].matches(reply.text, len(first), reply.read.cues) else "high"


def _begins_what_is_declared(reply: Reply, answer: str) -> bool:
    """Tell whether a text that calls another part of it its answer (a field of JSON, a tag) begins that with a yes or no."""
    if reply.text.lower().find(f"{answer},", 1) < 0 or reply.declared is None or reply.declared[0] == 0:
        return False  # most texts have no such word behind their beginning
    said = reply.text[slice(*reply.declared)]
    return said[: len(answer)].lower() == answer and said[len(answer) : len(answer) + 1] == ","


def _compares_otherwise(text: str, question: str) -> bool:
    """Tell whether two are compared, and what follows the yes or no begins with the second ("Yes, Bo was earlier than Ada").

    >>> _compares_otherwise("Yes, that's right, Bo was the earlier one.", "Did Ada Moss win earlier than Bo Hart?")
    True
    """
    if not (" than " in question or " before " in question or " after " in question):
        return False
    names = _compared(question)
    if len(names) < len(("one", "other")):
        return False
    said = next((word for word in read_text(text).words for name in names[:2] if word in name), None)
    return said is not None and said in names[1] and said not in names[0]


@functools.lru_cache(maxsize=4096)
def _compared(question: str) -> list[list[str]]:
    """Return the words of the names in a question that compares."""
    asked = Text(question)
    return [asked.words[first:last] for first, last in names_in(asked) if last > 1]


_OTHER_WAY = {"yes": OpenedPattern(r"\b(?:no\b|yes,)", ["no", "yes"]), "no": OpenedPattern(r"\byes\b", ["yes"])}
_AGAIN = {side: re.compile(rf"\W+{side}\b", re.IGNORECASE) for side in _OTHER_WAY}
"""The other word, or the same again ("Yes, the first did; yes, so did the second; the third ...")."""
_AT_ONCE = 160
"""So many characters at most has a text of which the first yes or no is sure: of 14 longer ones by writers who wished to
mislead three were read wrongly, of 113 shorter ones as many."""
_SIGNS = frozenset(".,;:!\n")
_BRIEF = 200
"""So many characters at most has a text of which nothing but its not knowing is read."""
_CONTRASTS = cues(word_list("contrasts")["words"])
"""Words behind which a first yes or no may be turned round."""
_AT_LENGTH = 240
"""An explanation of more characters speaks of contrasts in its matter; a second opinion on it costs more than it mends."""


def _outcome(text: str, question: Question, reading: Reading, *, right: bool) -> tuple[Outcome, Reason, tuple[Span, ...]]:
    if reading.answer is not None:
        return ("correct", reading.reason, reading.spans) if right else ("incorrect", "wrong", reading.spans)
    if reading.reason == "unsure":
        return "abstained", "unsure", reading.spans
    nothing = nothing_said(text, question) if reading.reason == "unparsed" else None
    return "unscored", nothing or reading.reason, () if nothing else reading.spans
