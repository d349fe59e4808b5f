"""The options of a choice, cut up for matching, and a place where a text names some of them."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal, NamedTuple

from evaluators.verify.reading.text import lazy, phrase
from evaluators.verify.reading.words import EVERYDAY, FIRST_FORMS, NUMERALS, any_pattern, stem, word_list
from kg.dates import find_dates

Kind = Literal["label", "mark", "text", "part", "bare"]

NONE = 0
"""The number of "none of these" where no option says it."""


class Mention(NamedTuple):
    """Characters that name options (by their numbers), and how."""

    start: int
    end: int
    options: tuple[int, ...]
    kind: Kind


_NONE_OPTION, _UNKNOWN_OPTION = any_pattern("choice_none_options"), any_pattern("choice_unknown_options")
_ALL_OPTION = any_pattern("choice_all_options")
_STATEMENT_WORDS = 4
"""From so many words on an option may be a statement."""
_SHARED = 5
"""So many first letters make two words forms of one ("publication", "published")."""
_NATIONS = word_list("nations")


_CAPITALS = re.compile(r"[A-Z][^\W_]+(?: (?:of |the |and |for )*[A-Z][^\W_]+)+")
_SENTENCE = re.compile(r"(?<=[.?!:;])\s+")
_WAS = frozenset({"was", "were", "did", "had"})
_NOT = frozenset({"not", "never", "cannot", "except"})


class Options:
    """The options of a question, cut up for matching; kept from answer to answer."""

    def __init__(self, texts: tuple[str, ...], question: str = "") -> None:
        """Cut up the options of a question; `Options.of` keeps what it has cut."""
        self.texts = texts
        self.stem = _stem(question, texts)
        self.none = self._special(_NONE_OPTION)
        self.unknown = self._special(_UNKNOWN_OPTION)
        special = {self.none, self.unknown, self._special(_ALL_OPTION)}
        self.regular = tuple([n for n in range(1, len(texts) + 1) if n not in special])

    @staticmethod
    @functools.lru_cache(maxsize=4096)
    def of(texts: tuple[str, ...], question: str = "") -> Options:
        """Cut up the options of a question."""
        return Options(texts, question)

    def _special(self, pattern: re.Pattern[str]) -> int | None:
        return next((n for n, option in enumerate(self.texts, 1) if pattern.search(option)), None)

    @lazy
    def phrases(self) -> list[list[str]]:
        """The words of each option."""
        return [phrase(option) for option in self.texts]

    @lazy
    def statements(self) -> bool:
        """Whether the options are statements, not names, numbers or dates."""
        regular = [self.texts[n - 1].strip() for n in self.regular]
        long = sum(len(option.split()) >= _STATEMENT_WORDS for option in regular)
        ended = all(option.endswith(".") and " " in option for option in regular)
        return bool(regular) and (ended or (2 * long > len(regular) and not any(map(find_dates, regular[:1]))))

    @lazy
    def own(self) -> list[frozenset[str]]:
        """The keys of the words that only this option has, and that the question has not."""
        keys = [meaning(words) if n in self.regular else set() for n, words in enumerate(self.phrases, 1)]
        shared = Counter(key for of_option in keys for key in of_option)
        return [frozenset(key for key in of_option if shared[key] == 1 and key not in self.asked) for of_option in keys]

    @lazy
    def by_key(self) -> dict[str, int]:
        """The option that alone has a word, by the word's key, and by that of the people of a country."""
        found = {own: number for number, keys in enumerate(self.own, 1) for own in keys}
        for number in () if self.statements else self.regular:
            words = self.phrases[number - 1]
            for other in (*_NATIONS.get(words[-1], ()), *(forms_of(words[0]) if len(words) == 1 else ())) if words else ():
                found.setdefault(key_of(other), number)
        return found

    @lazy
    def sought(self) -> frozenset[str]:
        """The keys of the words of meaning of the question proper (not of what it tells before) that no option has."""
        asking = [sentence for sentence in _SENTENCE.split(self.stem) if sentence.rstrip().endswith("?")]
        return frozenset(meaning(phrase(asking[-1] if asking else self.stem)).difference(*map(meaning, self.phrases)))

    @lazy
    def asked(self) -> frozenset[str]:
        """The keys of the words of meaning of the question."""
        return frozenset(meaning(phrase(self.stem)))

    @lazy
    def is_past(self) -> bool:
        """Whether the question asks for what was."""
        return not _WAS.isdisjoint(phrase(self.stem))

    @lazy
    def names(self) -> frozenset[str]:
        """The keys of the words of the question that are written as names, without those of options."""
        words = re.findall(r"(?<=[a-z,\"'“‘(] )[\"'“‘(]*[A-Z][^\W_]+|[\"“‘'][A-Z][^\W_]+", self.stem)
        return frozenset(meaning(word for name in words for word in phrase(name)))

    @lazy
    def denied(self) -> frozenset[str]:
        """The keys of the words that the question denies ("Which is not a planet?")."""
        words = phrase(self.stem)
        at = next((n for n, word in enumerate(words) if word in _NOT or word.endswith("nt")), len(words))
        return frozenset(meaning(words[at + 1 :]))

    @lazy
    def acronyms(self) -> dict[str, int]:
        """The initials of options of several words ("UAE"), or of names within statements, where only one option has them."""
        found: dict[str, list[int]] = {}
        for number in self.regular:
            option = self.texts[number - 1].replace("-", " ")
            for name in _CAPITALS.findall(option[1:]) if self.statements else [option]:
                capitals = [word[0].lower() for word in name.split() if word[0].isupper()]
                if len(capitals) > 1:
                    found.setdefault("".join(capitals), []).append(number)
        return {initials: numbers[0] for initials, numbers in found.items() if len(numbers) == 1}

    def number(self, label: str) -> int | None:
        """Turn a number, a letter, a Roman numeral or a word for a number into an option's; null where there is no such option.

        >>> options = Options(("red", "blue"))
        >>> [options.number(label) for label in ("2", "b", "II", "two", "7")]
        [2, 2, 2, 2, None]
        """
        low = label.lower()
        if low.isdigit():
            number = int(low)
        elif len(low) == 1 and ord(low) - ord("a") < len(self.texts):
            number = ord(low) - ord("a") + 1
        else:
            number = NUMERALS.get(low, 0)
        return number if 1 <= number <= len(self.texts) else None


