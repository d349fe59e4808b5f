"""ERBench's own rules (Oh et al., 2024, section 3.3), for yes-no questions and choices.

**Yes-no questions.** The first word is the answer, anything else is unsure; the rationale is right where the text holds the
inferred value, without regard to case, diacritics and punctuation, or a person's surname where the value abbreviates the given
name. On its line the rationale ends where the answer comes once more with the same character after it, also inside a word:
"No, ..." at "Tarantino,". From these verdicts

    A  = correct / all              R = right rationales / all
    AR = correct with a right rationale / all
    H  = 1 - A - abstained / all

**Questions of several hops** (section 4.2). The authors' program keeps the values of all hops in one line with commas between
them, and takes it apart at the commas again (`binary/error_analysis.py` of the published repository), whatever the values are:

| value | its hops |
|---|---|
| with a comma ("San Nicolás, Nuevo León") | one for each part; a verdict has one mark, right where the text holds all parts |
| a number whose aliases are numbers (the years 1900 and 1924) | one, which is right where the text holds all of them |
| any other | one, which is right where the text holds the value or an alias |

The published verdicts show the first: of 1,497 questions on clubs, cities and Olympic years, the ten whose city has a comma
have three marks for two values, and "Nuevo León has never hosted" has the third right with the second wrong; and the second:
of London's three years some are in 17 answers, and none of these is right at the third hop.

**Choices** (table 7); for GPT-3.5, whose answers nearly all name an option as "Option 3":

| text | outcome |
|---|---|
| "There is no wrong option ..." | `unscored: unparsed`, which counts as wrong as published |
| names an option as "Option 3" | `correct` or `incorrect` by the first such |
| does not know | `abstained: unsure` |
| anything else | as `evaluators.verify.choice` reads it |

**Names** in choices and in questions of several hops are matched more loosely than in single-hop answers. The paper names
"heuristics including conventional string matching"; these rules come close to the published verdicts
(`tests/evaluators/test_published_metrics.py`). What those decide beyond them, by lists of clubs, leagues and abbreviations,
is not imitated. A value is named where the text holds, without regard to case,

| value | what |
|---|---|
| any | the value itself |
| a number with decimals | its digits up to two decimals, with its sign |
| alternatives ("pop/rock") | one of them, letter by letter |
| a country | its people or another short form of its name |
| "non-" and a noun | the noun (the published verdicts accept nearly every answer there) |
| a name of several words | its words of three letters and more, in any order; of long ones the first three letters ("Munich") |
"""

from __future__ import annotations

import re

from evaluators.verify import abstention
from evaluators.verify.choice import pick
from evaluators.verify.question import Entry, Question
from evaluators.verify.reading.text import Span
from evaluators.verify.reading.words import word_list
from evaluators.verify.ruling import Ruling, unscored
from kg.text import fold

# A form to fill in ("Yes/No: ...") before the word is no answer, nor is "yes or no" itself.
_FIRST = re.compile(r"\W*(?:yes(?:\s*/\s*|\s+or\s+)no\W+)?(?P<answer>yes|no)\b(?!\s*/\s*\w|\s+or\b)", re.IGNORECASE)
_INITIALLED = re.compile(r"\A\w\.(?:\s?\w\.)* ?(.+)\Z")
_NO_OPTION = re.compile(r"\s*there is no\b", re.IGNORECASE)
_OPTION = re.compile(r"\boption\s*#?\s*(\d+)", re.IGNORECASE)
_DECIMAL = re.compile(r"-?\d+\.\d{1,2}")
_NATIONS = word_list("nations")
_SHORT = 3
"""From so many letters on a word of a name counts; so many tell a long one."""
_LONG = 7
"""From so many letters on a word of a value may be another language's form, known by its first letters ("München")."""
_FOREIGN = 6
"""So many letters has a text's own form of such a word, where words stand side by side ("Munich")."""


def erbench(text: str, question: Question) -> Ruling:
    """Judge an answer to a yes-no question or a choice, and its rationale, as ERBench's authors did.

    >>> player = Question("?", "yes_no", ("yes",), rationale=(Entry("player", "L. Messi"),))
    >>> erbench("Yes. Lionel Messi.", player)[:5:4], erbench("Perhaps.", player).outcome
    (('correct', (True,)), 'abstained')
    >>> false = Question("Which is false?", "choice", ("2",), options=("It is red.", "It is tall."))
    >>> erbench("Option 2 is false, option 1 is not.", false)[:3]
    ('correct', 'exact', '2')
    """
    return _choice(text, question) if question.task == "choice" else _yes_no(text, question)


def _yes_no(text: str, question: Question) -> Ruling:
    first = _FIRST.match(text)
    if first is None:
        return Ruling("abstained", "unsure", None, (), _hops(text, question))
    answer = first["answer"].lower()
    hops = _hops(_explanation(text, answer, first.end("answer")), question)
    return _ruling(answer, first.span("answer"), question)._replace(rationale=hops)


def _ruling(answer: str, span: Span, question: Question) -> Ruling:
    if question.expected is not None and answer == question.expected[0]:
        return Ruling("correct", "exact", answer, (span,))
    return Ruling("incorrect", "wrong", answer, (span,))


