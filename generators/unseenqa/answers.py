"""Which answers of models are asked for again, and what of each is the answer itself.

An answer becomes an option as it was given, in one line. Within it stands its core, a name, a date or a number, for which
distractors are put: "the first cloned sheep is Dolly" gets options of the same form.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from evaluators.verify import judge_text
from evaluators.verify.question import question_of
from generators.unseenqa.values import VALUES, Value, find_value
from kg.errors import InputError, nearest
from kg.text import fold
from queries.records import read
from queries.records.item import Item
from queries.records.response import Response
from queries.records.verdict import Verdict

NOTHING = ("unsure", "refused", "empty", "echo", "repetition", "api_error", "unparsed")
"""Reasons of verdicts on texts that hold no answer."""
_LONG = 30
"""An answer of more words than this is brought to the sentence that holds what decided about it."""
_REACH = 6
"""A name reaches at most so many words further than what was understood of it, less one."""
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?]+(?!\s|$)[^.!?\n]*)*[.!?]*")
_ENDING = re.compile(r"(?<=[^\W\d_]{3})\.$")
_QUOTED = re.compile(r"[\"“']([^\"“”]+)[\"”']")
_TAIL = re.compile(r"(?:, [A-Z][\w.'’-]*(?: [A-Z][\w.'’-]*)*)+$")
_NAMED_LAST = re.compile(r"(?:^|\s)[a-z]\S* ((?:[A-Z][\w.'’-]*)(?: (?:(?:of|the|de|la|von|van|and) )*[A-Z][\w.'’-]*)*)\.?$")
_OPENERS = frozenset(
    ("i", "it", "he", "she", "they", "we", "there", "the", "a", "an", "in", "at", "on", "by", "to", "from", "that")
)
"""What begins a sentence with a capital, and is no part of a name."""
_MARKS = re.compile(r"[*_`]{1,3}")


@dataclass(frozen=True)
class Answer:
    """An answer to an open question: its item, model and sample, the option it becomes, and its core within that.

    `value` is the core as a date or a number, null where it is a name.
    """

    item: Item
    model: str
    sample: int
    option: str
    core: str
    value: Value | None = None

    @cached_property
    def truths(self) -> frozenset[str]:
        """What no distractor may be: the answer and all accepted ones, folded."""
        return frozenset(map(fold, (self.option, self.core, *(self.item.answer or ()))))

    def framed(self, core: str) -> str:
        """Put something in the place of the core.

        >>> item = Item(schema="kgprobe.item/1", id="a", method="m", family="f", task="open", variant="v", question="?",
        ...     group="g")
        >>> Answer(item, "m", 0, "It is Dolly.", "Dolly").framed("Polly")
        'It is Polly.'
        """
        return self.option.replace(self.core + self.tail, core, 1)

    @property
    def tail(self) -> str:
        """Return what stands behind a name and belongs to it: ", France" in "It is Paris, France"."""
        if self.value is not None:
            return ""
        behind = self.option.partition(self.core)[2]
        return match[0] if (match := _TAIL.match(behind)) else ""


@dataclass(frozen=True)
class Answers:
    """The answers that are asked for again; `left_out` counts the others by reason."""

    answers: list[Answer]
    left_out: Counter[str]


def read_answers(responses: str, items: str, names: Callable[[str], bool], verdicts: str | None = None) -> Answers:
    """Read the answers to open questions, each with its core, and leave out those that say nothing.

    Parameters: `names` tells whether a folded text is a name in the graph; `verdicts` is a file of verdicts on the responses;
    without one the rules of `evaluators.verify` judge.

    Raises RecordError with file and line where a line is no such record, InputError where a response is to an item that
    `items` does not hold.
    """
    known = {item.id: item for item in read(items, Item)}
    judged = _outcomes(verdicts) if verdicts is not None else {}
    left_out: Counter[str] = Counter()
    answers = []
    for response in read(responses, Response):
        item = known.get(response.item)
        if item is None:
            problem = f"holds an answer to item '{response.item}', which {items} has not"
            raise InputError(problem, place=responses, way_out=nearest(response.item, known))
        ruling = _ruling(response, item, judged)
        if isinstance(ruling, str):
            left_out[ruling] += 1
        else:
            answers.append(_answer(item, response, ruling, names))
    return Answers(answers, left_out)


@dataclass(frozen=True)
class _Ruling:
    understood: str | None
    first: int


def _outcomes(path: str) -> dict[tuple[str, str, int | None], Verdict]:
    return {(verdict.item, verdict.model, verdict.sample): verdict for verdict in read(path, Verdict)}


def _ruling(response: Response, item: Item, judged: Mapping[tuple[str, str, int | None], Verdict]) -> _Ruling | str:
    """Return what is understood of an answer, or why there is nothing to ask for again."""
    if item.parent is not None or item.task != "open" or item.premise is not None:
        return "not an answer to an open question"
    if response.text is None or response.error is not None:
        return "no answer came"
    verdict = judged.get((response.item, response.model, response.sample))
    ruling = judge_text(response.text, question_of(item)) if verdict is None else verdict
    if ruling.outcome == "abstained" or ruling.reason in NOTHING:
        return f"nothing is claimed ({ruling.reason})"
    if not _one_line(response.text):
        return "nothing is claimed (empty)"
    if fold(response.text) == "unsure":
        return "nothing is claimed (unsure)"
    return _Ruling(ruling.answer, ruling.spans[0][0] if ruling.spans else 0)


def _answer(item: Item, response: Response, ruling: _Ruling, names: Callable[[str], bool]) -> Answer:
    option = option_of(response.text or "", ruling.first)
    understood = ruling.understood
    if understood and (match := re.search(re.escape(understood), option, re.IGNORECASE)):
        within: str | None = match[0]
    else:
        within = None
    core, value = _core(option, within, item, names)
    return Answer(item, response.model, response.sample, option, core, value)


def option_of(text: str, first: int = 0) -> str:
    """Bring an answer to one line; of a long one take the sentence around the character that decided.

    >>> option_of(" **Paris**\\n"), option_of("It is Canberra.")
    ('Paris', 'It is Canberra')
    """
    whole = _one_line(text)
    if len(whole.split()) > _LONG or "\n" in text.strip():
        sentences = [match for match in _SENTENCE.finditer(text) if _one_line(match[0])]
        around = next((match for match in sentences if match.end() > first), None)
        whole = _one_line(around[0]) if around else whole
    return whole


def _one_line(text: str) -> str:
    line = _ENDING.sub("", " ".join(_MARKS.sub("", text).split()))
    return quoted[1] if (quoted := _QUOTED.fullmatch(line)) else line


def _core(option: str, within: str | None, item: Item, names: Callable[[str], bool]) -> tuple[str, Value | None]:
    """Return the core of an option, and its value where it is a date or a number."""
    if names(fold(option)) and item.answer_type not in VALUES:
        return option, None
    for text in filter(None, (within, option)):
        value = find_value(text, item.answer_type)
        # The "25th" of a World Cup that the question names is no answer to it.
        if value is not None and f" {fold(value.text)} " not in f" {fold(item.question)} ":
            return value.text, value
    if within:
        accepted = set(map(fold, item.answer or ()))
        return _whole_name(option, within, lambda text: text in accepted or names(text)), None
    return _longest_name(option, fold(item.question), names) or _last_name(option) or option, None


def _whole_name(option: str, within: str, names: Callable[[str], bool]) -> str:
    """Return the longest name of an option that begins or ends with a part of it: not "New York" of "New York City"."""
    start = option.index(within)
    end = start + len(within)
    words = list(re.finditer(r"[^\s,;:()]+", option))
    before = [start, *(word.start() for word in reversed(words) if word.start() < start)][:_REACH]
    after = [end, *(word.end() for word in words if word.end() > end)][:_REACH]
    runs = [option[a:b].rstrip("\"”'.!?") for a in before for b in after]
    longer = (run for run in runs if len(run) > len(within) and names(fold(run)))
    return max(longer, key=len, default=_with_capitals(words, start, end) or within)


def _with_capitals(words: Sequence[re.Match[str]], start: int, end: int) -> str | None:
    """Return a part of a name that no graph knows with the capitalized words beside it: "Lovelace" is of "Ada Lovelace"."""
    at = [i for i, word in enumerate(words) if start <= word.start() and word.end() <= end]
    if not at or not words[at[0]][0][:1].isupper():
        return None
    first, last = at[0], at[-1]
    while _goes_with(words, first - 1) and fold(words[first - 1][0]) not in _OPENERS:
        first -= 1
    while last + 1 < len(words) and _goes_with(words, last):
        last += 1
    return words[first].string[words[first].start() : words[last].end()].rstrip("\"”'.!?")


def _goes_with(words: Sequence[re.Match[str]], at: int) -> bool:
    """Tell whether a word and the next one have capitals, and nothing but a blank between them."""
    if not 0 <= at < len(words) - 1:
        return False
    one, next_ = words[at], words[at + 1]
    return one[0][:1].isupper() and next_[0][:1].isupper() and next_.start() - one.end() == 1


def _longest_name(option: str, question: str, names: Callable[[str], bool]) -> str | None:
    """Return the longest run of words that is a name in the graph, and none of the question's own; a letter is no name."""
    words = list(re.finditer(r"[^\s,;:()]+", option))
    for size in range(min(len(words), 8), 0, -1):
        for at in range(len(words) - size + 1):
            text = option[words[at].start() : words[at + size - 1].end()].strip("\"“”'.!?")
            folded = fold(text)
            whole = len(text) > 1 and text[:1].isupper() and not _is_part(words, at, size)
            if whole and f" {folded} " not in f" {question} " and names(folded):
                return text
    return None


