"""The judge of short answers (`open`, `context`), by rules.

An accepted answer is looked for by these rules, in this order; the first that finds it gives the reason.

| reason | the text has |
|---|---|
| `exact` | the preferred answer, word for word (no case, diacritics, punctuation or leading article) |
| `alias` | another accepted answer, word for word |
| `numeric` | the number, in digits or words, in any unit of its kind, rounded to three digits or more |
| `date` | the date in any order, or a stretch within it; a coarser date only where the item's precision allows it |
| `normalised` | the time or span of time in other words (`clock`) |
| `normalised` | the name in another spelling, order or length; all parts of a list in another order; all its words of meaning |
| `partial` | at least two thirds of the words of meaning of a description, or, as the whole text, a part of an answer |

Of a name all words of meaning are needed, and none of another name among them: the Nobel Prize in Chemistry is not that in
Physics, nor the University of Southern California that of California.

A match does not count where it is denied ("not Mark Twain"), set aside ("rather than ...") or one of several offered
("either ... or ..."). Words that the question holds already prove nothing by themselves.
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from evaluators.verify import abstention
from evaluators.verify.clock import span_of, spans_like, time_of, times_like
from evaluators.verify.denial import is_denied, is_offered
from evaluators.verify.guesses import claims_nothing
from evaluators.verify.premises.things import people_of
from evaluators.verify.question import Question
from evaluators.verify.reading.names import Mention, Name, is_namesake, mentions
from evaluators.verify.reading.reply import Reply
from evaluators.verify.reading.text import Span, Text, phrase, read_text, without_footnotes
from evaluators.verify.reading.values import Wanted, dates_like, is_bare_number, is_value, numbers_like, says_another_value
from evaluators.verify.reading.words import EVERYDAY, content_stems, kin_stems, verb_stems, word_list
from evaluators.verify.rivals import asking_stems, displaced, rivals
from evaluators.verify.ruling import Ruling, unscored
from kg.numbers import end_of_unit_told, find_numbers
from queries.records.verdict import Reason


class Acceptance(NamedTuple):
    """The words from `first` up to `last` are an accepted answer, for this reason."""

    first: int
    last: int
    reason: Reason


_SIGNS = re.compile(r"[+#*%−-]")
_MONEY = {"$": ("dollar", "usd"), "€": ("euro", "eur"), "£": ("pound", "gbp"), "¥": ("yen", "yuan")}
_LIST = re.compile(r"\s*(?:,\s*(?:and\s)?|;|&|\band\b|/)\s*", re.IGNORECASE)
_REMARK = re.compile(r"\s*\([^)]*\)\s*")
_SHARE = 2 / 3
"""This share of a longer answer's words of meaning is a part of it."""
_GLUED = 8
"""From so many letters on an answer is found inside other words, where chance would not put it."""
_WINDOW = 40
"""So many words may lie between the words of an answer."""
_SMALL_PART = 5
"""Words around a single new word, among which the rest of the answer must stand."""


def judge(reply: Reply, question: Question) -> Ruling:
    """Judge a short answer.

    >>> city = Question("Where did Einstein die?", task="open", expected=("Princeton",))
    >>> judge(Reply.of("He died in Princeton."), city)[:4]
    ('correct', 'exact', 'Princeton', ((11, 20),))
    >>> judge(Reply.of("Not Princeton, but Ulm."), city).reason, judge(Reply.of("I do not know."), city).outcome
    ('denied', 'abstained')
    """
    text = reply.text
    nothing = abstention.nothing_said(text, question)
    if nothing:
        return unscored(nothing)
    if question.expected is None:
        return _where_nobody_knows(text[reply.turn :], reply.turn, question)
    return _by_statement(reply, question) or _ruling(text, read_text(_without_notes(text, question)), question, reply.bold)


