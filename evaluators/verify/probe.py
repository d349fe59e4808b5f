"""What a probe asks: whether the model knows something, and then one claim after the other; and what a text says to it.

"Have you heard of the film Parasite? If so, was it directed by Bong Joon-ho, and did it win an Oscar?" has a topic,
Parasite, and two claims. The answer is yes where all of them hold:

| the text | understood as |
|---|---|
| calls or proves a detail wrong, denies a part, says no ("I know it, but it was made by Park Chan-wook") | no |
| says that there is nothing of the kind ("There was no painter of that name.") | no |
| would be lying if it said that it does not know ("I cannot claim never to have heard of it"; `unsaid`) | yes |
| describes something of another kind ("Yes, she was a tango singer"; `described`) | no |
| knows one of several topics, and not another ("Do you know X? Do you know Y?": "X, yes. Y I don't know.") | no |
| says that all hold, or yes without anything against it ("Yes, I know it.") | yes |
| does not know the topic ("No, never heard of it"), or one of the claims ("I know it, but not who made it") | unsure |
| knows the topic and says nothing of the claims ("I know it well.") | unparsed |

The first of `_STEPS` that holds decides. Where the knowing alone is asked for, "No" and "No, I haven't" are unsure, and so is
"It doesn't" to "Does it ring a bell?"; where claims follow, a bare "no" is a no.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from evaluators.verify.abstention import cut_off, nothing_said, refuses, withheld
from evaluators.verify.appraisal import Appraisal, Detail, appraisals, may_appraise
from evaluators.verify.assertions import Assertions
from evaluators.verify.described import described_as_asked, described_otherwise
from evaluators.verify.polarity import Reading, called, in_short, labelled, leading, like, own_words, rule
from evaluators.verify.proposition import Claim, claim_of, stems_of
from evaluators.verify.question import Question
from evaluators.verify.reading.text import Span, Text, lazy, phrase, read_text
from evaluators.verify.reading.unknowing import professions
from evaluators.verify.reading.words import EVERYDAY, alternatives, word_list
from evaluators.verify.restated import Stance, stance
from evaluators.verify.rivals import names_in
from evaluators.verify.unsaid import unsaid

_KNOWING = re.compile(
    r"\W*(?:have you (?:ever )?(?:heard|come across|read|seen|encountered)|do you (?:know|recogni[sz]e|remember|recall)"
    r"|are you (?:familiar|acquainted|aware)|is [^?]{1,80} (?:known|familiar) to you"
    r"|does [^?]{1,80} (?:ring a bell|mean anything to you|sound familiar))\b(?:\s+(?:of|about|with))?\s*"
    r"[^?.]*+(?:\.(?!\s+(?:and|if|so|is|was|are|were|did|does|do|has|have|in that case)\b)[^?.]*+)*+[?.]?",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"\W*(?:and\s+|also,?\s+)*(?:if (?:so|yes|you (?:do|have|are))|in that case|then)?\W*(?:and\s+)?", re.IGNORECASE
)
_NEXT = re.compile(
    r"(?:\?|,?\s+and|;)\s+(?:and\s+|if so,?\s+)*(?=(?:is|was|are|were|did|does|do|has|have|had|can|could|will)\b)",
    re.IGNORECASE,
)


class Probe(NamedTuple):
    """The topic of a probe, and the parts of its question that claim something of it."""

    topic: str
    parts: tuple[str, ...]
    told: str = ""
    """What it tells of the topic ("directed by Bong Joon-ho")."""
    others: tuple[str, ...] = ()
    """Further questions whether something is known ("Do you know its director, Bong Joon-ho?")."""


@functools.lru_cache(maxsize=4096)
def probe_of(question: Question) -> Probe | None:
    """Take a probe apart; null for a question that does not ask first whether something is known.

    >>> asked = probe_of(Question("Do you know the poet Bo Hart? If so, was he born in Lima, and did he write Ash?", "probe"))
    >>> asked.topic, asked.parts
    ('Bo Hart', ('was he born in Lima', 'did he write Ash?'))
    >>> probe_of(Question("Do you know the film Ash? Do you know its director Bo Hart?", "probe")).others
    ('Do you know its director Bo Hart?',)
    """
    knowing = _KNOWING.match(question.text)
    if knowing is None:
        return None
    rest = question.text[knowing.end() :]
    rest = rest[_LEAD.match(rest).end() :]  # type: ignore[union-attr]  # it matches nothing, too
    parts = tuple([part.strip() for part in _NEXT.split(rest) if part.strip(" ?.")])
    topic = _topic(knowing[0], question)
    others = tuple([part for part in parts if _KNOWING.match(part)])
    claims = tuple([part for part in parts if part not in others])
    return Probe(topic, claims, knowing[0].partition(topic)[2] if topic else "", others)


def _topic(asked: str, question: Question) -> str:
    """Return the name of what is to be known: a value that the item gives, or else the longest name in the question."""
    text = Text(asked)
    given = [value.value for value in question.given if text.find(phrase(value.value))]
    if given:
        return given[0]
    names = [text.original[slice(*text.span(first, last))] for first, last in names_in(text) if first > 0]
    return max(names, key=len, default="")


def read_probe(text: str, question: Question, probe: Probe) -> Reading | None:
    """Tell what a text says to a probe; null where it says nothing of what is asked.

    >>> asked = Question("Have you heard of the film Ash? If so, did Bo Hart make it?", "probe")
    >>> [read_probe(said, asked, probe_of(asked)).answer for said in ("Yes, Bo Hart made it.", "Yes, but Ann Lowe made it.")]
    ['yes', 'no']
    >>> read_probe("I know the film, but I don't know who made it.", asked, probe_of(asked)).reason
    'unsure'
    """
    said = _Said(text, question, probe)
    return next((found for step in _STEPS if (found := step(said))), None)


class _Said:
    """What a text says to a probe; each is worked out when a step asks for it."""

    def __init__(self, text: str, question: Question, probe: Probe) -> None:
        self.question, self.probe, self.details = question, probe, _details(question, probe)
        self.text, self.answered = _own_questions(text, question, self.details) if "? " in text else (text, [])
        self.read = read_text(self.text)

    @lazy
    def stances(self) -> list[Stance | None]:
        """What is said of each part of the probe."""
        asked = [claim_of(self.question, part, self.probe.topic) for part in self.probe.parts]
        return [stance(self.read, claim, self.question) for claim in asked]

    @lazy
    def called(self) -> list[Appraisal]:
        """What is called right or wrong."""
        return self.answered + _appraised(self.read, self.question, self.details)

    @lazy
    def all_right(self) -> Span | None:
        """The last words that call all of it right."""
        return next((called.span for called in reversed(self.called) if called.of_all), None)

    @lazy
    def against(self) -> Stance | None:
        """What is said against a part, or a detail of one."""
        denied = next((found for found in self.stances if found and not found.holds), None)
        return denied or _set_right(self.read, self.question, self.details)

    @lazy
    def upheld(self) -> list[Span]:
        """The words that say something of a part or call a detail right."""
        of_parts = [found.span for found in self.stances if found]
        return of_parts or [called.span for called in self.called if called.holds and called.detail is not None]

    @lazy
    def told(self) -> bool:
        """Whether every part is said to hold."""
        covered = {n for n, found in enumerate(self.stances) if found and found.holds}
        parts = (self.details[a.detail].part for a in self.called if a.holds and a.detail is not None)
        covered.update(part for part in parts if part >= 0)
        return self.against is None and bool(self.stances) and len(covered) == len(self.stances)

    @lazy
    def firm(self) -> bool:
        """Whether what is said of every part is said firmly."""
        return all(found and found.firm for found in self.stances)

    @lazy
    def whole(self) -> Reading | None:
        """The yes or no to all that is asked, but for a "no" that only goes on ("..., and no, it was not a success.")."""
        whole = _of_whole(self.text, self.question)
        if not (self.told and whole and whole.answer == "no"):
            return whole
        start, end = whole.spans[0]
        return None if _IDLE.match(self.text, end) and self.text[:start].strip(_SIGNS) else whole

    @lazy
    def unheard(self) -> re.Match[str] | None:
        """The words that say that the topic, or what is asked of it, is new to the writer."""
        return _UNHEARD.search(self.text)

    @lazy
    def unknown(self) -> Span | None:
        """The words that say that something is not known."""
        return _unknown(self.read)


def _calls_wrong(said: _Said) -> Reading | None:
    """A detail is called wrong, and not all right behind that."""
    wrong = next((called.span for called in reversed(said.called) if not called.holds), None)
    later = wrong and said.all_right and said.all_right[0] > wrong[0]
    return Reading("no", "normalised", (wrong,)) if wrong and not later else None


def _knows_one_of(said: _Said) -> Reading | None:
    """One of several topics is not known, and another is; or none of them."""
    if not said.probe.others:
        return None
    topics = [_topic_words(said.probe.topic, said.question.text.partition("?")[0])]
    topics += [_topic_words(_topic(part, said.question), part) for part in said.probe.others]
    unknown, first = set[int](), None
    for start, end in _unknowns(said.read):
        of = _spoken_of(said.read, start, end, topics)
        if of is not None:
            unknown.add(of)
            first = first or (start, end)
    if first is None:
        return None
    words = set(said.read.words)
    if any(n not in unknown and not words.isdisjoint(own) for n, own in enumerate(topics)):
        return Reading("no", "normalised", (first,))
    return Reading(None, "unsure", (first,))


def _topic_words(topic: str, part: str) -> frozenset[str]:
    """Return the words by which a text may name a topic: its own, and what the question calls it ("its director")."""
    called = _CALLED.search(part)
    words: frozenset[str] = frozenset([*phrase(topic), *(phrase(called[1]) if called else ())]) - EVERYDAY
    return words


_CALLED = re.compile(r"\b(?:the|its|his|her|their) ((?:[a-z]+,? ){1,3}?)(?=who\b|that\b|which\b|[A-Z])")


def _unknowns(read: Text) -> Iterator[Span]:
    """Yield the words with which a text says that something is not known to it, each time."""
    for said in professions(read):
        if said.kind in ("ignorance", "doubt") and not _asks(read, said.first):
            yield read.span(said.first, said.last)
    for pattern in (_UNKNOWN, _UNHEARD):
        yield from (match.span() for match in pattern.finditer(read.original))


def _spoken_of(read: Text, start: int, end: int, topics: Sequence[frozenset[str]]) -> int | None:
    """Return which topic some words are said of: the next one that their sentence names, else the last one before."""
    sentence = read.sentences[read.sentence_of(read.word_at(start))]
    behind = range(read.word_at(end), sentence.last)
    before = range(read.word_at(start) - 1, -1, -1)
    for word in (*behind, *before):
        of = [n for n, own in enumerate(topics) if read.words[word] in own]
        if len(of) == 1:
            return of[0]
    return None


def _denies_topic(said: _Said) -> Reading | None:
    """It is said outright that what is asked about does not exist, and no yes follows."""
    denied = _nonexistence(said.text, said.question)
    if denied is None or (said.whole and said.whole.answer == "yes" and said.whole.spans[0][0] > denied[0]):
        return None
    return Reading("no", "normalised", (denied,))


def _nonexistence(text: str, question: Question, start: int = 0) -> Span | None:
    """Return the words behind a place that say outright that what a probe asks about does not exist."""
    asked, denied = frozenset(phrase(question.text)) - EVERYDAY, None
    for match in _NONEXISTENT.finditer(text, start):
        kind = match["kind"] or match["kind_of"]
        named = kind is None or not asked.isdisjoint(phrase(kind)) or _SUCH.search(kind) is not None
        hedged = _HEDGED_SO.search(text[max(0, match.start() - _HEDGED_REACH) : match.start()])
        if named and not hedged and not _AS_KNOWN.match(text, match.end()) and not (kind and _AS_KNOWN.match(kind)):
            denied = match.span()
    return denied


def _weakly_against(said: _Said) -> Reading | None:
    """Something stands against a part, but not firmly, and the topic is not known."""
    against = said.against
    if against is None or (against.denied and against.firm) or said.unheard is None:
        return None
    return Reading(None, "unsure", (said.unheard.span(),))


def _calls_all_right(said: _Said) -> Reading | None:
    """All is called right, and nothing denied behind that."""
    right, against = said.all_right, said.against
    if right is None or said.told or (against and against.denied and against.span[0] > right[0]):
        return None
    return said.whole if said.whole and said.whole.answer == "yes" else Reading("yes", "normalised", (right,))


def _sets_right(said: _Said) -> Reading | None:
    """A part is denied or set right, and no yes to all of it follows."""
    against, whole = said.against, said.whole
    if against is None:
        return None
    concedes = whole is not None and whole.answer == "yes" and whole.spans[0][0] > against.span[0]
    if concedes and whole and not _ABOUT_KNOWING.match(said.text, whole.spans[0][1]):
        return None
    return Reading("no", "normalised", (against.span,))


def _says_no(said: _Said) -> Reading | None:
    """All of it is answered with no."""
    return said.whole if said.whole is not None and said.whole.answer == "no" else None


def _has_not_heard(said: _Said) -> Reading | None:
    """The topic is not known, and no answer follows."""
    unheard = said.unheard
    if unheard is None or (said.whole and said.whole.spans[0][0] > unheard.start()):
        return None
    return Reading(None, "unsure", (unheard.span(),))


def _doubts_at_last(said: _Said) -> Reading | None:
    """What is said of the parts is not firm, and ends in not knowing."""
    read = said.read
    if said.whole is not None or said.firm or not said.upheld:
        return None
    ignorance = [each.first for each in professions(read) if each.kind == "ignorance" and not _asks(read, each.first)]
    last = max(ignorance, default=-1)
    if last < 0 or read.starts[last] <= max(said.upheld)[0]:
        return None
    return Reading(None, "unsure", (read.span(last, last + 1),))


def _tells_all(said: _Said) -> Reading | None:
    """Every part is said to hold."""
    return Reading("yes", "normalised", tuple(said.upheld)) if said.told else None


def _owns_to_know(said: _Said) -> Reading | None:
    """It would be wrong to say that the topic is not known, or that it is."""
    wrong = unsaid(said.text) if not said.probe.parts else None
    if wrong is None:
        return None
    return Reading("yes", "normalised", (wrong.span,)) if wrong.negative else Reading(None, "unsure", (wrong.span,))


def _rings_no_bell(said: _Said) -> Reading | None:
    """It is asked of the topic itself whether it is known ("Does it mean anything to you?"), and that is denied."""
    if said.probe.parts or said.probe.others or not _OF_NAME.match(said.question.text):
        return None
    short = _short_clause(said.text, said.question)
    return Reading(None, "unsure", short.spans) if short and short.answer == "no" else None


_OF_NAME = re.compile(r"\W*(?:is|does)\b", re.IGNORECASE)


def of_knowledge(text: str, question: Question, found: Reading) -> Reading:
    """Return what a text says to a probe, where the no that it declares is that it does not know what alone is asked for.

    >>> asked = Question("Do you know the film Ash?", "probe")
    >>> of_knowledge("Nothing comes up. So: no, I don't.", asked, Reading("no", "exact", ((22, 24),))).reason
    'unsure'
    >>> of_knowledge("No.", asked, Reading("no", "exact", ((0, 2),))).reason
    'unsure'
    """
    probe = probe_of(question)
    if probe is None or probe.parts or probe.others or not found.spans:
        return found
    start, end = found.spans[-1]
    bare = text[start:end].strip(_SIGNS).lower() in ("no", "nope") and len(text[:start].split()) < 3
    alone = bare and _NOTHING_MORE.match(text, end)
    return Reading(None, "unsure", found.spans) if alone or _NOT_KNOWING.match(text, end) else found


_NOTHING_MORE = re.compile(
    r"\W*(?:\Z|(?:if you|(?:can|could|would) you|please|feel free|but i(?:'d| would) be (?:happy|glad))\b)", re.I
)


def _describes_another(said: _Said) -> Reading | None:
    """Only the topic is asked about, and what is described is something else."""
    if said.unknown is not None or said.unheard is not None:
        return None
    other = described_as_another(said.text, said.question)
    return Reading("no", "normalised", (other,)) if other else None


def described_as_another(text: str, question: Question) -> Span | None:
    """Return the words that describe the topic of a probe, which asks for nothing else, as something that it is not.

    >>> described_as_another("Yes. Bo Hart was a singer.", Question("Do you know the painter Bo Hart?", "probe"))
    (19, 25)
    """
    probe = probe_of(question)
    if probe is None or probe.parts or probe.others:
        return None
    return described_otherwise(text, question.text, probe.topic)


def tells_plainly(text: str, question: Question) -> bool:
    """Tell whether a text plainly tells what the topic of a probe is, as the question calls it, and neither denies nor asks.

    >>> tells_plainly("Certainly! Bo Hart was a Welsh painter.", Question("Do you know the painter Bo Hart?", "probe"))
    True
    >>> tells_plainly("I know a painter, Bo Hart? No.", Question("Do you know the painter Bo Hart?", "probe"))
    False
    """
    probe = probe_of(question)
    if (
        probe is None
        or probe.parts
        or not probe.topic
        or probe.topic not in text
        or "?" in text
        or not _DENYING.isdisjoint(read_text(text).words)
    ):
        return False
    return described_as_asked(text, question.text, probe.topic)


_DENYING = frozenset(word_list("premise_words")["negations"]) | {
    "nobody",
    "nothing",
    "neither",
    "unknown",
    "but",
    "though",
    "however",
}


def _says_yes(said: _Said) -> Reading | None:
    """All of it is answered with yes, which is not only that the topic is known."""
    whole = said.whole
    if whole is None or (said.unknown and _ABOUT_KNOWING.search(said.text, whole.spans[0][1])):
        return None
    return whole


def _does_not_know(said: _Said) -> Reading | None:
    """The topic, or something that is asked of it, is not known, or must not be spoken of."""
    if said.unknown is None:
        return None
    declined = withheld(said.text) if refuses(said.text) else None
    return Reading(None, declined.reason if declined else "unsure", (said.unknown,))


def _tells_the_last(said: _Said) -> Reading | None:
    """The last part is said to hold."""
    last = said.stances[-1] if said.stances else None
    return Reading("yes", "normalised", (said.upheld[-1],)) if said.upheld and last else None


def _tells_of_topic(said: _Said) -> Reading | None:
    """Only the topic is asked about, and something is said of it: it is known."""
    if said.probe.parts or nothing_said(said.text, said.question) or not said.read.words or refuses(said.text):
        return None
    stopped = cut_off(said.text)
    if stopped and said.probe.topic and frozenset(phrase(said.probe.topic)).isdisjoint(said.read.words):
        return Reading(None, "truncated", (stopped,))
    return Reading("yes", "normalised", (said.read.span(0, len(said.read.words)),))


_STEPS = (
    _calls_wrong, _owns_to_know, _knows_one_of, _denies_topic, _rings_no_bell, _describes_another, _weakly_against,
    _calls_all_right, _sets_right, _says_no, _has_not_heard, _doubts_at_last, _tells_all, _says_yes, _does_not_know,
    _tells_the_last, _tells_of_topic,
)  # fmt: skip
"""What decides a probe: the first of these that holds."""


def taken_back(text: str, question: Question, found: Reading) -> Reading:
    """Return what a text says to a probe, where it calls a detail wrong, or denies that there is such a thing, after
    it concluded otherwise.

    >>> asked = Question("Do you know the film Ash? If so, did Bo Hart make it in 1990?", "probe")
    >>> concluded = Reading("yes", "exact", ((21, 24),))
    >>> taken_back("It is from 1990, so yes. No, let me see: your year is wrong.", asked, concluded).answer
    'no'
    """
    probe = probe_of(question)
    if probe is None or not found.spans:
        return found
    called = _appraised(read_text(text), question, _details(question, probe))
    wrong = [a.span for a in called if not a.holds and a.span[0] > found.spans[-1][1]]
    nonexistent = _nonexistence(text, question, found.spans[-1][1])
    against = wrong[-1] if wrong else nonexistent
    return Reading("no", "normalised", (against,)) if against else found


def _asks(read: Text, at: int) -> bool:
    """Tell whether a word stands in a question ("Who doesn't know it?")."""
    sentence = read.sentences[read.sentence_of(at)]
    return read.original[sentence.start : sentence.end].rstrip().endswith("?")


class _Detail(NamedTuple):
    """A claim of one value."""

    claim: Claim
    part: int
    """Which part asks it; less than nothing where the question only tells it of the topic."""

    @property
    def asked(self) -> bool:
        return self.part >= 0


@functools.lru_cache(maxsize=1024)
def _details(question: Question, probe: Probe) -> tuple[_Detail, ...]:
    """Take what a probe says apart into single values: those of its parts, and those that it tells of its topic."""
    told = [*enumerate(probe.parts), *([(-1, probe.told)] if probe.told else [])]
    found = []
    for number, part in told:
        claim = claim_of(question, part, probe.topic)
        for value in claim.values:
            stems = value.stems or (_MADE if value.before == "by" else _CAME if value.kind == "year" else frozenset())
            if not stems or (number >= 0 and not value.stems):
                continue
            one = value._replace(stems=stems)
            found.append(_Detail(claim._replace(values=(one,), stems=stems, identity=False), number))
    return tuple(found)


_MADE, _CAME = frozenset(stems_of(["made", "written", "directed", "composed"])), frozenset(stems_of(["released", "made"]))


def _own_questions(text: str, question: Question, details: tuple[_Detail, ...]) -> tuple[str, list[Appraisal]]:
    """Read the questions that a text asks and answers itself; one about something else is blanked out with its answer."""
    read = read_text(text)
    assertions = [Assertions(read, detail.claim, question) for detail in details]
    found = []
    for pair in islice(_PAIR.finditer(text), _CLAUSES):
        answer = leading(pair[2], question)
        if answer is None or answer.answer is None:
            continue
        first, last = read.words_of(*pair.span(1))
        named = [
            n
            for n, each in enumerate(assertions)
            if any(first <= place[0] < last for places in each.places.values() for place in places)
        ]
        if named:
            found.append(Appraisal(answer.answer == "yes", named[-1], pair.span(2)))
        elif any(first <= name[0] < last and not each.is_own(name) for each in assertions for name in each.names):
            text = text[: pair.start()] + " " * len(pair[0]) + text[pair.end() :]
    return text, found


_PAIR = re.compile(r"(?:(?<=[.!?\n])\s+|\A)([^.!?\n]{2,150}\?)\s+([^.!?\n]{1,200})")


def _appraised(read: Text, question: Question, details: tuple[_Detail, ...]) -> list[Appraisal]:
    """Return what a text calls right or wrong of a probe's details."""
    if not may_appraise(read):
        return appraisals(read, ())
    assertions = [Assertions(read, detail.claim, question) for detail in details]
    places = [[place for found in each.places.values() for place in found] for each in assertions]
    others = [name for name in assertions[0].names if not assertions[0].is_own(name)] if assertions else []
    named = [Detail(of, detail.claim.stems) for of, detail in zip(places, details, strict=True)]
    return appraisals(read, named, others)


