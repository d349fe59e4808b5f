"""Questions in English for the facts of a graph, rendered a column at a time.

The wordings are `queries/phrasing/*.toml`, and those of a domain file: for each relation some yes-no questions and some
questions with a premise. Which of them a fact is asked with is drawn by hash. The questions made from one frame differ only in
the names that are filled in.

```
>>> frames = load_phrasings().for_relation("place of death").yes_no
>>> frames[0].fill(subject="Albert Einstein", object="Princeton")
'Did Albert Einstein die in Princeton?'

```
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

import polars as pl

from generators.articles import Slot, as_generic, head_of, with_common_article, with_the
from generators.fpq.label_forms import FORMS as LABEL_FORMS
from generators.fpq.label_forms import Form, LabelForms, without_auxiliary
from kg.errors import InputError, nearest
from kg.text import fold
from queries.domain import Domain

_SLOT = re.compile(r"\{([^{}]*)\}")
_ARTICLES = {"": "", "a": "_a", "the": "_the", "language": "_language", "generic": "_generic"}
_NAMES = ("subject", "object")
_FORMS = ("yes_no", "premise")
_TEXTS = ("relation", *_FORMS)
_WORDS = ("prepositions", "verbs", "states", "particles", "intransitive")
_LISTS = ("other", "subject", *_WORDS)
_NOT_THEMES = ("articles.toml", "fallback.toml", "ranges.toml", "tense.toml")

VERBS = {
    "is": ("is", "are", "was", "were"),
    "does": ("does", "do", "did", "did"),
    "was": ("was", "were", "was", "were"),
}
"""Each verb: of one thing, of several; and both in the past."""

AGREEING = ("", "subject", "object", "both")
"""With what a verb may agree."""


@dataclass(frozen=True)
class Verb:
    """A place in a text for a form of a verb, and what it agrees with: subject, object, both, or one thing ("")."""

    word: str
    of: str = ""

    def expr(self, names: dict[str, str]) -> pl.Expr:
        """Choose the form for every row: by the column `past`, and `NAME_plural` of what it agrees with.

        >>> rows = pl.DataFrame({"s_plural": [False, True], "past": [True, False]})
        >>> rows.select(said=Verb("is", "subject").expr({"subject": "s"}))["said"].to_list()
        ['was', 'are']
        """
        one, several, was, were = map(pl.lit, VERBS[self.word])
        plural = pl.lit(self.of == "both") if self.of in ("", "both") else pl.col(f"{names[self.of]}_plural")
        past = pl.col("past")
        return pl.when(past & plural).then(were).when(past).then(was).when(plural).then(several).otherwise(one)

    @property
    def plain(self) -> str:
        """The form for one thing (or two) that is there still.

        >>> Verb("does", "both").plain
        'do'
        """
        return VERBS[self.word][self.of == "both"]


Piece = str | Slot | Verb
"""A part of a question: text, a place for a name, or a verb that agrees with it."""


@dataclass(frozen=True)
class Frame:
    """A question with places for names, already taken apart: a filled-in name is never read as a slot."""

    pieces: tuple[Piece, ...]

    def expr(self, subject: str, object: str) -> pl.Expr:
        """Render the question for every row of a frame.

        Parameters: the names of the label columns; `<name>_a`, `<name>_the` … stand beside them where a slot asks for an
        article (see `article_columns`), `<name>_plural` and `past` where a verb agrees (see `verbs`).

        >>> data = pl.DataFrame({"s": ["Oslo"], "o": ["Norway"], "o_the": ["Norway"]})
        >>> data.select(parse_frame("Is {subject} in {object:the}?").expr("s", "o").alias("question")).item()
        'Is Oslo in Norway?'
        """
        names = {"subject": subject, "object": object}
        text = pl.concat_str([_column(piece, names) for piece in self.pieces])
        # A title that asks itself ends the question.
        text = text.str.replace(r"\?(”?)\?$", "?$1")
        return text if isinstance(self.pieces[0], str) else _capital(text)

    def fill(self, subject: str, object: str) -> str:
        """Render one question.

        >>> parse_frame("{object:the} borders {subject}?").fill("{object}", "Baltic Sea")
        'The Baltic Sea borders {object}?'
        """
        names = {"subject": subject, "object": object}
        text = "".join(_said(piece, names) for piece in self.pieces)
        text = text[:-1] if text.endswith(("??", "?”?")) else text
        return text[:1].upper() + text[1:]

    def bind(self, **values: str) -> Frame:
        """Put fixed text in place of the slots that are named, such as the relation of a fallback frame.

        >>> parse_frame("Has {subject} {object} as {relation}?", extra=["relation"]).bind(relation="capital").pieces[-1]
        ' as capital?'
        """
        filled = [values.get(p.name, p) if isinstance(p, Slot) else p for p in self.pieces]
        return Frame(tuple(_joined(filled)))


@dataclass(frozen=True)
class Phrasing:
    """The questions that a relation is asked with: one or more frames for each form."""

    relation: str
    yes_no: tuple[Frame, ...]
    premise: tuple[Frame, ...]

    def expr(self, form: str, subject: str, object: str, drawn: str) -> pl.Expr:
        """Render a form for every row, each row with the frame that its number in the column `drawn` falls to.

        >>> born = load_phrasings().for_relation("place of birth")
        >>> data = pl.DataFrame({"s": ["Ada"], "o": ["Oslo"], "o_the": ["Oslo"], "n": [2 * len(born.yes_no)]})
        >>> data.select(born.expr("yes_no", "s", "o", "n").alias("question")).item()
        'Was Ada born in Oslo?'
        """
        frames = self.frames(form)
        turn, text = pl.col(drawn) % len(frames), frames[0].expr(subject, object)
        for number, frame in enumerate(frames[1:], start=1):
            text = pl.when(turn == number).then(frame.expr(subject, object)).otherwise(text)
        return text

    def frames(self, form: str) -> tuple[Frame, ...]:
        """Return the frames of a form: `yes_no` or `premise`."""
        return self.yes_no if form == "yes_no" else self.premise


@dataclass(frozen=True)
class Fallback:
    """Plain frames for relations that no file words, one phrasing for each form of a label (see `fallback.toml`)."""

    frames: Mapping[Form, Phrasing]
    labels: LabelForms

    def for_relation(self, label: str) -> Phrasing:
        """Choose by the form of the label and put it in."""
        form, text = self.labels.form(label)
        yes_no, premise = (tuple(f.bind(relation=text) for f in self.frames[form].frames(side)) for side in _FORMS)
        return Phrasing(label, yes_no, premise)

    def is_verb_like(self, label: str) -> bool:
        """Tell "capital of" and "located in time zone" from "capital" and "place of birth"."""
        return self.labels.is_verb_like(label)


@dataclass(frozen=True)
class Phrasings:
    """All wordings, found by relation label; upper and lower case and punctuation do not matter.

    `own` are those of a domain file, which go before the project's; `by_kind` those of some subjects only, by relation and the
    subject's concept, whole or its head: an album is recorded, a part is played, an animated film has voices.
    """

    fallback: Fallback
    by_relation: Mapping[str, Phrasing] = field(default_factory=dict)
    own: Mapping[str, Phrasing] = field(default_factory=dict)
    by_kind: Mapping[tuple[str, str], Phrasing] = field(default_factory=dict)

    def for_names(self, names: Sequence[str], concept: str | None = None) -> Phrasing:
        """Find the wording of a relation that goes by several names, its label first, for subjects of a concept.

        >>> load_phrasings().for_names(["P20", "place of death"]).relation
        'place of death'
        >>> load_phrasings().for_names(["capital"], "county of Ohio").yes_no[0].fill("Lake County", "Painesville")
        'Has Painesville ever been the county seat of Lake County?'
        """
        worded = next((name for name in names if fold(name) in self.own), None)
        if worded:
            return self.own[fold(worded)]
        found = self.for_relation(next((name for name in names if name in self), names[0]))
        own = (self.by_kind.get((fold(found.relation), kind)) for kind in _kinds(concept or ""))
        return next((phrasing for phrasing in own if phrasing), found)

    def words_kind(self, concept: str) -> bool:
        """Say whether some relation has words of its own for subjects of a concept.

        >>> load_phrasings().words_kind("animated film"), load_phrasings().words_kind("genus")
        (True, False)
        """
        worded = {kind for _, kind in self.by_kind}
        return not worded.isdisjoint(_kinds(concept))

    def origin(self, names: Sequence[str]) -> str:
        """Say whose words a relation is asked in, and how many questions of each form there are.

        >>> load_phrasings().origin(["has mascot"])
        'plain: 3 yes-no, 2 with a premise'
        """
        whose = "own" if any(fold(n) in self.own for n in names) else "ours" if any(n in self for n in names) else "plain"
        found = self.for_names(names)
        return f"{whose}: {len(found.yes_no)} yes-no, {len(found.premise)} with a premise"

    def for_relation(self, label: str) -> Phrasing:
        """Find the wording of a relation, or a plain one if no file words it.

        >>> load_phrasings().for_relation("has mascot").yes_no[0].fill("Oslo", "a lion")
        'Does Oslo have a lion as a mascot?'
        """
        return self._worded(label) or self.fallback.for_relation(label)

    def __contains__(self, label: str) -> bool:
        """Say whether a file words this relation, as it is called or without the auxiliary of a schema: `hasCapital`."""
        return self._worded(label) is not None

    def _worded(self, label: str) -> Phrasing | None:
        return self.by_relation.get(fold(label)) or self.by_relation.get(fold(without_auxiliary(label)))


def parse_frame(text: str, *, place: str | None = None, extra: Iterable[str] = ()) -> Frame:
    """Take a template apart.

    Parameters: `place` is named in errors; `extra` names slots allowed besides subject and object.

    Raises: `kg.errors.InputError` for an unknown slot, a stray brace, or a question without subject or object.

    >>> parse_frame("Is {object:the} in {subject}?").pieces
    ('Is ', Slot(name='object', article='the'), ' in ', Slot(name='subject', article=''), '?')
    """
    pieces = tuple(_pieces(text, place, (*_NAMES, *extra)))
    present = {piece.name for piece in pieces if isinstance(piece, Slot)}
    for name in (*_NAMES, *extra):
        if name not in present:
            raise InputError(f"{{{name}}} is missing", place=place, way_out="every question names it")
    if not text.endswith("?"):
        raise InputError("a question ends in '?'", place=place)
    return Frame(pieces)


def phrasings_of(domain: Domain) -> Phrasings:
    """Return the project's wordings, and before them those that a domain file brings (`[wording."RELATION"]`).

    Raises: `kg.errors.InputError` naming file and relation: an unknown or missing key or slot, a relation worded twice.
    """
    own: dict[str, Phrasing] = {}
    for label, entry in domain.wording.items():
        place = f'{domain.path} [wording."{label}"]'
        _check_keys(entry, place, required=_FORMS)
        if fold(label) in own:
            raise InputError(f"the relation '{label}' is worded twice", place=place)
        own[fold(label)] = Phrasing(label, *(_frames(entry, form, place) for form in _FORMS))
    return replace(load_phrasings(), own=own)


def load_phrasings(folder: Traversable | None = None) -> Phrasings:
    """Read every phrasing file of a folder, by default those that come with the project.

    Raises: `kg.errors.InputError` naming file and key: an unknown or missing key or slot, a relation worded twice.

    >>> "place of birth" in load_phrasings()
    True
    """
    return _shipped() if folder is None else _load(folder)


@cache
def _shipped() -> Phrasings:
    return _load(files("queries").joinpath("phrasing"))


def _load(folder: Traversable) -> Phrasings:
    names = sorted(entry.name for entry in folder.iterdir() if entry.name.endswith(".toml"))
    by_relation: dict[str, Phrasing] = {}
    by_kind: dict[tuple[str, str], Phrasing] = {}
    for name in (n for n in names if n not in _NOT_THEMES):
        for place, labels, kinds, phrasing in _entries(folder.joinpath(name)):
            # By the folded label, as relations are looked up: two spellings of one are the same relation.
            known: dict[Any, Phrasing] = by_kind if kinds else by_relation
            for key in [(fold(phrasing.relation), kind) for kind in kinds] or map(fold, labels):
                if key in known:
                    raise InputError(f"the relation '{phrasing.relation}' is worded twice", place=place)
                known[key] = phrasing
    return Phrasings(_load_fallback(folder.joinpath("fallback.toml")), by_relation, by_kind=by_kind)


def _entries(file: Traversable) -> Iterator[tuple[str, list[str], list[str], Phrasing]]:
    """Yield the wordings of one file: place, all labels of its relation, its subjects' kinds (none: all), the wording."""
    for key, entry in _read(file).items():
        place = f"{_path(file)} [{key}]"
        _check_keys(entry, place, required=("relation", *_FORMS), optional=("other", "subject"))
        phrasing = Phrasing(entry["relation"], *(_frames(entry, form, place) for form in _FORMS))
        yield place, [entry["relation"], *entry.get("other", [])], entry.get("subject", []), phrasing