def word_for_word(text: str, question: Question) -> Ruling | None:
    """Accept a text that is an accepted answer and nothing else, whatever else its words may mean; null where it is not.

    >>> word_for_word("**Hello, Dolly!**", Question("Which?", task="open", expected=("Hello, Dolly!",)))[:3]
    ('correct', 'exact', 'Hello, Dolly!')
    """
    if len(text) > _BRIEF or not question.expected or question.rationale:
        return None
    whole = _WHOLE.fullmatch(text)
    for answer in question.expected if whole else ():
        if whole and whole["said"].casefold() == answer.strip().removesuffix(".").casefold():
            reason: Reason = "exact" if answer == question.expected[0] else "alias"
            return Ruling("correct", reason, whole["said"], (whole.span("said"),), confidence="high")
    return None


_BRIEF = 200
_WHOLE = re.compile(r'\s*(?P<mark>\*\*|[*"`]|)(?P<said>.+?)\.?(?P=mark)\.?\s*', re.DOTALL)
"""A text between marks, or without them, and without the point at its end; a point or sign that begins it is its own (".5")."""


def _without_notes(text: str, question: Question) -> str:
    """Blank out the marks of footnotes, unless an answer ends as if it had one ("HNO3"), and what a life's other end was."""
    text = text if any(map(_CODE.search, question.expected or ())) else without_footnotes(text)
    return _LIFE.sub(functools.partial(_end_of_life, question=question), text) if "(" in text else text


def _end_of_life(life: re.Match[str], question: Question) -> str:
    """Leave of a life in brackets ("Lund, 1850 – Ulm, 1907") the end that is asked about, and blanks for the other."""
    asked = _ENDS.intersection(kin_stems(phrase(question.text)))
    if len(asked) != 1:
        return life[0]
    other = "died" if "die" not in asked else "born"
    start, end = life.start(other) - life.start(), life.end(other) - life.start()
    gap = life.start("gap") - life.start()
    blanked = life[0][:start] + " " * (end - start) + life[0][end:]
    return blanked[:gap] + " " * len(life["gap"]) + blanked[gap + len(life["gap"]) :]


_LIFE = re.compile(r"\((?P<born>[^()–—-]{0,40}\b\d{4})(?P<gap> ?[–—-] ?)(?P<died>[^()–—-]{0,40}\b\d{2,4})\)")
_ENDS = frozenset(kin_stems(["born", "died"]))


_CODE = re.compile(r"[^\W\d_]\d")


def _by_statement(reply: Reply, question: Question) -> Ruling | None:
    """Judge what the text calls its answer, or what it says after it took something back; null where that is no answer."""
    declared, turn = reply.declared, reply.turn
    if declared is not None and set(phrase(reply.text[slice(*declared)])) <= set(phrase(question.text)):
        declared = None  # a heading that says again what is asked
    declared = declared or _concluded(reply.text, question)
    if declared is not None and declared[0] >= turn:
        ruling = _ruling_on(reply, declared, question)
        if (
            ruling.outcome != "incorrect"
            or ruling.reason != "wrong"
            or _names_something(reply.text[slice(*declared)], question)
        ):
            return ruling
    if turn:
        rest = (turn, len(reply.text))
        ruling = _ruling_on(reply, rest, question)
        if ruling.outcome == "correct" or (ruling.outcome == "incorrect" and _names_something(reply.text[turn:], question)):
            return ruling
    return None


_CONCLUSION = re.compile(
    r"[.!?\n]\s+(?:so|thus|therefore|hence|consequently|in short|in conclusion|in the end|all in all)\b,?\s+"
    r"(?!far\b|many\b|much\b|called\b)",
    re.IGNORECASE,
)


def _concluded(text: str, question: Question) -> Span | None:
    """Return the last sentence of a text, where it concludes and has one answer of the asked kind ("So it was Rome.")."""
    found = [match.end() for match in (*_CONCLUSION.finditer(text), *_CONCLUDING.finditer(text))]
    if not found or question.type is None or len(Text(text[max(found) :]).sentences) > 1:
        return None
    rest = Text(text[max(found) :])
    given = [*acceptances(rest, question)] if question.expected else []
    return (max(found), len(text)) if given or len(rivals(rest, question)) == 1 else None