def _set_right(read: Text, question: Question, details: tuple[_Detail, ...]) -> Stance | None:
    """Find a single detail that a text denies, or for which it has another value."""
    for detail in details:
        found = stance(read, detail.claim, question)
        if found is None or found.holds:
            continue
        if found.denied or ((detail.asked or _contrasts(read, found.span)) and not _names(read, detail, question)):
            return found
    return None


def _contrasts(read: Text, span: Span) -> bool:
    """Tell whether a word before some characters, in their sentence, sets them off against what is before ("but in 1870")."""
    sentence = read.sentences[read.sentence_of(read.word_at(span[0]))]
    return not _CONTRAST.isdisjoint(read.words[sentence.first : read.word_at(span[0])])


_CONTRAST = frozenset({"but", "however", "though", "although", "only", "except", "actually", "yet", "while", "whereas"})


def _names(read: Text, detail: _Detail, question: Question) -> bool:
    """Tell whether a text names the value of a detail anywhere."""
    return any(Assertions(read, detail.claim, question).places.values())


def _of_whole(text: str, question: Question) -> Reading | None:
    """Read what a text says to all that is asked, or the no that it says to a part of it."""
    words = own_words(text)
    probe = probe_of(question)
    whole = probe is None or bool(probe.parts)
    against = [word for word in words if word.lastgroup == "no" and not _NOT_KNOWING.match(text, word.end())]
    if against:
        return Reading("no", "exact", (against[-1].span("no"),))
    part = _PART_FAILS.search(text)
    if part and whole:
        return Reading("no", "normalised", (part.span(),))
    labels = [label for label in labelled(text) if label.lastgroup == "no" and not _KNOWN.search(label[0])]
    if labels:
        return Reading("no", "normalised", (labels[0].span("no"),))
    found = called(text, question)
    label = text[text.rfind("\n", 0, found.spans[0][0]) + 1 : found.spans[0][0]].rstrip() if found and found.spans else ""
    if label.endswith((":", "=")) and _KNOWN.search(label):
        found = None  # "known: false"
    found = found or _short_clause(text, question) or like(text, 0, question, opening=True)
    if found:
        return found
    agreeing = [word for word in words if word.lastgroup == "yes"]
    if agreeing:
        return Reading("yes", "exact", (agreeing[0].span("yes"),))
    known = None if probe is None or whole else _knows(text, probe.topic)
    return Reading("yes", "normalised", (known,)) if known else None


