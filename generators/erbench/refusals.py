"""What nobody would ask of a database, and why: the internals of a database, private matters, answers that can be guessed.

A column is judged by the words of its name, and by the look of its values; a way along foreign keys by what its question
would say and by what its answers are. Each rule gives a reason, which the summary prints.

```
>>> of_column(Column("row md5", "row_md5", "peak", values=("0cc175b9c0f1b6a8", "92eb5ffee6ae2fec")))
'what a database needs for itself'
>>> of_column(Column("cover", "cover", "book", values=("https://e.org/1.png", "https://e.org/2.png")))
'addresses of pages'
>>> of_column(Column("weight in kilograms", "wt_kg", "spacecraft")) is None
True
>>> of_column(Column("weight in kilograms", "wt_kg", "patient"))
'personal data (--personal asks for them)'

```
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

import polars as pl

from generators.column_names import WordLists, split, unit_of
from generators.erbench import sure
from generators.inflections import is_agent
from generators.lint.rules import MARK, wording_faults
from kg.formats import shipped_toml
from kg.text import fold_all

MOST, COMMONEST, FEWEST = 0.75, 5, 20
"""A family is refused whose so many commonest answers cover more than this share of its rows, where it has that many rows."""
LOOKS_ALIKE = 0.9
"""So many of a column's values must have a look for it to be theirs."""
LONGEST_CHAIN = 2
"""A question says "of", and adds a clause, so many times in all at most."""

INTERNAL = "what a database needs for itself"
PERSONAL = "personal data (--personal asks for them)"
UNDECLARED = "a number of another row, and nothing tells of which table (--link TABLE.COLUMN=TABLE does)"
HALF = "a distance, and no column says from what"
CODED = "codes, which stand for something else"
GUESSED = f"its {COMMONEST} commonest answers cover most rows: asked only whether it is one of them"
SETTLED = "nearly all rows have the same value"
CHAINED = "its question would say “of”, or who or what does something, more than twice"
EMBEDDED = "its question would put a clause before its verb"
OF_A_PERSON = "only somebody is born or dies, and its rows are nobody"
TWICE = "another family asks in the same words"
AT_ODDS = "another column says that it was in another year"
MEASURED = "another column says it in another unit"
COPIED = "its rows stand in other tables"
STATED = "its question would state a value on the way to the answer"
_NAMELESS = "its rows have neither names, marks nor a key of one column"
UNNAMED = "its rows have no names (--numbered asks by number)"

_LOOKS = (
    ("addresses of pages", r"(?i)^(https?://|ftp://|www\.|urn:|mailto:|//)\S+$"),
    (
        "names of files",
        r"(?i)^\S*[\w-]\.(png|jpe?g|gif|svg|webp|tiff?|bmp|ico|pdf|html?|php|mp[34]|wav|ogg|csv|json|xml|txt|zip)$",
    ),
    ("paths", r"^(/[\w.@%+-]+){2,}/?$|^[A-Za-z]:\\"),
    ("items of Wikidata", r"^[QPL]\d{2,}$"),
    ("identifiers", r"(?i)^\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?$"),
    ("checksums", r"^([0-9a-f]{16,}|[0-9A-F]{16,})$"),
    ("hexadecimal numbers", r"^(#[0-9A-Fa-f]{3,8}|0x[0-9A-Fa-f]+)$"),
    ("code points", r"(?i)^(U\+|\\u)[0-9A-F]{4,6}"),
    ("coordinates", r"^-?\d{1,3}\.\d{4,}$|^-?\d{1,3}\.\d+\s*,\s*-?\d{1,3}\.\d+$|^(?i:POINT|POLYGON|LINESTRING)\b"),
    ("moments to the minute", r"^\d{4}-\d\d-\d\d[T ](?:(?:0[1-9]|1\d|2\d):\d\d|00:(?:0[1-9]|[1-5]\d))"),
    ("texts for programs", r"^\s*[\[{<].*[\]}>]\s*$"),
)
"""What no answer looks like."""
_PRIVATE_LOOKS = r"^\S+@\S+\.\S+$|^(\+|00|\()[\d][\d\s()./-]{6,}$|^\d{3}[-.\s]\d{3,4}[-.\s]\d{3,4}$|^\d{3}-\d{2}-\d{4}$"
"""E-mail addresses, and the numbers that a person is reached by or has."""