def _stem(question: str, texts: tuple[str, ...]) -> str:
    """Return a question without the options that it lists."""
    at = question.find(texts[0]) if texts and "\n" in question else -1
    return question[: question.rfind("\n", 0, at)] if at > 0 and "\n" in question[:at] else question


@functools.lru_cache(maxsize=65536)
def key_of(word: str) -> str:
    """Return what words share that may be forms of one: their first letters, of irregular verbs the first form.

    >>> key_of("publication") == key_of("published"), key_of("sang") == key_of("sung"), key_of("highest") == key_of("higher")
    (True, True, True)
    """
    word = FIRST_FORMS.get(word, word)
    if len(word) > _SHARED - 1 and word[-1] == "s" and word[-2] not in "su":
        word = word[:-1]
    if len(word) == _SHARED and word.endswith("ed"):
        word = word[:-2]  # "ended"
    return stem(word.removesuffix("est") if len(word) > _SHARED + 1 else word)[:_SHARED]


def meaning(words: Iterable[str]) -> set[str]:
    """Return the keys of the words that carry meaning."""
    return {key_of(word) for word in words if word not in EVERYDAY and word not in NUMERALS}


def small(text: str) -> str:
    """Write a text in small letters; every character keeps its place.

    >>> small("İ Ab")
    'İ ab'
    """
    low = text.lower()
    return low if len(low) == len(text) else "".join([c.lower() if len(c.lower()) == 1 else c for c in text])


def forms_of(word: str) -> set[str]:
    """Return a word and what may be its plural."""
    return {word, f"{word}s", f"{word}es", f"{word[:-1]}ies"}
