"""The closed word lists of a language, and how a text is folded that they are looked for in.

The word lists of a language (`words/languages/*.toml`) are fragments of regular expressions over the folded text; " .. " stands
for up to four words. Small words keep their marks: French "né" is not "ne", nor "où" "ou".

| list | has |
|---|---|
| `function`, `nouns` | function words; common words of questions, which stand in names and titles too |
| `yes`, `no` | what answers as a word |
| `agree`, `disagree` | what answers where a sign or nothing follows, also behind a word of `adverbs` |
| `true`, `false` | what judges what is asked, wherever it stands, unless after a word of `whether` |
| `negation`, `attributed` | what denies its clause, or leaves it to others ("many think that") |
| `not_negation` | what only looks so ("not only") |
| `cut`, `that` | what begins a clause, and what goes on with one |
| `unsure`, `know` | what knows nothing, and what does so where it is denied |
| `refused`, `policy` | what declines, and by which rule |
| `correction`, `instead` | what takes back all before it, what sets right |
| `declared`, `copula` | what leads in an answer, and the verb in it |
| `option`, `ordinals`, `last`, `none` | what stands before a label, or for an option |
| `or`, `and`, `one_of` | what offers or lists |
| `divided`, `maybe` | what leaves a choice open ("some say .., others .."), what says that something may be |
| `really` | what tells how it is from how it seems |
| `formerly`, `now` | what was so, and what is so since |
| `leading_on` | words besides articles that end no sentence |
| `premise`, `wrong` | what calls the question, or what it takes for granted, wrong; words for wrong |
| `place`, `where` | prepositions before places, what asks for one |
| `relations` | what says that somebody was born, died, wrote ... |
"""

from __future__ import annotations

import functools
import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any

from evaluators.verify.reading.text import lazy

LATIN = ("de", "nl", "fr", "es", "pt", "it")
LANGUAGES = (*LATIN, "ru", "ar", "zh", "ja")
"""The languages besides English that are judged in their own words."""
ENGLISH, OTHER = "en", "other"