@dataclass(frozen=True)
class Words:
    """The lists of `refusals.toml`."""

    internal: list[str]
    addresses: list[str]
    coordinates: list[str]
    hexadecimal: list[str]
    internal_phrases: list[str]
    personal: list[str]
    personal_phrases: list[str]
    of_persons: list[str]
    birth: list[str]
    private_persons: list[str]
    catalogues: list[str]
    private_columns: list[str]
    persons: list[str]
    coded: list[str]
    marks: list[str]

    @staticmethod
    @cache
    def load() -> Words:
        """Read the lists once."""
        return Words(**shipped_toml("generators.erbench", "refusals.toml"))


@dataclass(frozen=True)
class Column:
    """A column to be judged: as it is said and as it is called, the table that it is of, and its distinct values.

    `private`: whether the table is one of people who are known to nobody else; `person`: whether it is one of people. Where
    they are not given, the table's name says so.
    """

    said: str
    raw: str
    table: str
    values: Sequence[str] = ()
    private: bool | None = None
    person: bool | None = None


MARKED = r"^\p{Lu}[\p{Lu}./ -]{0,9}\d[\p{Lu}\d./ -]{0,9}$|^\d{1,4}[./ -]?\p{Lu}[\p{Lu}\d./ -]{0,9}$|^\p{Lu}{1,2}-\p{Lu}{3,5}$"
"""What a mark on a thing looks like: capitals and figures, "D-1234"."""


def is_mark(name: str) -> bool:
    """Tell whether a column holds the marks that things of a kind bear, each its own.

    >>> is_mark("registration number"), is_mark("call sign"), is_mark("order number"), is_mark("colour")
    (True, True, False, False)
    """
    return bool({*name.split()} & {*Words.load().marks}) or name in ("number", "code", "call sign")


def unsaid(word: str) -> str:
    """Say why a name cannot be said: a part of it is no word, or may be several.

    >>> unsaid("xq"), unsaid("qual")
    ('“xq” in its name is no word', '“qual” in its name may be qualification or quality')
    """
    senses = WordLists.load().senses.get(word)
    return f"“{word}” in its name may be {' or '.join(senses)}" if senses else f"“{word}” in its name is no word"


def nameless(column: str | None) -> str:
    """Say that rows have no names, and by which column they could be told, where one has another value in each.

    >>> nameless("FND.FNDNO")
    'its rows have neither names, marks nor a key of one column (kg load sql --label FND.FNDNO names them)'
    """
    way_out = f"kg load sql --label {column} names them" if column else "kg load sql --label TABLE.COLUMN says what names them"
    return f"{_NAMELESS} ({way_out})"


# --- columns


def of_column(column: Column, *, personal: bool = False) -> str | None:
    """Say why nobody should be asked about a column; None where somebody may be. With `personal`, private matters are asked."""
    return _internal_by_name(column) or (None if personal else _personal(column)) or _by_look(column, personal)


def is_private(table: str, columns: Collection[str], person: bool = False) -> bool:
    """Tell whether the rows of a table are people known to those who keep it: by its name, or by what it keeps of people.

    Nobody is of whom it says where an encyclopedia or a catalogue has them: a driver of lorries is, a champion is not.

    >>> is_private("customer", []), is_private("person", ["e-mail"]), is_private("chess player", ["date of birth"])
    (True, True, False)
    >>> is_private("driver", ["name"]), is_private("driver", ["name", "wiki_slug"]), is_private("driver", ["date of death"])
    (True, False, False)
    >>> is_private("discoverer", ["nationality", "death year", "e-mail"], True), is_private("patient", ["death date", "e-mail"])
    (False, True)
    """
    lists = Words.load()
    told = {word for name in columns for word in _words(name)}
    if told & {*lists.catalogues}:
        return False
    kept = told & {*lists.private_columns}
    if told & _DEATH and told & {"nationality", "citizenship"}:
        return False  # of whom a life is told, whoever can still be written to
    # No firm keeps when its drivers died; of patients and members somebody does.
    if told & _DEATH and not kept and is_agent(table.split()[-1]):
        return False
    return _is_one_of(table, lists.private_persons) or bool(kept and (person or _is_one_of(table, lists.persons)))


_DEATH = frozenset({"death", "died", "dod", "deathdate"})


