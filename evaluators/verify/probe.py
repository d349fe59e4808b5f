"""What a probe asks: whether the model knows something, and then one claim after the other; and what a text says to it.

"Have you heard of the film Parasite? If so, was it directed by Bong Joon-ho, and did it win an Oscar?" has a topic,
Parasite, and two claims. The answer is yes where all of them hold:

| the text | understood as |
|---|---|
| denies a claim, gives another value for it, or says no to it ("I know it, but it was made by Park Chan-wook") | no |
| says that all hold, or yes without anything against it ("Yes, I know it.") | yes |
| does not know the topic ("No, never heard of it"), or one of the claims ("I know it, but not who made it") | unsure |
| knows the topic and says nothing of the claims ("I know it well.") | unparsed |

A bare "no" is a no. Where only the topic is asked about, "I haven't heard of it" is unsure too, and "No, I haven't" is a no.
"""

from __future__ import annotations

import functools
import re
from itertools import islice
from typing import NamedTuple

from evaluators.verify.abstention import nothing_said, refuses
from evaluators.verify.appraisal import Appraisal, Detail, appraisals, may_appraise
from evaluators.verify.assertions import Assertions
from evaluators.verify.polarity import Reading, called, in_short, labelled, leading, like, own_words, rule
from evaluators.verify.proposition import Claim, claim_of, stems_of
from evaluators.verify.question import Question
from evaluators.verify.reading.text import Span, Text, phrase, read_text
from evaluators.verify.reading.unknowing import professions
from evaluators.verify.reading.words import alternatives
from evaluators.verify.restated import Stance, stance
from evaluators.verify.rivals import names_in

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


@functools.lru_cache(maxsize=4096)
def probe_of(question: Question) -> Probe | None:
    """Take a probe apart; null for a question that does not ask first whether something is known.

    >>> asked = probe_of(Question("Do you know the poet Bo Hart? If so, was he born in Lima, and did he write Ash?", "probe"))
    >>> asked.topic, asked.parts
    ('Bo Hart', ('was he born in Lima', 'did he write Ash?'))
    """
    knowing = _KNOWING.match(question.text)
    if knowing is None:
        return None
    rest = question.text[knowing.end() :]
    rest = rest[_LEAD.match(rest).end() :]  # type: ignore[union-attr]  # it matches nothing, too
    parts = tuple([part.strip() for part in _NEXT.split(rest) if part.strip(" ?.")])
    topic = _topic(knowing[0], question)
    return Probe(topic, parts, knowing[0].partition(topic)[2] if topic else "")


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
    details = _details(question, probe)
    text, answered = _own_questions(text, question, details) if "? " in text else (text, [])
    read = read_text(text)
    asked = [claim_of(question, part, probe.topic) for part in probe.parts]
    stances = [stance(read, claim, question) for claim in asked]
    called = answered + _appraised(read, question, details)
    wrong, right = [a for a in called if not a.holds], [a for a in called if a.of_all]
    against = next((found for found in stances if found and not found.holds), None) or _set_right(read, question, details)
    if wrong and not (right and right[-1].span[0] > wrong[-1].span[0]):
        return Reading("no", "normalised", (wrong[-1].span,))
    if against is not None and not (against.denied and against.firm) and (unheard := _UNHEARD.search(text)):
        return Reading(None, "unsure", (unheard.span(),))
    covered = {n for n, found in enumerate(stances) if found and found.holds}
    covered |= {details[a.detail].part for a in called if a.holds and a.detail is not None and details[a.detail].part >= 0}
    told = against is None and bool(stances) and len(covered) == len(stances)
    whole = _of_whole(text, question)
    if (
        told
        and whole
        and whole.answer == "no"
        and _IDLE.match(text, whole.spans[0][1])
        and text[: whole.spans[0][0]].strip(_SIGNS)
    ):
        whole = None  # "..., and no, it was not a success."
    if right and not told and not (against and against.denied and against.span[0] > right[-1].span[0]):
        return whole if whole and whole.answer == "yes" else Reading("yes", "normalised", (right[-1].span,))
    concedes = whole and whole.answer == "yes" and whole.spans[0][0] > against.span[0] if against else None
    if against is not None and not (concedes and whole and not _ABOUT_KNOWING.match(text, whole.spans[0][1])):
        return Reading("no", "normalised", (against.span,))
    if whole is not None and whole.answer == "no":
        return whole
    said = [found.span for found in stances if found] or [a.span for a in called if a.holds and a.detail is not None]
    unheard = _UNHEARD.search(text)
    firm = all(found and found.firm for found in stances)
    later = firm and said and unheard and max(said)[0] > unheard.start() and not _OF_TOPIC.match(text, unheard.end())
    if unheard and not later and not (whole and whole.spans[0][0] > unheard.start()):
        return Reading(None, "unsure", (unheard.span(),))
    last = max(
        (said.first for said in professions(read) if said.kind == "ignorance" and not _asks(read, said.first)), default=-1
    )
    if whole is None and not firm and said and last >= 0 and read.starts[last] > max(said)[0]:
        return Reading(None, "unsure", (read.span(last, last + 1),))
    if told:
        return Reading("yes", "normalised", tuple(said))
    unknown = _unknown(read)
    if whole is not None and not (unknown and _ABOUT_KNOWING.search(text, whole.spans[0][1])):
        return whole
    if unknown is not None:
        return Reading(None, "unsure", (unknown,))
    if said and stances[-1]:
        return Reading("yes", "normalised", (said[-1],))
    # Who says something of the topic knows it.
    if probe.parts or nothing_said(text, question) or not read.words or refuses(text):
        return None
    return Reading("yes", "normalised", (read.span(0, len(read.words)),))