def _load_fallback(file: Traversable) -> Fallback:
    data = _read(file)
    _check_keys(data, _path(file), required=(*_WORDS, *LABEL_FORMS))
    frames = dict[Form, Phrasing]()
    for form in LABEL_FORMS:
        place = f"{_path(file)} [{form}]"
        _check_keys(data[form], place, required=_FORMS)
        frames[form] = Phrasing("", *(_frames(data[form], side, place, ["relation"]) for side in _FORMS))
    return Fallback(frames, LabelForms.of({name: data[name] for name in _WORDS}))


def _frames(entry: Mapping[str, Any], form: str, place: str, extra: Iterable[str] = ()) -> tuple[Frame, ...]:
    """Take the templates of a form apart: one text, or a list of them."""
    texts = [entry[form]] if isinstance(entry[form], str) else entry[form]
    if not texts:
        raise InputError("there is no question", place=f"{place} {form}", way_out=f'write {form} = "…" or a list of them')
    return tuple(parse_frame(text, place=f"{place} {form}", extra=extra) for text in texts)


def _read(file: Traversable) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        raise InputError(f"cannot be read as TOML ({error})", place=_path(file)) from error


def _check_keys(entry: Any, place: str, required: tuple[str, ...], optional: tuple[str, ...] = ()) -> None:
    if not isinstance(entry, dict):
        raise InputError("a table is expected here", place=place, way_out='write [slug] and relation = "…" below it')
    known = (*required, *optional)
    for key in entry:
        if key not in known:
            raise InputError(f"unknown key '{key}'", place=place, way_out=nearest(key, known))
    for key in required:
        if key not in entry:
            raise InputError(f"the key '{key}' is missing", place=place)
    for key, value in entry.items():
        listed = isinstance(value, list) and all(isinstance(x, str) for x in value)
        if key in _TEXTS and not isinstance(value, str) and not (key in _FORMS and listed):
            raise InputError(f"'{key}' is no text", place=place, way_out=f'write {key} = "…"')
        if key in _LISTS and not listed:
            raise InputError(f"'{key}' is no list of texts", place=place, way_out=f'write {key} = ["…", "…"]')