def is_personal(name: str) -> bool:
    """Tell whether a name is of what is told of nobody.

    >>> is_personal("monthly salary"), is_personal("capital")
    (True, False)
    """
    lists = Words.load()
    return bool(_words(name) & {*lists.personal}) or _has_phrase(name, lists.personal_phrases)


def _internal_by_name(column: Column) -> str | None:
    lists, raw, words = Words.load(), split(column.raw), _words(column.said) | _words(column.raw)
    named = {
        INTERNAL: lists.internal,
        "names of pages and files": lists.addresses,
        "coordinates": lists.coordinates,
        "numbers for programs": lists.hexadecimal,
    }
    own = _words(column.table)
    for reason, listed in named.items():
        if words & {*listed} - own:
            return reason
    if _has_phrase(column.said, lists.internal_phrases) or column.said in ("id", "key"):
        return INTERNAL
    return UNDECLARED if raw[-1] in ("id", "ids", "fk") else None


def _personal(column: Column) -> str | None:
    lists, words = Words.load(), _words(column.said) | _words(column.raw)
    private = is_private(column.table, []) if column.private is None else column.private
    person = private or column.person or _is_one_of(column.table, lists.persons)
    told = is_personal(column.said) or (person and words & {*lists.of_persons}) or (private and words & {*lists.birth})
    return PERSONAL if told else None


def _by_look(column: Column, personal: bool) -> str | None:
    if not column.values:
        return None
    values = pl.Series(column.values)
    measured = sure.is_measure(unit_of(column.said)[0])  # an orbital period of 29.5306 days lies nowhere
    for reason, look in _LOOKS:
        if measured and reason == "coordinates":
            continue
        if (values.str.contains(look).mean() or 0) >= LOOKS_ALIKE:  # type: ignore[operator]
            return reason
    if not personal and (values.str.contains(_PRIVATE_LOOKS).mean() or 0) >= LOOKS_ALIKE:  # type: ignore[operator]
        return PERSONAL
    short = values.str.contains(r"^[A-Za-z]$").all() and not values.str.contains("(?i)^[ynft]$").all()
    # Letters as long as each other, of no sound: FRM, TWN, CEM; but a star is of class K and blood of type AB.
    alike = values.len() > 2 and values.str.contains(r"^\p{Lu}{2,4}$").all() and values.str.len_chars().n_unique() == 1
    named = {*split(column.raw), *column.said.split()} & {*Words.load().coded}
    return CODED if ((short or alike) and named) or _are_areas_in_code(column, values) else None


def _are_areas_in_code(column: Column, values: pl.Series) -> bool:
    """Tell whether places are written in a few capitals, all of them: ARC and ANT, and no Peru beside the USA."""
    return column.said.split()[-1] in WordLists.load().areas and bool(values.str.contains(r"^\p{Lu}{2,4}$").all())


def _words(name: str) -> set[str]:
    return {word.replace("-", "") for word in re.split(r"[\s_]+", name.lower()) if word} | {*split(name)}


def _has_phrase(name: str, phrases: Sequence[str]) -> bool:
    return any(f" {phrase} " in f" {name.lower()} " for phrase in phrases)


def _is_one_of(table: str, nouns: Collection[str]) -> bool:
    """Tell whether a table is called by one of some nouns: the last word says what a row is ("staff member", "film actor")."""
    words = table.split()
    return bool(words) and (words[-1] in nouns or words[0] in nouns)


# --- ways to an answer


def is_guessed(answers: pl.Series) -> bool:
    """Tell whether a few answers are right of most rows.

    >>> is_guessed(pl.Series(["Europe"] * 30 + ["Asia"] * 20)), is_guessed(pl.Series([str(n) for n in range(50)]))
    (True, False)
    """
    if answers.len() < FEWEST:
        return False
    counts = answers.value_counts(sort=True)["count"]
    return bool(counts.head(COMMONEST).sum() > MOST * answers.len())


FLAGGED = 0.9
"""Yes, or no, may be right of more rows than one value among many."""


def is_settled(answers: pl.Series, most: float = MOST) -> bool:
    """Tell whether one answer is right of most rows: then even a question for yes or no is guessed.

    >>> is_settled(pl.Series(["English"] * 30 + ["French"] * 2)), is_settled(pl.Series(["a", "b"] * 10))
    (True, False)
    """
    commonest = answers.value_counts(sort=True)["count"].head(1).sum()
    return answers.len() >= FEWEST and bool(commonest > most * answers.len())