_CONCLUDING = re.compile(r"(?<=[.!?\n])\s+(?=[^.!?\n]{1,60}?\s(?:therefore|thus|hence|consequently)\b)", re.IGNORECASE)
"""A sentence that concludes, though the word for it is not its first ("The prize therefore went to Moss")."""


def _names_something(text: str, question: Question) -> bool:
    """Tell whether a text has an answer of the kind that is asked for, or is so short that it is one."""
    read = Text(text)
    return 0 < len(set(read.words) - EVERYDAY) <= _SHORT or bool(rivals(read, question))


_SHORT = 3
"""A declared answer of so few words of meaning is one, whatever it is."""


def _ruling_on(reply: Reply, part: Span, question: Question) -> Ruling:
    """Judge a part of a text as if it were all of it."""
    start, end = part[0], end_of_unit_told(reply.text, part[1])
    text = reply.text[start:end]
    bold = [(a - start, b - start) for a, b in reply.bold if start <= a and b <= end]
    ruling = _ruling(text, Text(_without_notes(text, question)), question, bold)
    return ruling._replace(spans=tuple([(a + start, b + start) for a, b in ruling.spans]))


def _ruling(text: str, read: Text, question: Question, bold: Sequence[Span]) -> Ruling:
    accepted = list(acceptances(read, question))
    upheld = [a for a in accepted if not (is_denied(read, a.first, a.last) or _is_bygone(read, a, question))]
    upheld = [a for a in upheld if not _is_operand(read, a)] if "=" in text else upheld
    upheld = [a for a in upheld if not _is_bound(read, a)] if "than" in read.words else upheld
    if not upheld:
        return _not_accepted(text, read, accepted, question)
    best = upheld[0]
    span = read.span(best.first, best.last)
    left_open = abstention.left_open(text, question, span[1])
    if left_open is not None:
        return Ruling("abstained", "unsure", None, (left_open,))
    declined = abstention.withheld(text) if all(_is_wondered(read, each) for each in upheld) else None
    if declined is not None and declined.reason == "refused":
        behind = read.sentence_of(read.word_at(declined.spans[0][0])) - read.sentence_of(upheld[-1].first)
        if 0 <= behind <= 1:
            return declined
    one_of_two = all(_is_one_of_two_numbers(read, each, question) for each in upheld)
    if one_of_two or is_offered(read, best.first, best.last, question):
        return Ruling("incorrect", "several_answers", read.original[slice(*span)], (span,))
    in_bold = [read.words_of(*part) for part in bold]
    other = displaced(read, question, [(a.first, a.last) for a in upheld], in_bold)
    if other is not None:  # what another rule accepts displaces nothing: "**5,895 meters** (19,341 feet)"
        accepted = sorted({*upheld, *_every_acceptance(read, question)})
        other = displaced(read, question, [(a.first, a.last) for a in accepted], in_bold)
    if other is None:
        return Ruling("correct", best.reason, read.original[slice(*span)], (span,))
    where = span if other.place is None else read.span(*other.place)
    return Ruling("incorrect", other.reason, read.original[slice(*where)], (where,))


def _is_wondered(read: Text, match: Acceptance) -> bool:
    """Tell whether an answer only stands in what is asked ("You want to know *whether* she is from Ghent")."""
    at = read.starts[match.first]
    before = read.original[max(read.sentences[read.sentence_of(match.first)].start, at - _WONDERED_REACH) : at].lower()
    _, whether, lead = before.rpartition("whether ")
    return bool(whether) and ":" not in lead and {"but", "so"}.isdisjoint(phrase(lead))


_WONDERED_REACH = 200