def _pieces(text: str, place: str | None, names: tuple[str, ...]) -> Iterator[Piece]:
    """Yield texts, slots and verbs in turn, empty texts left out."""
    end = 0
    for match in _SLOT.finditer(text):
        yield from _plain(text[end : match.start()], place)
        yield _slot(match[1], place, names)
        end = match.end()
    yield from _plain(text[end:], place)


def _plain(text: str, place: str | None) -> Iterator[str]:
    if "{" in text or "}" in text:
        raise InputError("a brace without its partner", place=place, way_out="write {subject} or {object:the}")
    if text:
        yield text


def _slot(inside: str, place: str | None, names: tuple[str, ...]) -> Slot | Verb:
    name, colon, article = inside.partition(":")
    if name in VERBS and article in AGREEING and bool(colon) == bool(article):
        return Verb(name, article)
    known = [f"{n}{':' if a else ''}{a}" for n in names for a in _ARTICLES] + [*VERBS]
    if name not in names or article not in _ARTICLES or (colon and not article):
        raise InputError(f"unknown slot {{{inside}}}", place=place, way_out=nearest(inside, known))
    return Slot(name, article)


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Join texts that stand side by side."""
    text = ""
    for piece in pieces:
        if isinstance(piece, str):
            text += piece
            continue
        if text:
            yield text
        yield piece
        text = ""
    if text:
        yield text


def _capital(text: pl.Expr) -> pl.Expr:
    """Begin a text with a capital; the rest stays as it is, which `str.to_titlecase` would not leave."""
    return pl.concat_str([text.str.slice(0, 1).str.to_uppercase(), text.str.slice(1)])


def _column(piece: Piece, names: dict[str, str]) -> pl.Expr:
    if isinstance(piece, Verb):
        return piece.expr(names)
    return pl.lit(piece) if isinstance(piece, str) else pl.col(names[piece.name] + _ARTICLES[piece.article])


def _kinds(concept: str) -> tuple[str, str]:
    """Return what a concept may be worded by, the closest first: its whole name, and the word that says what it is."""
    return fold(concept), head_of(concept)


def _said(piece: Piece, names: dict[str, str]) -> str:
    if isinstance(piece, Verb):
        return piece.plain
    return piece if isinstance(piece, str) else _named(names[piece.name], piece.article)


def _named(label: str, article: str) -> str:
    if article == "generic":
        return as_generic(label)
    if article in ("the", "language"):
        return with_the(label)
    return with_common_article(label) if article == "a" else label


def _path(file: Traversable) -> str:
    return f"queries/phrasing/{file.name}"