_FOLDED = str.maketrans({"ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})


@functools.cache
def _files() -> Mapping[str, Any]:
    folder = resources.files("evaluators.verify.reading") / "words" / "languages"
    names = (*LANGUAGES, ENGLISH, OTHER)
    return {name: tomllib.loads((folder / f"{name}.toml").read_text("utf-8")) for name in names}


@functools.cache
def list_of(language: str, name: str) -> Any:
    """Return a list of a language, as its file has it.

    >>> list_of("ru", "latin")["щ"]
    'shch'
    """
    return _files()[language][name]


def _fold_character(character: str) -> str:
    """Write a character as word lists have it: small, without marks; nothing for what has no width or only lays text out."""
    if character in "。、":
        return "." if character == "。" else ","
    if character in "*_`\u0640" or unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return ""
    if character in "'’ʼ‘`´":
        return " "
    code = ord(character)
    composed = 0x2E80 <= code <= 0xFFEF and not 0xFB00 <= code <= 0xFEFF  # kana keep their marks
    plain = unicodedata.normalize("NFKC" if composed else "NFKD", character).lower().translate(_FOLDED)
    if plain.isdecimal() and not plain.isascii():
        return str(unicodedata.digit(plain[0]))
    return plain if composed else "".join(c for c in plain if not unicodedata.combining(c))


_folded_character = functools.lru_cache(maxsize=16384)(_fold_character)


def fold_text(text: str) -> tuple[str, list[int] | None]:
    """Fold a text character by character: small letters, no marks, blanks for apostrophes, digits of ASCII, no markup.

    Also returned is where each character stood, null where every one keeps its place.

    >>> fold_text("**Où** l’été ٣٤?")
    ('ou l ete 34?', [2, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15])
    """
    table = {character: _folded_character(character) for character in set(text)}
    pieces = [table[character] for character in text]
    folded = "".join(pieces)
    if len(folded) == len(text) and all(len(piece) == 1 for piece in table.values()):
        return folded, None
    return folded, [n for n, piece in enumerate(pieces) for _ in piece]


def _small(character: str) -> str:
    """Write a character small where it is a Latin letter with a mark, folded else."""
    folded = _folded_character(character)
    small = character.lower()
    return small if len(small) == len(folded) == 1 and character < "\u0250" and character.isalpha() else folded


def marked_text(text: str) -> str:
    """Fold a text as `fold_text` does, and leave Latin letters their marks: "né" (born) is not "ne" (not).

    >>> marked_text("Né où ?"), len(fold_text("Né où ?")[0])
    ('né où ?', 7)
    """
    table = {character: _small(character) for character in set(text)}
    return "".join([table[character] for character in text])


_GAP = r"(?: [^\s.!?;]+){0,4} "
_ENDED = r"(?=\s*(?:[.,;:!?…—–。，、！：；،؛()\"»-]|\n|\Z))"


def _fragment(entry: str, *, marked: bool = False) -> str:
    folded = "".join(c if c.isascii() and c != "'" else _small(c) if marked else _folded_character(c) for c in entry)
    return folded.replace(" .. ", _GAP)


def _fragments(entries: Iterable[str], *, marked: bool = False) -> str:
    # Long ones first: of alternatives that begin alike the first one is taken.
    return "|".join(sorted((_fragment(entry, marked=marked) for entry in entries), key=len, reverse=True)) or r"(?!)"


def word_pattern(entries: Iterable[str], *, blanks: bool = True, clitic: str = "", marked: bool = False) -> re.Pattern[str]:
    """Return a pattern of words; with `blanks`, of words that stand between blanks, also behind a clitic.

    >>> word_pattern(["is false"]).search("it is false, surely") is not None
    True
    """
    body = _fragments(entries, marked=marked)
    return re.compile(rf"(?<![^\W_]){clitic}(?:{body})(?![^\W_])" if blanks else rf"(?:{body})")


class _Listed:
    """A pattern of the words of some lists (the one of its own name), made when it is first asked for.

    It is looked for in folded text; with `marked`, in text whose Latin letters have their marks.
    """

    def __init__(self, *lists: str, marked: bool = False) -> None:
        self._lists, self._marked = lists, marked

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    def __get__(self, words: Lexicon, kind: type) -> re.Pattern[str]:
        entries = [entry for name in self._lists or (self._name,) for entry in words.entries(name)]
        found: re.Pattern[str] = words.pattern(entries, marked=self._marked)
        words.__dict__[self._name] = found  # where the next look finds it first
        return found


class Lexicon:
    """The word lists of a language, as patterns over folded text; a pattern of nothing matches nowhere."""

    true, false, wrong = _Listed(), _Listed(), _Listed()
    unsure, refused, policy, premise = _Listed(), _Listed(), _Listed(), _Listed()
    declared, option, none, last, one_of = _Listed(), _Listed(), _Listed(), _Listed(), _Listed()
    where, leading_on = _Listed(), _Listed()
    negation, not_negation = _Listed("negation", "attributed", marked=True), _Listed(marked=True)
    know, correction, instead, copula = _Listed(marked=True), _Listed(marked=True), _Listed(marked=True), _Listed(marked=True)
    either, both, divided = _Listed("or", marked=True), _Listed("and", marked=True), _Listed(marked=True)
    cut, whether, that, place = _Listed(marked=True), _Listed(marked=True), _Listed(marked=True), _Listed(marked=True)
    maybe, really, formerly, now = _Listed(marked=True), _Listed(marked=True), _Listed(marked=True), _Listed(marked=True)

    def __init__(self, language: str) -> None:
        """Take the lists of a language of `LANGUAGES`."""
        self.language, self._lists = language, _files()[language]
        self.blanks = bool(self._lists.get("blanks", True))
        """Whether words stand between blanks."""

    def entries(self, name: str) -> tuple[str, ...]:
        """Return a list of the language, with what models say in English in any language ("Final answer: yes")."""
        return (*self._lists.get(name, ()), *list_of(ENGLISH, "everywhere").get(name, ()))

    def pattern(self, entries: Iterable[str], *, marked: bool = False) -> re.Pattern[str]:
        """Return a pattern of words of the language."""
        clitic = "[\u0648\u0641]?" if self.language == "ar" else ""
        return word_pattern(entries, blanks=self.blanks, clitic=clitic, marked=marked)

    @lazy
    def yes(self) -> re.Pattern[str]:
        """What says yes where a clause begins."""
        return self._leading("yes", "agree", "true")

    @lazy
    def no(self) -> re.Pattern[str]:
        """What says no where a clause begins."""
        return self._leading("no", "disagree", "false")

    def _leading(self, words: str, signed: str, said: str) -> re.Pattern[str]:
        """Return a pattern of what answers where a clause begins: words, words before a sign, and statements."""
        bare, alone = _fragments(self.entries(words)), _fragments(self.entries(signed))
        alone = rf"(?:(?:{_fragments(self.entries('adverbs'))}) ){{0,2}}(?:{alone})"
        end = r"(?![^\W_])" if self.blanks else _ENDED
        return re.compile(rf"(?:(?:{bare}){end}|(?:{alone}){_ENDED}|(?:{_fragments(self.entries(said))}))")

    @lazy
    def bare_yes(self) -> re.Pattern[str]:
        """Words for yes alone."""
        return re.compile(rf"(?:{_fragments(self._lists['yes'])})(?![^\W_])")

    @lazy
    def answer(self) -> re.Pattern[str]:
        """A yes or no at the beginning of a text that has its marks."""
        words = _fragments((*self._lists["yes"], *self._lists["no"]), marked=True)
        signed = _fragments((*self._lists["agree"], *self._lists["disagree"]), marked=True)
        adverbs = rf"(?:{_fragments(self.entries('adverbs'), marked=True)}) "
        return re.compile(rf"[\W_]*(?:(?:{words})(?![^\W_]|-)|(?:{adverbs}){{0,2}}(?:{signed}){_ENDED})")

    @lazy
    def ordinals(self) -> tuple[re.Pattern[str], ...]:
        """Words for first, second, and so on."""
        return tuple([self.pattern(row) for row in self._lists["ordinals"]])

    @lazy
    def relations(self) -> Mapping[str, re.Pattern[str]]:
        """What says that somebody was born, died, wrote, and so on."""
        return {name: self.pattern(row) for name, row in self._lists["relations"].items()}

    @lazy
    def function(self) -> frozenset[str]:
        """Function words, folded; none for Chinese and Japanese."""
        return self._folded("function") | self._folded("nouns")

    @lazy
    def articles(self) -> frozenset[str]:
        """Articles, also with a preposition in one, folded."""
        return self._folded("articles")

    def _folded(self, name: str) -> frozenset[str]:
        return frozenset(fold_text(word)[0].strip() for word in self._lists.get(name, "").split())


@functools.cache
def lexicon(language: str) -> Lexicon:
    """Return the word lists of a language of `LANGUAGES`.

    >>> lexicon("fr").unsure.search(fold_text("Je n’en sais rien.")[0]) is not None
    True
    """
    return Lexicon(language)