def _is_one_of_two_numbers(read: Text, match: Acceptance, question: Question) -> bool:
    """Tell whether a number stands beside another for it: "$18,000 or $46,500", but "5895 m or 19,341 feet" is one of both."""
    if " or " not in read.line and " / " not in read.original:
        return False
    start, end = read.span(match.first, match.last)
    before, after = _NUMBER_BEFORE.search(read.original[:start]), _NUMBER_AFTER.match(read.original, end)
    beside = [span for span in (before and before.span(1), after and after.span(1)) if span]
    if not beside or not find_numbers(read.original[start:end]) or " or " in question.text:
        return False
    accepted = [read.span(a.first, a.last) for a in _every_acceptance(read, question)]
    return not any(a < high and low < b for low, high in beside for a, b in accepted)


_NUMBER_BEFORE = re.compile(r"(?<![\w.,])(\d[\d.,]*)(?: [^\W\d_]{1,12})?,?\s(?:or|/)\s(?:in )?[$€£¥]?\Z")
_NUMBER_AFTER = re.compile(r"(?: [^\W\d_]{1,12})?,?\s(?:or|/)\s(?:in )?[$€£¥]?(\d[\d.,]*\b)(?!\s?(?:[ap]m|[ap]\.m))")


def _is_operand(read: Text, match: Acceptance) -> bool:
    """Tell whether a number is only what a sum is made of: "212 - 31 = 181" says 181."""
    start, end = read.span(match.first, match.last)
    return any(sum_.start() <= start and end <= sum_.end() for sum_ in _OPERANDS.finditer(read.original))


_OPERAND = r"\d[\d.,]{0,30}(?: [^\W\d_]{1,12})?"
_OPERANDS = re.compile(rf"(?<![\d.,]){_OPERAND}(?: ?[-+−–×x*·÷] ?{_OPERAND}){{1,9}} ?(?==)")


def _is_bound(read: Text, match: Acceptance) -> bool:
    """Tell whether a number is only what another is more or less than ("more than twelve")."""
    start, end = read.span(match.first, match.last)
    before = _BOUND.search(read.original, max(0, start - _BOUND_REACH), start)
    return before is not None and bool(find_numbers(read.original[start:end]))


_BOUND = re.compile(
    r"(?<!no )(?<!not )\b(?:more|less|fewer|greater|higher|longer|larger|smaller|lower|later|earlier) than\s\Z", re.IGNORECASE
)
_BOUND_REACH = 20


def _is_bygone(read: Text, match: Acceptance, question: Question) -> bool:
    """Tell whether a name is told as what was so once, where what is so now is asked ("Bonn used to be the capital")."""
    said = read.words[match.last : match.last + 3]
    return said[:2] in (["used", "to"], ["was", "once"], ["once", "was"]) and not _PAST.search(question.text)


_PAST = re.compile(r"\b(?:was|were|did|had|former\w*|previous\w*|used|once|earlier|originally|before|until)\b", re.IGNORECASE)


def _where_nobody_knows(text: str, start: int, question: Question) -> Ruling:
    """Judge what a text comes to, from `start` on: abstaining is right, any claim is wrong."""
    ruling = _not_accepted(text, read_text(text), [], question)
    if ruling.outcome == "incorrect" and claims_nothing(read_text(text), question):
        ruling = Ruling("abstained", "unsure", None, ((0, len(text)),))
    return ruling._replace(spans=tuple([(start + a, start + b) for a, b in ruling.spans]))


def _not_accepted(text: str, read: Text, denied: list[Acceptance], question: Question) -> Ruling:
    if denied:
        return Ruling("incorrect", "denied", None, (read.span(denied[0].first, denied[0].last),))
    withheld = abstention.withheld(text, question)
    if withheld is not None and not (withheld.outcome == "abstained" and _answers_before(read, question, withheld.spans[0][0])):
        return withheld
    stopped = abstention.cut_off(text) or (
        None if rivals(read, question) else abstention.broken_off(text) or abstention.begun(text)
    )
    return Ruling("incorrect", "wrong", None) if stopped is None else unscored("truncated", (stopped,))