def _explanation(text: str, answer: str, end: int) -> str:
    """Return what follows the answer, on its line up to the answer and its next character once more.

    The authors split the line at what they took for the answer ("no,"), wherever that stands.
    """
    line, _, others = text[end:].partition("\n")
    again = re.compile(re.escape(answer + line[:1]), re.IGNORECASE).search(line, 1)
    return f"{line[: again.start()] if again else line}\n{others}"


def _hops(text: str, question: Question) -> tuple[bool, ...]:
    rule = _hop_of_several if len(question.rationale) > 1 else _single_hop
    return tuple(rule(text, entry) for entry in question.rationale)


def _single_hop(text: str, entry: Entry) -> bool:
    folded = _unspaced(text)
    return any(_unspaced(_surname(value)) in folded for value in (entry.value, *entry.aliases))


def _unspaced(text: str) -> str:
    return fold(text).replace(" ", "")


def _surname(value: str) -> str:
    """Return the surname of a value that abbreviates the given name ("L. Messi"), and any other value as it is."""
    initialled = _INITIALLED.match(value)
    return initialled[1] if initialled else value


def _hop_of_several(text: str, entry: Entry) -> bool:
    values = (entry.value, *entry.aliases)
    if all(value.isdecimal() for value in values):
        return all(side_by_side(text, value) for value in values)
    parts = [part.strip() for part in entry.value.split(",") if part.strip()]
    return any(side_by_side(text, alias) for alias in entry.aliases) or all(side_by_side(text, part) for part in parts)


def _choice(text: str, question: Question) -> Ruling:
    hops = tuple(any(loosely(text, value) for value in (entry.value, *entry.aliases)) for entry in question.rationale)
    return _chosen(text, question)._replace(rationale=hops)


def _chosen(text: str, question: Question) -> Ruling:
    if _NO_OPTION.match(text):
        return unscored("unparsed")
    option = _OPTION.search(text)
    if option is not None:
        return _ruling(option[1], option.span(1), question)
    withheld = abstention.withheld(text)
    if withheld is not None:
        return withheld
    picked = pick(text, question.options, question.text)
    if picked is None or len(picked.options) > 1:
        return unscored("unparsed")
    return _ruling(str(picked.options[0]), picked.span, question)


def loosely(text: str, value: str) -> bool:
    """Tell whether a text names a value, by the table of names above.

    >>> loosely("It was made in America.", "USA"), loosely("It is not an animation movie.", "non-animation")
    (True, True)
    >>> loosely("The latitude is 34.2728.", "34.2729"), loosely("Zhang Yimou", "Yimou Zhang"), loosely("Rock.", "pop/rock")
    (True, True, True)
    """
    folded = fold(text)
    decided = _by_form(text, folded, value)
    return _all_words(folded, value) if decided is None else decided


def side_by_side(text: str, value: str) -> bool:
    """Tell whether a text names a value, where the words of a name must stand next to each other.

    For questions of several hops: where a club and its city are asked for, the words of the one turn up in what is said
    about the other ("Espanyol ... in Barcelona" is not "RCD Espanyol de Barcelona").

    >>> side_by_side("It is Bayern Munich.", "FC Bayern München"), side_by_side("Zhang Yimou", "Yimou Zhang")
    (True, True)
    >>> side_by_side("Espanyol also plays in Barcelona.", "Espanyol de Barcelona")
    False
    """
    folded = fold(text)
    decided = _by_form(text, folded, value)
    return _adjacent(folded, value) if decided is None else decided


def _by_form(text: str, folded: str, value: str) -> bool | None:
    """Apply the rows of the table before the last; null where the words of a name decide."""
    if fold(value).replace(" ", "") in folded.replace(" ", ""):
        return True
    number = _DECIMAL.match(value)
    if number:
        return number[0] in text
    if "/" in value:
        return any(part.strip().lower() in text.lower() for part in value.split("/"))
    return True if _noun_of_non(folded, value) or _country(folded, value) else None


def _noun_of_non(folded: str, value: str) -> bool:
    return value.lower().startswith("non-") and fold(value).removeprefix("non ") in folded


def _country(folded: str, value: str) -> bool:
    return any(re.search(rf"\b{re.escape(fold(other))}\b", folded) for other in _other_names(fold(value)))


def _other_names(name: str) -> list[str]:
    """Return what else a country is called: its people, and the countries that are called alike."""
    own = list(_NATIONS.get(name, ()))
    return own + [country for country, others in _NATIONS.items() if name in others]


def _long_enough(folded: str) -> list[str]:
    return [word for word in folded.split() if len(word) >= _SHORT]


def _all_words(folded: str, value: str) -> bool:
    wanted = _long_enough(fold(value))
    letters, beginnings = folded.replace(" ", ""), {word[:_SHORT] for word in folded.split()}
    return bool(wanted) and all(word in letters or (len(word) >= _LONG and word[:_SHORT] in beginnings) for word in wanted)


def _adjacent(folded: str, value: str) -> bool:
    wanted, words = _long_enough(fold(value)), _long_enough(folded)
    windows = (words[start : start + len(wanted)] for start in range(len(words) - len(wanted) + 1))
    return bool(wanted) and any(all(any(_same(word, other) for other in window) for word in wanted) for window in windows)


def _same(word: str, other: str) -> bool:
    foreign = len(word) >= _LONG and len(other) >= _FOREIGN and word[:_SHORT] == other[:_SHORT]
    return word == other or foreign
