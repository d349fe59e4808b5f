"""The judge of free answers to questions that take something for granted (`premise`), by rules.

| reason | the text | where the premise is false | where it is true |
|---|---|---|---|
| `corrected` | says of a true object what the question says of its own, or names it after that one | correct | - |
| `rejected` | denies the premise, calls the question wrong, or puts another in its place | correct | incorrect (`wrong`) |
| `unsure`, `refused` | only says that it does not know, or declines | abstained, unscored | abstained, unscored |
| `misled` | answers as if the premise held | incorrect | correct (`exact`) |
| `unclear`, `truncated` | says nothing that bears on it, or ends before it does | unscored | unscored |

What stands counts: a text that takes back what it said is judged by what follows. A denial of something else ("It wasn't
easy"), a disclaimer, or a true object named beside the question's turns against nothing. One path judges all: a record of the
premise only adds who and what it is about (`premises.matter`), what denies it is found by `premises.rebuttal`, what sets it
right by `premises.place`, and what answers all the same by `premises.answered`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NamedTuple

from evaluators.verify import abstention
from evaluators.verify.premises.answered import answers_after, answers_beside, begins_with_answer, gives_value, misshapen
from evaluators.verify.premises.idle import without_talk
from evaluators.verify.premises.lists import listed, pattern
from evaluators.verify.premises.matter import FUNCTION, Matter, matter_of
from evaluators.verify.premises.place import Places
from evaluators.verify.premises.reading import Reading
from evaluators.verify.premises.rebuttal import Rebuttal
from evaluators.verify.question import Question
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, Text, lazy, phrase
from evaluators.verify.reading.words import EVERYDAY, content_stems
from evaluators.verify.ruling import Ruling, unscored

_FILLERS = listed("fillers")
_TURNING = listed("turning")
_FIRST_PERSON = listed("first_person") | {"me", "my"}
_INSTEAD = pattern("instead")
_CONCEDING = frozenset({"while", "although", "though"})
_SUPPOSING = frozenset({"if", "whether", "when", "why", "how", "where", "which", "who", "what"})
_PERSONS = frozenset({"he", "she", "they"})
_WEIGHED = re.compile(r"^[ ]*(?:\d{1,2}[.)] )?([^:\n]{1,40}):[ ]\S.*$", re.MULTILINE)
_TELLING, _REPORTING = listed("telling"), listed("reporting")
_ECHOING = listed("echoing")
_OPENING, _FEW_WORDS = 4, 6
_SPOKEN_OF, _PLACED, _REACH = frozenset({"he", "she", "it", "its", "they"}), frozenset({"in", "at", "of"}), 3
_SHORT = 3
"""So few words are an answer, not an echo."""
_CUT_OFF = (10, 40)
"""So many words has a text that ends within a sentence before it has answered."""
_UNENDED = 4
"""So many words begin a sentence."""


class Rejection(NamedTuple):
    """What in a text turns against the premise, and whether it names a true object instead."""

    corrects: bool
    spans: tuple[Span, ...]


def judge(reply: Reply, question: Question) -> Ruling:
    """Judge a free answer to a question with a premise.

    >>> einstein = Question("When did Einstein die in Ulm?", "premise", ("reject",))
    >>> judge(Reply.of("He did not die in Ulm."), einstein)[:3]
    ('correct', 'rejected', 'reject')
    >>> judge(Reply.of("In 1955. It wasn't sudden."), einstein)[:3]
    ('incorrect', 'misled', 'accept')
    """
    nothing = abstention.nothing_said(reply.text, question)
    if nothing:
        return unscored(nothing)
    text = without_talk(reply.text, matter_of(question.text, question.premise))
    answer = _Answer(text, question)
    rejection = _after_turn(text[reply.turn :], reply.turn, question) if _takes_back(reply) else answer.plain
    withheld = abstention.withheld(text)
    if withheld and withheld.reason == "refused":
        if rejection is None and answer.only_declines(withheld.spans[0]):
            return withheld
        withheld = None
    if rejection is None:
        unknown = answer.unknown(withheld) if withheld else None
        if unknown:
            return Ruling("abstained", "unsure", None, (unknown,))
        rejection = answer.silent
    if rejection is None and answer.is_echo:
        return unscored("unclear")
    if rejection is None and (abstention.cut_off(text) or answer.is_cut_off):
        return unscored("truncated")
    return _ruling(question, rejection, answer.reading.read)


def _ruling(question: Question, rejection: Rejection | None, read: Text) -> Ruling:
    is_false = question.expected is None or question.expected[:1] == ("reject",)
    if rejection is None:
        whole = (read.span(0, len(read.words)),)
        return Ruling("incorrect", "misled", "accept", whole) if is_false else Ruling("correct", "exact", "accept", whole)
    if not is_false:
        return Ruling("incorrect", "wrong", "reject", rejection.spans)
    return Ruling("correct", "corrected" if rejection.corrects else "rejected", "reject", rejection.spans)


def _takes_back(reply: Reply) -> bool:
    """Tell whether something was said, and then taken back ("1936. Wait, no: ...", but not "No, that's wrong: ...")."""
    return reply.turn > 0 and any(word not in _TURNING for word in phrase(reply.text[: reply.turned[0]]))


def _after_turn(text: str, turn: int, question: Question) -> Rejection | None:
    """Judge what stands after something was taken back: a true object that is named there beside the subject stands for it."""
    if not any(map(str.isalnum, text)):
        return None
    after = _Answer(text, question)
    rejection, reading = after.plain, after.reading
    if rejection is None and reading.truths and reading.subject and not reading.object:
        rejection = Rejection(True, (reading.read.span(*reading.truths[0]),))
    return rejection and Rejection(rejection.corrects, tuple([(a + turn, b + turn) for a, b in rejection.spans]))


class _Answer:
    """A text, beside what its question takes for granted."""

    def __init__(self, text: str, question: Question) -> None:
        self.question = question
        self.matter: Matter = matter_of(question.text, question.premise)
        self.reading = Reading(text, self.matter)
        self.rebuttal = Rebuttal(self.reading)
        self.places = Places(self.reading)

    @lazy
    def plain(self) -> Rejection | None:
        """What plainly turns against the premise."""
        if self.matter.negated:
            return None
        right, upheld = self.places.corrections, self.places.upheld
        denied = self._denied(upheld)
        if denied:
            if not right and denied == self.rebuttal.pointer:  # "You may be thinking of Strauss."
                right = [self.reading.read.span(*place) for place in self.reading.truths]
            return Rejection(bool(right), (denied, *right[:1]))
        if right and (not upheld or _INSTEAD.search(self.reading.read.original)):
            return Rejection(True, (right[0],))
        if upheld:
            return None
        span = self.places.other or (self._gives_no_value and not self._says_together and self.rebuttal.anachronism)
        return Rejection(False, (span,)) if span else None

    def _denied(self, upheld: list[Span]) -> Span | None:
        """Return what denies the premise, or points at the question."""
        rebuttal = self.rebuttal
        answers = self.matter.asked == "yes_no" and self.reading.words[0] in ("yes", "no")
        strong = (
            d.span
            for d in rebuttal.denials
            if d.strong
            and not answers
            and (d.named or not upheld)
            and not self._sorts_out(self.reading.read.word_at(d.span[0]))
        )
        doubt = rebuttal.disbelief
        if doubt and self._sorts_out(self.reading.read.word_at(doubt[0])):
            doubt = None
        doubted = doubt is not None and (not upheld or any(doubt[0] <= start for start, _ in upheld))
        return (
            next(strong, None)
            or (rebuttal.pointer if rebuttal.pointer and not answers_after(self.reading, rebuttal.pointer) else None)
            or rebuttal.concluded
            or rebuttal.predates
            or rebuttal.away
            or rebuttal.different
            or rebuttal.counterfactual
            or (doubt if doubted else None)
            or rebuttal.zero
        )

    @lazy
    def silent(self) -> Rejection | None:
        """What turns against the premise only because nothing in the text answers."""
        if self.places.upheld:
            return None
        valued = self.matter.asked in ("number", "date") and self._has_digits
        if not valued and self.places.named_instead:
            return Rejection(True, (self.places.named_instead,))
        if self.places.follows:
            return Rejection(True, (self.places.follows,))
        if not self._gives_no_value:
            return None
        if self._says_together:
            return None
        span = self._weakly_denied() or self.rebuttal.declined
        if span is None and not (self.matter.recorded and (self._names_object() or not self._is_on_matter())):
            span = misshapen(self.reading, self.rebuttal, self.question.text)
        return Rejection(False, (span,)) if span else None

    @lazy
    def _says_together(self) -> bool:
        """Whether a sentence that denies nothing places the subject in the object ("It is a town in the south of Peru")."""
        reading = self.reading
        for first, _ in reading.object:
            n = reading.clause_at(first).sentence
            sentence = reading.read.sentences[n]
            words = reading.words[sentence.first : first]
            about = reading.inside(reading.subject, sentence.first, first) or not _SPOKEN_OF.isdisjoint(words[:1])
            placed = not _PLACED.isdisjoint(words[-_REACH:])
            said = not any(part.denials for part in reading.parts if part.sentence == n) and not reading.is_attributed(first)
            truth = reading.inside(reading.truths, sentence.first, sentence.last)
            if about and placed and said and not truth and _SUPPOSING.isdisjoint(words):
                return True
        return False

    def _weakly_denied(self) -> Span | None:
        denials = self.rebuttal.denials
        if not denials or self.matter.negated or begins_with_answer(self.reading):
            return None
        if self.matter.recorded and self.matter.asked == "reason" and not denials[0].named:
            return None  # what is not so may be the reason
        start = self.reading.read.word_at(denials[0].span[0])
        if self.matter.recorded and not _REPORTING.isdisjoint(self.reading.words[self.reading.clause_at(start).first : start]):
            return None  # "He wrote that he could not go on."
        counts = denials[0].first or self.matter.asked in ("number", "date") or not self.matter.recorded
        return denials[0].span if counts else None

    @lazy
    def _gives_no_value(self) -> bool:
        return not gives_value(self.reading, self.rebuttal)

    def _names_object(self) -> bool:
        """Tell whether the text names the question's object without denying it."""
        return any(not self.reading.clause_at(first).denials for first, _ in self.reading.object)

    def _is_on_matter(self) -> bool:
        """Tell whether the text has anything to do with the question."""
        reading = self.reading
        told = any(self.matter.tells(word) or word in ("he", "she", "it", "they") for word in reading.words)
        return told or bool(reading.subject or reading.object)

    def only_declines(self, span: Span) -> bool:
        """Tell whether a text that declines does nothing else: "I cannot help with that" denies no premise."""
        return self._speaks(span) or (self._gives_no_value and self.reading.sentence_at(span[0]).first == 0)

    def _speaks(self, span: Span) -> bool:
        """Tell whether the writer speaks of himself in the sentence that holds a character."""
        sentence = self.reading.sentence_at(span[0])
        return not _FIRST_PERSON.isdisjoint(self.reading.words[sentence.first : sentence.last])

    def unknown(self, withheld: Ruling) -> Span | None:
        """Return what says that the answer is not known, where the text does not answer all the same."""
        span = withheld.spans[0]
        if self._answers_after(span) or self._answers_before(span):
            return None
        return None if answers_beside(self.reading, span, impersonal=not self._speaks(span)) else span

    def _answers_after(self, unknown: Span) -> bool:
        """Tell whether what is not known is left behind ("While I'm not sure of the day, he died in Ulm in spring")."""
        reading = self.reading
        sentence = reading.sentence_at(unknown[0])
        conceded = reading.words[sentence.first] in _CONCEDING
        comma = reading.read.original.find(",", unknown[1], sentence.end)
        if conceded and comma >= 0 and any(map(str.isdigit, reading.read.original[comma : sentence.end])):
            return True
        stands = any(
            start >= (unknown[1] if conceded else sentence.end)
            and (start >= sentence.end or 0 <= comma < start)
            and _SUPPOSING.isdisjoint(reading.words[reading.clause_at(reading.read.word_at(start)).first :][:_OPENING])
            for start, _ in self.places.upheld
        )
        return stands and (self.matter.asked not in ("number", "date") or not self._gives_no_value)

    def _answers_before(self, unknown: Span) -> bool:
        """Tell whether an answer stands before, and what is not known is something else ("I could not find its price")."""
        reading = self.reading
        sentence = reading.sentence_at(unknown[0])
        if not sentence.first or self.matter.asked in ("number", "date", "reason") or "\n" in reading.read.original:
            return False
        first = reading.read.sentences[0]
        answered = first.last - first.first <= _FEW_WORDS and any(
            reading.is_other_name(n) or reading.read.original[reading.read.starts[n]] == "*"
            for n in range(first.first, first.last)
        )
        behind = reading.words[reading.read.word_at(unknown[1]) : sentence.last]
        ends = reading.read.original[: first.end].rstrip().endswith(".")
        return answered and ends and any(word not in FUNCTION and not self.matter.tells(word) for word in behind)

    def _sorts_out(self, word: int) -> bool:
        """Tell whether a word stands in a line of a list whose entries are weighed ("Ghent: too small, so not this one")."""
        if not self._weighed or not _PERSONS.isdisjoint(self.reading.words[self.reading.clause_at(word).first : word + 1]):
            return False
        start = self.reading.read.starts[word]
        at = bisect_right(self._weighed, (start, start)) - 1
        return at >= 0 and start < self._weighed[at][1]

    @lazy
    def _weighed(self) -> list[Span]:
        """The lines of a list of things with a remark on each, where something is said behind them."""
        text = self.reading.read.original
        lines = [line.span() for line in _WEIGHED.finditer(text) if line[1].lower() not in _TELLING] if "\n" in text else []
        return lines if len(lines) > 1 and any(map(str.isalnum, text[lines[-1][1] :])) else []

    @property
    def is_echo(self) -> bool:
        """Whether the text adds nothing to the question, which offers no alternatives to choose from."""
        words = self._without_question()
        if not set(words) - _ECHOING:
            return True
        if set(words) <= (_FILLERS | EVERYDAY) - {"yes", "no"}:
            return True
        asked = set(content_stems(self.matter.words))
        return len(words) > _SHORT and " or " not in self.question.text and not set(content_stems(words)) - asked

    def _without_question(self) -> list[str]:
        """Return the words of the text without the question's own, where these stand in a row."""
        line, asked = self.reading.read.line, f" {' '.join(self.matter.words)} "
        return line.replace(asked, " ").split() if asked in line else self.reading.words

    @property
    def is_cut_off(self) -> bool:
        """Whether the text ends within a sentence, after a whole one, before it has answered."""
        read = self.reading.read
        last, (least, most) = read.sentences[-1], _CUT_OFF
        whole = read.original[: last.start].rstrip().endswith((".", "!", "?"))
        if read.original[: last.start].endswith("\n") and "\n" in read.original[: last.start].rstrip():
            return False  # an entry of a list has no stop
        unended = read.original.rstrip()[-1:].isalpha() and last.last - last.first >= _UNENDED
        return whole and unended and least <= len(read.words) < most and not self._has_digits

    @lazy
    def _has_digits(self) -> bool:
        return any(word[0].isdigit() for word in self.reading.words)