def _is_part(words: Sequence[re.Match[str]], at: int, size: int) -> bool:
    """Tell whether a run of words is a part of a longer name: the "Lovelace" of "Ada Lovelace", but not of "In Lovelace"."""
    opens = size == 1 and at == 0 and len(words) > 1 and fold(words[0][0]) in _OPENERS
    follows = _goes_with(words, at - 1) and fold(words[at - 1][0]) not in _OPENERS
    return opens or follows or _goes_with(words, at + size - 1)


def _last_name(option: str) -> str | None:
    """Return the name that a sentence ends in, whether or not the graph knows it.

    >>> _last_name("I think the answer is Ada Lovelace"), _last_name("Ada Lovelace"), _last_name("nobody knows")
    ('Ada Lovelace', None, None)
    """
    match = _NAMED_LAST.search(option)
    return match[1] if match else None


def texts_by_kind(answers: Iterable[Answer]) -> dict[tuple[str, str | None], list[str]]:
    """Return the distinct cores of answers by family and type: what others answered to questions of one kind."""
    texts: dict[tuple[str, str | None], dict[str, None]] = {}
    for answer in answers:
        texts.setdefault((answer.item.family, answer.item.answer_type), {})[answer.core] = None
    return {kind: list(cores) for kind, cores in texts.items()}
