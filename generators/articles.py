"""English articles for the names that stand in questions: "an actor", "the Soviet Union", "The Godfather".

General rules over the sound and the head of a name; the word lists are `queries/phrasing/articles.toml`.

```
>>> with_article("honest broker"), with_article("MBA"), with_article("university")
('an honest broker', 'an MBA', 'a university')
>>> with_the("Academy Award for Best Actor"), with_the("The Godfather"), with_the("jazz")
('the Academy Award for Best Actor', 'The Godfather', 'jazz')

```
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import polars as pl

from kg.formats import shipped_toml

_BEGINS_WITH_ARTICLE = re.compile(r"(?:the|an?)\s", re.IGNORECASE)
_PREPOSITION = re.compile(r"\s(?:of|for|in|at|to|on|upon|by|de|des|du|from|with|between|against|[Tt]he)\s")
_BREAK = re.compile(r"\s\(|[,:;/]\s?")
_DECADE = re.compile(r"\d{2,3}0s")
_YEAR = re.compile(r"[12]\d{3}")
_WORD = re.compile(r"[^\W_]+")
_SOUNDS_LIKE_YOU = re.compile(r"eu|ewe|uni(?![dm]|n[a-z]|ll)|u[bcfghjkqrstv][aeiou]|ukr|usu")
_SILENT_H = re.compile(r"(?:hour|honou?r|honest|heir)")
_EIGHT = re.compile(r"8\d*|(?:11|18)(?:\d\d)?(?:\d{3})*")
_LETTERS_WITH_VOWEL_SOUND = frozenset("AEFHILMNORSX")
_AT_ONCE = 65536  # names about which the same is asked again, of a graph under one seed after the other


def with_article(label: str) -> str:
    """Put "a" or "an" before a name, by its sound; a name that begins with an article keeps its own.

    >>> with_article("actor"), with_article("one-off"), with_article("18th century"), with_article("A Bug's Life")
    ('an actor', 'a one-off', 'an 18th century', "A Bug's Life")
    """
    if _BEGINS_WITH_ARTICLE.match(label):
        return label
    return f"{'an' if _begins_with_vowel_sound(label) else 'a'} {label}"


def with_the(label: str, concepts: Iterable[str] = ()) -> str:
    """Put "the" before a name that needs it in mid-sentence.

    Parameters: `concepts` are the labels of what the entity is; they settle what the name leaves open.

    >>> with_the("Netherlands"), with_the("University of Oslo"), with_the("Oslo University"), with_the("1930s")
    ('the Netherlands', 'the University of Oslo', 'Oslo University', 'the 1930s')
    >>> with_the("Mystic River", ["film"]), with_the("Havel", ["river"]), with_the("25 de Abril Bridge")
    ('Mystic River', 'the Havel', 'the 25 de Abril Bridge')
    """
    return _with_the(label, _Words.load().kind(concepts))


def article_columns(labels: pl.Series, concepts: pl.Series | None = None) -> pl.DataFrame:
    """Make the columns `label`, `label_a`, `label_the`, `label_language` and `label_generic`, one row per given label.

    `label_a` is for places where a common noun belongs, `label_language` where a language does, `label_generic` where a kind
    of thing stands for all of them (who plays *the guitar*, pays in *the yen*); whatever else stands there is named as in
    `label_the`. Every distinct label is worked out once. `concepts`, if given, holds a list of concept labels for each label.

    >>> article_columns(pl.Series(["actor", "Rhine", "actor"])).drop("label_generic").rows()[:2]
    [('actor', 'an actor', 'actor', 'actor'), ('Rhine', 'the Rhine', 'the Rhine', 'the Rhine')]
    >>> article_columns(pl.Series(["English"]), pl.Series([["language"]])).row(0)
    ('English', 'the English language', 'the English language', 'English', 'the English language')
    >>> article_columns(pl.Series(["guitar"]), pl.Series([["musical instrument"]])).row(0)
    ('guitar', 'a guitar', 'a guitar', 'a guitar', 'the guitar')
    >>> article_columns(pl.Series(["Grammy Award", "Grammy Award for Best Rap Song", "Turing Award"]))["label_a"].to_list()
    ['a Grammy Award', 'the Grammy Award for Best Rap Song', 'the Turing Award']
    """
    ways: dict[str, Callable[[str, str], str]] = {
        "a": _with_a,
        "the": _with_the,
        "language": _as_language,
        "generic": _as_generic,
    }
    return _columns(labels, concepts, ways)


def the_column(labels: pl.Series, concepts: pl.Series | None = None) -> pl.Series:
    """Put "the" before the names that need it in mid-sentence: the column `label_the` of `article_columns` alone.

    >>> the_column(pl.Series(["Netherlands", "jazz", None])).to_list()
    ['the Netherlands', 'jazz', None]
    """
    return _columns(labels, concepts, {"the": _with_the})["label_the"]


def _columns(labels: pl.Series, concepts: pl.Series | None, ways: Mapping[str, Callable[[str, str], str]]) -> pl.DataFrame:
    kinds = [""] * len(labels) if concepts is None else _kinds(concepts.to_list())
    kind = pl.when(pl.col("label").is_in(_given_often(labels).implode())).then(pl.lit("counted prize")).otherwise("kind")
    frame = pl.DataFrame({"label": labels.cast(pl.String), "kind": pl.Series(kinds, dtype=pl.String)}).with_columns(kind=kind)
    known = frame.unique().drop_nulls("label")
    names, settled = known["label"].to_list(), known["kind"].to_list()
    # All ways of one name together: most of them end in the same question, whether it takes "the".
    each = [[named(name, kind) for named in ways.values()] for name, kind in zip(names, settled, strict=True)]
    schema = dict.fromkeys((f"label_{way}" for way in ways), pl.String)
    worked_out = known.hstack(pl.DataFrame(each, schema=schema, orient="row"))
    return frame.join(worked_out, on=["label", "kind"], how="left", maintain_order="left").drop("kind")


def _given_often(labels: pl.Series) -> pl.Series:
    """Return the names of prizes of which there are several a year: one is a Grammy Award where others are for an album."""
    some = labels.filter(labels.str.contains(" for ", literal=True))
    return some.str.extract(r"^(.+ (?:Award|Prize|Medal)) for ").drop_nulls().unique()


def is_several(label: str, concepts: Iterable[str] = ()) -> bool:
    """Tell whether a verb speaks of a thing as of several: the Alps are, the Netherlands is.

    >>> is_several("Alps"), is_several("Blue Ridge Mountains"), is_several("Los Angeles Lakers", ["basketball team"])
    (True, True, True)
    >>> is_several("Netherlands"), is_several("Solomon Islands", ["country"]), is_several("The Doors", ["rock band"])
    (False, False, True)
    """
    if not label.endswith("s") or label.endswith("ss"):
        return False
    words = _Words.load()
    kinds = [concept.casefold() for concept in concepts]
    heads = {_head(concept)[0] for concept in kinds}
    if heads & words.one:
        return False
    if _head(label)[0] in words.several or words.plural & {*heads, *kinds}:
        return True
    return bool(heads & words.bands) and bool(_BEGINS_WITH_ARTICLE.match(label))


def head_of(concept: str) -> str:
    """Return the word that says what a concept is, in small letters.

    >>> head_of("city of the United States"), head_of("American television series")
    ('city', 'series')
    """
    return _head(concept)[0].casefold()


def stands_bare() -> frozenset[str]:
    """Return the heads of names that stand without an article whatever the thing is: Windsor Castle, Central Park."""
    return _Words.load().bare


def phrase_kind(concept: str) -> str | None:
    """Say how a thing of a kind is called with that kind, `{}` standing for its name; None where nobody would.

    >>> phrase_kind("animated film"), phrase_kind("city of the United States"), phrase_kind("river"), phrase_kind("human")
    ('the film “{}”', 'the city of {}', 'the river {}', None)
    """
    words, kind = _Words.load(), _head(concept)[0].casefold()
    if kind in words.works:
        return f"the {kind} “{{}}”"
    if kind in words.places:
        return f"the {kind} of {{}}"
    return f"the {kind} {{}}" if kind in words.plain else None


@dataclass(frozen=True)
class Slot:
    """A place in a text for a name: which one, and with which article ("", "a" or "the")."""

    name: str
    article: str = ""


@dataclass(frozen=True)
class _Words:
    """The word lists of `articles.toml`."""

    heads: frozenset[str]
    heads_long: frozenset[str]
    heads_of: frozenset[str]
    names: frozenset[str]
    first: frozenset[str]
    always: frozenset[str]
    bare: frozenset[str]
    bare_first: frozenset[str]
    scriptures: frozenset[str]
    never: frozenset[str]
    counted: frozenset[str]
    languages: frozenset[str]
    generic: frozenset[str]
    plural: frozenset[str]
    single: frozenset[str]
    several: frozenset[str]
    one: frozenset[str]
    bands: frozenset[str]
    players: frozenset[str]
    works: frozenset[str]
    places: frozenset[str]
    plain: frozenset[str]

    @staticmethod
    @cache
    def load() -> _Words:
        """Read the lists once."""
        return _Words(**{key: frozenset(words) for key, words in shipped_toml("queries", "phrasing", "articles.toml").items()})

    def kind(self, concepts: Iterable[str]) -> str:
        """Say what the concepts of an entity settle; "" where they settle nothing.

        Else "never", "band", "always", "generic", "language", "counted" or "plural".
        """
        whole = {concept.casefold() for concept in concepts}
        heads = {_head(concept)[0] for concept in whole}
        # An island group is no group that plays: a list may name a concept whole, and that goes first.
        if whole & self.plural:
            return "plural"
        lists = {
            "never": self.never - self.bands, "band": self.bands, "always": self.always, "generic": self.generic,
            "language": self.languages, "counted": self.counted, "plural": self.plural,
        }  # fmt: skip
        return next((kind for kind, words in lists.items() if (heads | whole) & words), "")


def _kinds(concepts: list[list[str] | None]) -> list[str]:
    """What the concepts of each row settle."""
    return [_kind(tuple(names or ())) for names in concepts]


@lru_cache(_AT_ONCE)
def _kind(concepts: tuple[str, ...]) -> str:
    return _Words.load().kind(concepts)


@lru_cache(_AT_ONCE)
def _with_the(label: str, kind: str) -> str:
    if kind == "language" and label[:1].isupper() and " " not in label.strip():
        return f"the {label} language"
    if label[:1].islower() and kind != "generic":
        one = kind == "counted" or _head(label)[0] in _Words.load().single
        return with_article(label) if one else label
    if re.match(r"The .*\bWars?\b", label):
        return f"the{label[3:]}"
    return f"the {label}" if _needs_the(label, kind) else label


def with_common_article(label: str) -> str:
    """Put "a" or "an" before a common noun; a name stands as it does anywhere.

    >>> with_common_article("actor"), with_common_article("Rhine"), with_common_article("Mona Lisa")
    ('an actor', 'the Rhine', 'Mona Lisa')
    """
    return _with_a(label, "")


def _with_a(label: str, kind: str) -> str:
    counted = kind in ("counted", "counted prize")
    return with_article(label) if counted or not label[:1].isupper() else _with_the(label, kind)


def as_generic(label: str) -> str:
    """Put "the" before a common noun that stands for all of its kind; a name stands as it does anywhere.

    >>> as_generic("bass guitar"), as_generic("Japanese yen"), as_generic("Rhine"), as_generic("Paris")
    ('the bass guitar', 'the Japanese yen', 'the Rhine', 'Paris')
    """
    return _as_generic(label, "")


def _as_generic(label: str, kind: str) -> str:
    # By its last word "Japanese yen" is a common noun, though its first is a name.
    common = _head(label)[0][:1].islower() and not _BEGINS_WITH_ARTICLE.match(label)
    return f"the {label}" if common and kind not in ("never", "band") else _with_the(label, kind)


def _as_language(label: str, kind: str) -> str:
    return label if kind == "language" else _with_the(label, kind)


def _needs_the(label: str, kind: str) -> bool:
    """Decide by what the entity is, then by the words of its name."""
    words = _Words.load()
    if not label.strip() or _BEGINS_WITH_ARTICLE.match(label):
        return False
    if kind == "never":
        return _head(label)[0] in words.scriptures
    if kind == "band":  # The Band is one, too, but an article is part of its name.
        head, before, _ = _head(label)
        return before and head in words.players
    if kind == "generic":
        return True
    if label[0].islower():
        return False
    # A castle that is a museum is called by its name, as any castle: Windsor Castle, but the Louvre.
    always = kind == "always" and _head(label)[0] not in words.bare and label.split()[0] not in words.bare_first
    return always or (kind == "plural" and label.endswith("s")) or _name_needs_the(label)


def _name_needs_the(label: str) -> bool:
    """Decide by the name alone: its head, its first words, or a decade or year in front."""
    words = _Words.load()
    head, before, after = _head(label)
    if label.startswith("One "):  # an address: One World Trade Center
        return False
    if head in words.names | words.scriptures or _DECADE.fullmatch(label):
        return True
    # The Macedonian kingdom is one as the Kingdom of Macedon is.
    if (head in words.heads or (head.islower() and head.capitalize() in words.heads)) and (before or after):
        return True
    # The University at Buffalo, but Washington University in St. Louis.
    if head in words.heads_of and after and not (before and re.search(rf"\b{re.escape(head)} (?:at|in) ", label)):
        return True
    if head in words.heads_long and (after or len(label.split()) > 2):
        return True
    first, second, *_ = [*label.split(), "", ""]
    if (first == "River" and second) or (_NAMED_AFTER.search(label) and label.split()[-1] in words.heads):
        return True
    return bool(second) and (bool(_YEAR.fullmatch(first)) or (first in words.first and second in words.heads))


_NAMED_AFTER = re.compile(r" (?:de|da|do|di|del|du) \S+(?: \S+)* ")
"""The 25 de Abril Bridge: what is of another language is of the name before the head."""


@lru_cache(_AT_ONCE)
def _head(name: str) -> tuple[str, bool, bool]:
    """Find the head of a name, and whether a word stands before it and a preposition behind it.

    >>> _head("Pulitzer Prize for Biography"), _head("Kingdom of England"), _head("jazz")
    (('Prize', True, True), ('Kingdom', False, True), ('jazz', False, False))
    """
    before, *after = _PREPOSITION.split(name, maxsplit=1)
    phrase = before if " and " in before else _BREAK.split(before, maxsplit=1)[0]
    words = phrase.split()
    return (words[-1] if words else "", len(words) > 1, bool(after) and phrase == before)


@lru_cache(_AT_ONCE)
def _begins_with_vowel_sound(label: str) -> bool:
    """Guess the first sound of a name from its first word, accents left off."""
    match = _WORD.search("".join(c for c in unicodedata.normalize("NFKD", label) if not unicodedata.combining(c)))
    if match is None:
        return False
    word = match[0]
    if word[0].isdecimal():
        return _EIGHT.fullmatch(re.match(r"\d+", word)[0]) is not None  # type: ignore[index]
    if _is_spelled_out(word):
        return word[0] in _LETTERS_WITH_VOWEL_SOUND
    return _word_begins_with_vowel_sound(word.casefold())


def _is_spelled_out(word: str) -> bool:
    """Tell letters said one by one (MBA, X, NBC; the U of UNESCO) from words in capitals (NASA)."""
    if not (word.isascii() and word.isupper()):
        return False
    return len(word) < 4 or word[0] == "U" or not re.match(r"[AEIOU]?[^AEIOU][AEIOU]", word)


def _word_begins_with_vowel_sound(word: str) -> bool:
    """Decide by spelling: "hour" and "yttrium" begin with a vowel sound, "unit", "Europe" and "one" do not."""
    if _SILENT_H.match(word):
        return True
    if _SOUNDS_LIKE_YOU.match(word) or word in {"one", "once", "ones", "oneness"}:
        return False
    return word[0] in "aeiou" or bool(re.match(r"y[^aeiou]", word))