def taken_back(text: str, question: Question, found: Reading) -> Reading:
    """Return what a text says to a probe, where it calls a detail wrong after it concluded otherwise.

    >>> asked = Question("Do you know the film Ash? If so, did Bo Hart make it in 1990?", "probe")
    >>> concluded = Reading("yes", "exact", ((21, 24),))
    >>> taken_back("It is from 1990, so yes. No, let me see: your year is wrong.", asked, concluded).answer
    'no'
    """
    probe = probe_of(question)
    if probe is None or not found.spans:
        return found
    called = _appraised(read_text(text), question, _details(question, probe))
    wrong = [a for a in called if not a.holds and a.span[0] > found.spans[-1][1]]
    return Reading("no", "normalised", (wrong[-1].span,)) if wrong else found


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
    against = [word for word in words if word.lastgroup == "no" and not (whole and _NOT_KNOWING.match(text, word.end()))]
    if against:
        return Reading("no", "exact", (against[-1].span("no"),))
    part = _PART_FAILS.search(text)
    if part and whole:
        return Reading("no", "normalised", (part.span(),))
    labels = [label for label in labelled(text) if label.lastgroup == "no" and not _KNOWN.search(label[0])]
    if labels:
        return Reading("no", "normalised", (labels[0].span("no"),))
    found = called(text, question) or _short_clause(text, question) or like(text, 0, question, opening=True)
    if found:
        return found
    agreeing = [word for word in words if word.lastgroup == "yes"]
    if agreeing:
        return Reading("yes", "exact", (agreeing[0].span("yes"),))
    known = None if whole else _KNOWS.search(text)
    return Reading("yes", "normalised", (known.span(),)) if known else None


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
    r"|i (?:have|had) (?:no|never)\b|this is (?:new|unknown|unfamiliar))"
)
_OF_TOPIC = rule(r"\W*(?:of |across |about )?(?:it|this|that|him|her|them|the|such|any|a)\b|\W*[.,;]|\W*\Z")
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
    r"|\bnever (?:heard|come across)\b|\b(?:un(?:known|familiar)|not (?:known|familiar)|new) to me\b"
    r"|\bknow of no\b|\bno knowledge of\b|\bbeyond (?:me|my)\b"
)