def _answers_before(read: Text, question: Question, end: int) -> bool:
    """Tell whether a text has answered before it says what it does not know: the question in its words, with a rival in it."""
    asked = asking_stems(question.text)
    before = [sentence for sentence in read.sentences if sentence.end <= end]
    if question.expected is None or len(asked) < 2 or not before:
        return False
    others = rivals(read, question)
    for sentence in before:
        said = asked.intersection(verb_stems(read.words[sentence.first : sentence.last]))
        if len(said) * 2 >= len(asked) and any(sentence.first <= other[0] < sentence.last for other in others):
            return True
    return False


def acceptances(text: Text, question: Question) -> Iterator[Acceptance]:
    """Yield where a text has an accepted answer, by the strictest rule that applies.

    >>> list(acceptances(Text("on June 23, 1991"), Question("When?", expected=("23 June 1991",), type="date")))
    [Acceptance(first=1, last=4, reason='date')]
    """
    yield from next(_acceptances_by_rule(text, question), [])


def _every_acceptance(text: Text, question: Question) -> list[Acceptance]:
    """Return where a text has an accepted answer by any rule for values, that of another unit among them."""
    found = [a for rule in _acceptances_by_rule(text, question) for a in rule]
    return [a for a in found if a.reason in ("exact", "alias", "numeric", "date")]


def _acceptances_by_rule(text: Text, question: Question) -> Iterator[list[Acceptance]]:
    """Yield what each rule accepts, the strictest first; rules that accept nothing are passed over."""
    names = [Name.of(answer) for answer in question.expected or ()]
    capitals = all(answer.isupper() for answer in question.expected or ())
    for rule in _RULES:
        matches = [a for answer in question.expected or () for a in rule(text, answer, question)]
        matches = [a for a in matches if not is_namesake(text, a.first, a.last, names)]
        matches = [a for a in matches if not (capitals and _is_small_word(text, a))]
        # Whoever says the answer word for word has said it, even where the question has these words too.
        counted = [a for a in matches if rule is _worded or not _echoes(text, a, question)]
        if counted:
            yield sorted(counted)


def _echoes(text: Text, match: Acceptance, question: Question) -> bool:
    """Tell whether a match only repeats words of the question, which offers no alternatives."""
    asked = f" {' '.join(phrase(question.text))} "
    return f" {' '.join(text.words[match.first : match.last])} " in asked and " or " not in asked