def of_questions(texts: Sequence[str], seen: Collection[str]) -> str | None:
    """Say why a family's questions, with what they state left open, would not be asked; `seen` are those of other families.

    >>> of_questions(["What is the mayor of the capital of the country of the river “{river}”?"], [])
    'its question would say “of”, or who or what does something, more than twice'
    >>> of_questions(["Who is the head of {a}?"], [open_text("Who is the head of {b}?")])
    'another family asks in the same words'
    """
    if any(links_in(text) > LONGEST_CHAIN for text in texts):
        return CHAINED
    return TWICE if open_texts(texts) & {*seen} else None


def open_texts(texts: Sequence[str]) -> set[str]:
    """Leave open what questions state; one with a claim may stand for a place and for a year ("born in ...?")."""
    return {open_text(text) for text in texts if "{claimed" not in text}


def links_in(text: str) -> int:
    """Count what leads from the row in a question to what is asked: each "of", and each clause.

    >>> links_in("What is the dean of the faculty of {x}?"), links_in("What is the head of the team that {x} belongs to?")
    (2, 2)
    """
    return len(re.findall(r"\b(?:of|nearest to) (?=the\b|[{“])", text)) + clauses_in(text)


def clauses_in(text: str) -> int:
    """Count the clauses that say of which row something is.

    >>> clauses_in("Is it true that {x} is not the head of the team that the rider {y} belongs to?")
    1
    """
    text = re.sub(r"(?i)\bis it true that ", "", text)
    return len(re.findall(r"\b(?:that|whom|where|who|which) (?=the\b|[{“])", text))


def of_wording(texts: Sequence[str], *, personal: bool = False) -> str | None:
    """Say which rule of the linter a family's questions break: what it would find fault with is not asked.

    >>> of_wording(["What is the opened of {depot:the depot}?"]), of_wording(["Who built “{house}” of {country:the}?"])
    ('its question asks for the participle of something', None)
    """
    kind = re.compile(r"“?\{\w+(?::(?:a|one|some|words|the(?: ([^{}]*))?))?\}”?")
    for text in texts:
        plain = text.replace("{{", "").replace("}}", "")  # what was a brace in a name
        said = kind.sub(lambda found: f"the {found[1]} {MARK}" if found[1] else MARK, plain)
        if broken := [rule for rule in wording_faults(said) if not (personal and rule.name == "personal")]:
            return f"its question {broken[0].says}"
    return None


def open_text(text: str) -> str:
    """Leave open what a question states, to compare it with others.

    >>> open_text("Who wrote “{title}” of {year:a}?")
    'who wrote “◻” of ◻?'
    """
    return re.sub(r"\{[^{}]*\}", "◻", text).lower()


def tells(stated: pl.DataFrame, end: pl.DataFrame) -> bool:
    """Tell whether what a question states of a row (`s, o`) is the answer (`s, folded`) in most rows."""
    both = end.join(stated.select("s", stated=fold_all(stated["o"])), on="s")
    return not both.is_empty() and float((both["folded"] == both["stated"]).mean() or 0) > 1 - LOOKS_ALIKE  # type: ignore[arg-type]


# --- tables


def copies(named: pl.DataFrame) -> set[str]:
    """Return the tables that only put others together: their rows are those of two other tables or more (`table, name`).

    >>> parts = pl.DataFrame({"table": ["a", "a", "b", "b"], "name": ["x", "y", "z", "w"]})
    >>> copies(pl.concat([parts, parts.with_columns(table=pl.lit("every"))]))
    {'every'}
    """
    rows = named.drop_nulls().unique()
    sizes = rows.group_by("table").agg(size=pl.len())
    both = rows.join(rows.rename({"table": "part"}), on="name").filter(pl.col("table") != pl.col("part"))
    within = both.group_by("table", "part").agg(shared=pl.len()).join(sizes, left_on="part", right_on="table")
    parts = within.filter(pl.col("shared") >= LOOKS_ALIKE * pl.col("size")).select("table", "part")
    put = both.join(parts, on=["table", "part"]).group_by("table").agg(pl.col("name").n_unique(), pl.col("part").n_unique())
    found = put.join(sizes, on="table").filter(pl.col("name") >= LOOKS_ALIKE * pl.col("size"), pl.col("part") > 1)
    return set(found["table"])