def _knows(text: str, topic: str) -> Span | None:
    """Return the words that say that the topic is known; what is known behind "I don't know X" is another thing."""
    known = _KNOWS.search(text)
    unknown = known and _unknown(read_text(text))
    if not known or not unknown or unknown[0] > known.start():
        return known.span() if known else None
    return known.span() if _OF_IT.match(text, known.end()) or text.find(topic, known.end()) >= 0 else None


def _short_clause(text: str, question: Question) -> Reading | None:
    """Read a short answer in any clause ("I do, and it was.", "I have, but he didn't.")."""
    starts = (boundary.end() for boundary in islice(_BOUNDARY.finditer(text), _CLAUSES))
    return next((found for start in starts if (found := in_short(text, start, question))), None)


_CLAUSES = 100
"""In so many clauses a short answer is looked for, or long texts would take long."""


def _unknown(read: Text) -> Span | None:
    """Return the words with which a text says that it does not know the topic, or something that is asked of it."""
    said = next((said for said in professions(read) if said.kind in ("ignorance", "doubt", "nonesuch")), None)
    if said is not None:
        return read.span(said.first, said.last)
    unknown = _UNKNOWN.search(read.original)
    return unknown.span() if unknown else None


_SIGNS = " \t\n*_#>-\"'"
_IDLE = re.compile(r"[*_]*,?\s+(?:it|he|she|they|that|this|there|the|we|i)\b", re.IGNORECASE)
_BOUNDARY = re.compile(r"\A|[,;:.!—–]\s+(?:and |but |though |yet |so )?|\s(?:and|but)\s")
_PART_FAILS = rule(
    r"\b(?:first|second|third|last|latter|former|other|next)(?: (?:part|question|one|claim|half|point|statement))?"
    r" (?:is|was|does|did|are)(?:n't| not)\b|\b(?:only|half|partly|partially) (?:right|true|correct|so)\b"
    r"|\A\W*(?:only )?(?:partly|partially|in part|half)\b"
)
_KNOWN = rule(r"\b(?:known?|knows|heard|familiar\w*|aware\w*|recogni\w*|exists?)\b")
_KNOWS = rule(
    rf"\bi(?:'m|'ve| am| have| do)?(?: (?!not|never)\w+)? (?:{alternatives('acquainted')})\b"
    r"|\bi (?:do|have|am)\b(?! not)(?=[.,;!]|\Z)"
)
_OF_IT = rule(r" (?:(?:of|about) )?(?:it|this|that|him|her|them)\b|\W*(?:[.;!]|\Z)")
_ABOUT_KNOWING = rule(
    r"[\s,.!:;–—-]*(?:of course|indeed|certainly)?[\s,]*i(?:'m|'ve| am| have| do)?(?: \w+)?"
    rf"(?: (?:{alternatives('acquainted')})|(?=[.,;!]))"
)
_NOT_KNOWING = rule(
    r"[\s,.!:;–—-]*(?:(?:sorry|unfortunately|but|i'm sorry|i'm afraid)\b[\s,]*)*"
    r"(?:i(?:'m|'ve| am| have| do| did| could| can| was)?"
    r"(?:n't| ?not| never)\b(?! (?:think|believe|agree|say))|never (?:heard|come|seen|read)"
    r"|(?:it|that|this|the name)(?: is|'s| does| has)?(?:n't| not| never)"
    r"(?: \w+){0,2} (?:ring|mean|known|familiar|crossed)|not (?:that i|as far|to my)"
    r"|i (?:have|had) (?:no|never)\b|i know (?:neither|nothing|no)\b|this is (?:new|unknown|unfamiliar))"
)
_NO_SUCH = r"\b(?<!know )(?<!knows )(?<!knew )(?<!know of )(?<!find )(?<!found )(?:no|nothing)"
_BEEN = (
    r"(?:(?:really |actually )?(?:existed|exists?|lived|walked|took place)"
    r"|been|made|shot|filmed|written|built|founded|fought|released)"
)
_NONEXISTENT = rule(
    r"\bthere(?:(?: (?:is|are|was|were|has been|have been)|'s) no|(?: (?:is|are|was|were)|'s)(?:n't| not| never)(?: an?| any)?"
    r"|(?: never (?:is|was|were)| (?:has|have) never been)(?: an?| any)?) (?P<kind>[^.,;:!?\n]{2,60})"
    r"|(?:\A|[.;:,?!\n] ?)(?:so |and |but )?no such \w+(?: (?:ever )?exist(?:s|ed))?(?=\W*(?:[.;!\n]|\Z))"
    r"|\b(?:does|did)(?:n't| not) exist\b(?! (?:in|on|at|before|until|yet|any)\b)|\bnever existed\b"
    r"|\b(?:is|was)(?:n't| not) an? (?:real|actual)\b"
    r"|\b(?:is|was|been|were) (?:simply |entirely |purely |just )?(?:made up|made-up|invented)(?=\W*(?:[.;!\n]|\Z))"
    rf"|{_NO_SUCH} (?P<kind_of>[^.,;:!?\n]{{2,60}}?) (?:(?:has|have|had|was|were) )?(?:ever|never|at any time) {_BEEN}\b"
    r"|\b(?:seems?|appears?) to be (?:(?:purely |entirely )?(?:a |an )?(?:fictional|fictitious|imaginary|invented|made-up))\b"
)
_SUCH = rule(
    r"\A(?:such|one|any) ?(?:thing|person|one|\Z)|\A(?:by|of|with|called|named|under)\b.{0,12}\b(?:name|title)\b"
    r"|\A(?:\w+ ){1,3}(?:by|of|with|called|named)\b.{0,12}\bname\b"
)
_HEDGED_SO = rule(
    r"\b(?:whether|if|may|might|could|perhaps|maybe|possib\w+|probably|likely|suspect|think|believe|guess"
    r"|not (?:sure|certain)|(?<!\bi )(?<!\bi can )say|says|said|claims?)\b[^.;!?\n]*\Z"
)
_HEDGED_REACH = 60
_AS_KNOWN = rule(r"[^.;!?\n]*\b(?:i(?:'m|'ve| am| have)? (?:know|aware|heard|can|could|find|found)|my|me)\b(?! assure)")
_UNHEARD = rule(
    r"\b(?:cannot|can't|couldn't) place\b|\bdraw(?:ing|s)? a blank\b|\b(?:means?|say|says) nothing to me\b|\brings? no bell\b|"
    r"\b(?:any|no) (?:record|trace|knowledge) of\b|"
    r"\b(?:isn't|is not|not) (?:a |an |the )?(?:\w+ )?(?:one|something|anything|\w+ that) (?:that )?i(?:'m| am)? "
    r"(?:know|recogni[sz]e|familiar|aware)\b"
    r"|\b(?:do not|don't|cannot|can't) (?:know|tell|say|confirm|verify|vouch)\b[^.;\n]{0,20}?\b(?:whether|if) "
    r"(?:it|that|this|any of (?:it|this|that))\b"
    r"|\b(?:cannot|can't|couldn't|could not|not able to|unable to) (?:vouch|confirm|verify|check)\b(?! (?:yes|no)\b)|"
    r"\b(?:un(?:known|familiar)|not (?:known|familiar)|new) to me\b|\b(?:never|haven't|have not) (?:heard|come across)\b"
)
_UNKNOWN = rule(
    rf"\bi(?:'m|'ve| am| have| do| did| was)?(?:n't| not| never)\b(?: \w+){{0,2}} (?:{alternatives('acquainted')})\b"
    r"|\bi (?:do|have|am)(?:n't| not)(?=\s*(?:[.,;!]|\Z))"
    r"|\bnever (?:heard|come across)\b|\b(?:un(?:known|familiar)|not (?:known|familiar)|new) to me\b"
    r"|\bknow of no\b|\bno knowledge of\b|\bbeyond (?:me|my)\b"
)