def _worded(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    reason: Reason = "exact" if question.expected and answer == question.expected[0] else "alias"
    for mention in mentions(text, Name.of(answer)):
        place = mention.first, mention.last
        if mention.how != "exact" or _in_number(text, *place) or not _same_signs(text, mention, answer, question):
            continue
        if not says_another_value(text, place, _wanted(answer, question)):
            yield Acceptance(*place, reason)


def _wanted(answer: str, question: Question) -> Wanted:
    return Wanted(answer, question.type, question.unit, question.precision, question.text)


def _same_signs(text: Text, mention: Mention, answer: str, question: Question) -> bool:
    """Tell whether a mention has the signs that tell short names and sums apart ("A+", "C#", "$5")."""
    signs = _SIGNS.findall(answer) if len(answer) < 4 else []
    start, end = text.span(mention.first, mention.last)
    money = text.original[start - 1 : start]
    if money in _MONEY and money not in answer and not any(word in question.text.lower() for word in _MONEY[money]):
        return False
    return all(sign in text.original[max(0, start - 1) : end + 2] for sign in signs)


def _is_small_word(text: Text, match: Acceptance) -> bool:
    """Tell whether what was found of an answer in capitals is a word of the language: "told us", for US."""
    said = text.original[slice(*text.span(match.first, match.last))]
    return said.islower() and said in {*EVERYDAY, "us"} and len(text.words) > 1


def _in_number(text: Text, first: int, last: int) -> bool:
    """Tell whether digits that match belong to a longer number ("5" in "3.5" or "5,000")."""
    start, end = text.span(first, last)
    before, after = text.original[max(0, start - 2) : start], text.original[end : end + 2]
    left = text.words[first].isdigit() and len(before) == 2 and before[0].isdigit() and before[1] in ".,"
    right = text.words[last - 1].isdigit() and len(after) == 2 and after[1].isdigit() and after[0] in ".,"
    return left or right


def _numeric(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    return (Acceptance(*place, "numeric") for place in numbers_like(text, _wanted(answer, question)))


def _dated(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    return (Acceptance(*place, "date") for place in dates_like(text, _wanted(answer, question)))


def _timed(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    """Find a time of the day, or a span of time, in other words ("a quarter past nine", "half a year")."""
    wanted = time_of(answer)
    length = span_of(f"{answer} {question.unit}" if question.unit and is_bare_number(answer) else answer)
    places = [*times_like(text.original, wanted)] if wanted else []
    places += spans_like(text.original, length) if length else []
    return (Acceptance(*text.words_of(*place), "normalised") for place in places)


def _named(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    """Find an answer as a name; one with a remark ("Mercury (planet)") without it too."""
    if is_bare_number(answer) and question.type != "entity":
        return
    for form in dict.fromkeys((answer, _REMARK.sub(" ", answer).strip())):
        for mention in mentions(text, Name.of(form)) if form else ():
            yield Acceptance(mention.first, mention.last, "normalised")
    yield from _glued(text, answer)


def _glued(text: Text, answer: str) -> Iterator[Acceptance]:
    """Find an answer of some length that is glued to the words around it ("byAda Mossin"), as search engines leave it."""
    words = phrase(answer)
    wanted, joined = "".join(words), "".join(text.words)
    at = joined.find(wanted) if len(wanted) >= _GLUED else -1
    if at < 0 or (wanted[0].isdigit() and joined[max(0, at - 1) : at].isdigit()):
        return
    ends = list(accumulate(len(word) for word in text.words))
    first, last = bisect_right(ends, at), bisect_left(ends, at + len(wanted)) + 1
    # A single word must end its word and begin with a capital in it, or "Australia" would be found in "Australian".
    whole = len(words) > 1 or (ends[first] == at + len(wanted) and text.original[text.ends[first] - len(wanted)].isupper())
    if whole and last - first == len(words):
        yield Acceptance(first, last, "normalised")


def _peopled(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    """Find the people of an accepted country: where a nationality is asked for, or as the whole text ("British.")."""
    words = phrase(answer)
    if len(words) > 2 or not is_proper(answer):
        return
    asked = phrase(question.text)
    if _OF_PEOPLES.isdisjoint(asked) and not ("country" in asked and len(set(text.words) - EVERYDAY) == 1):
        return
    peoples = people_of(words[-1]) if words else set()
    for at, word in enumerate(text.words):
        if word in peoples:
            yield Acceptance(at, at + 1, "normalised")


_OF_PEOPLES = frozenset({"nationality", "nationalities", "citizenship", "citizen"})


def _listed(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    """Find all parts of a list ("red, white and blue"), in any order."""
    parts = [part for part in _LIST.split(_REMARK.sub(" ", answer)) if part.strip()]
    if len(parts) < 2 or question.type in ("date", "number") or is_value(answer, set(content_stems(phrase(answer)))):
        return
    of_parts = [mentions(text, Name.of(part)) for part in parts]
    if all(of_parts):
        places = sorted(mention for mentions_ in of_parts for mention in mentions_[:1])
        if places[-1].last - places[0].first <= _WINDOW:
            yield Acceptance(places[0].first, max(place.last for place in places), "normalised")


def _covered(text: Text, answer: str, question: Question) -> Iterator[Acceptance]:
    """Find an answer by its words of meaning; those that the question has are not counted."""
    words, whole = phrase(question.text), set(content_stems(phrase(answer)))
    asked = {stem for stem in content_stems(words) if stem in words or not stem.isdigit()}  # "Which one?" has no number
    wanted = whole - asked
    if not wanted or is_value(answer, whole):
        return
    stems = [content_stems([word])[0] if word not in EVERYDAY else "" for word in text.words]
    places = [at for at, stem in enumerate(stems) if stem in wanted]
    met = {stems[at] for at in places}
    if met and is_proper(answer) and Name.of(answer).surname and text.sentence_of(places[0]) != text.sentence_of(places[-1]):
        return  # "Arseny Moss did. His son Andrei ..."
    if met == wanted and is_proper(answer) and not Name.of(answer).surname and _widened(text, stems, places, whole):
        return
    if met and places[-1] - places[0] < _WINDOW and (_complete(stems, places, wanted, whole) or _most(answer, met, wanted)):
        yield Acceptance(places[0], places[-1] + 1, "normalised" if met == wanted else "partial")
    elif met and not Name.of(answer).titles and _is_part(stems, answer, asked) and not _only_around(answer, met):
        yield Acceptance(places[0], places[-1] + 1, "partial")


def _complete(stems: list[str], places: list[int], wanted: set[str], whole: set[str]) -> bool:
    """Tell whether all wanted words are there; beside a single one the words of the question that belong to it, too."""
    if {stems[at] for at in places} != wanted:
        return False
    around = stems[max(0, places[0] - _SMALL_PART) : places[-1] + _SMALL_PART + 1]
    return len(wanted) > 1 or whole <= set(around)


def _widened(text: Text, stems: list[str], places: list[int], whole: set[str]) -> bool:
    """Tell whether another word of a name stands among those of a name ("University of Southern California")."""
    if _APART.search(text.original, *text.span(places[0], places[-1] + 1)):
        return False
    between = (at for at in range(places[0] + 1, places[-1]) if stems[at] and stems[at] not in whole)
    return any(text.original[text.starts[at]].isupper() for at in between)


def _most(answer: str, met: set[str], wanted: set[str]) -> bool:
    """Tell whether most words of a description are there, and all names in it; of a name or a title all are needed."""
    if len(wanted) < 3 or len(met) < _SHARE * len(wanted) or Name.of(answer).titles or is_proper(answer):
        return False
    names = [word for word in _BLANKS.split(answer) if word[:1].isupper() or word[:1].isdigit()]
    return wanted.intersection(content_stems(phrase(" ".join(names)))) <= met


def is_proper(answer: str) -> bool:
    """Tell whether an answer is a name: every word of meaning in it is a number or begins with a capital.

    >>> [is_proper(name) for name in ("Nobel Prize in Physics", "Vincent van Gogh", "2010 World Cup", "Greek for lion")]
    [True, True, True, False]
    """
    words = [word for word in _BLANKS.split(answer) if phrase(word) and not _BETWEEN_NAMES.issuperset(phrase(word))]
    return bool(words) and not any(_SMALL_LETTER.match(word) for word in words)


_BETWEEN_NAMES = EVERYDAY | word_list("particles")
_APART = re.compile(r"[^\w\s'’.-]|\s[.-]|[.]\s")
"""What parts words of one name from each other."""
_BLANKS, _SMALL_LETTER = re.compile(r"[\s/-]+"), re.compile(r"\W*[^\W\d_A-ZÀ-ÖØ-Þ]")


def _only_around(answer: str, met: set[str]) -> bool:
    """Tell whether words only name what an answer lies in: "Tennessee", of "Memphis, Tennessee"."""
    named, comma, _ = answer.partition(", ")
    return bool(comma) and is_proper(answer) and met.isdisjoint(content_stems(phrase(named)))


def _is_part(stems: Iterable[str], answer: str, asked: set[str]) -> bool:
    """Tell whether a whole text says a part of the answer and nothing else; of a name in the name's order."""
    words, whole = [stem for stem in stems if stem], content_stems(phrase(answer))
    if any(stem.isdigit() for stem in words) or not asked.union(whole).issuperset(words):
        return False
    rest = iter(whole)
    return not is_proper(answer) or all(stem in rest for stem in words if stem in whole)


_RULES: tuple[Callable[[Text, str, Question], Iterator[Acceptance]], ...] = (
    _worded, _numeric, _dated, _timed, _named, _peopled, _listed, _covered,
)  # fmt: skip
"""From the strictest to the loosest."""
