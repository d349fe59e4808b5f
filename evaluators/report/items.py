r"""Items for the page: scripts of some hundred kilobytes, each of which the page loads when it is looked at.

A script calls `kgprobe(NAME, DATA)` and does nothing else. (A page that was opened from a disk may load scripts but may not
fetch files.) DATA is JSON in which nothing can end a script or a string: `<`, `>`, `&` and the two line separators are
escaped. Nothing that comes from a record is ever the name of a property.

>>> script("a", ["</script>"])
b'kgprobe("a",["\\u003c/script\\u003e"]);\n'
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from evaluators.metrics.balanced import SIDED
from evaluators.metrics.scoreboard import KIND
from evaluators.report.prompts import SHARED, JsonByItem, Sent
from evaluators.report.proofs import Kinds, proofs_of
from evaluators.verify.evidence import standing
from queries.records.item import Item, Premise
from queries.records.verdict import OUTCOMES, Reason

STATES = ("correct", "incorrect", "abstained", "unscored", "differing", "no verdict", "not asked")
"""What a model's answers to an item came to: the four outcomes; samples that differ; no verdict; no response."""

REASONS: dict[Reason, str] = {
    "exact": "the accepted answer, word for word",
    "alias": "another accepted answer, word for word",
    "normalised": "the accepted answer in other words, spelling or order",
    "numeric": "the same number",
    "date": "the same date, or one within it",
    "partial": "most of a longer answer",
    "denied": "the accepted answer is named only to be denied",
    "several_answers": "several answers are offered",
    "wrong": "another answer than the accepted one",
    "unsure": "it says that it does not know",
    "refused": "it declines to answer",
    "empty": "it holds no word",
    "echo": "it repeats the question",
    "repetition": "it says the same words over and over",
    "truncated": "it is cut off before it answers",
    "language": "it is in a language that the rules do not read",
    "unparsed": "no answer is found in it",
    "api_error": "an error came instead of a text",
    "tie": "the samples are split",
    "rejected": "it denies the premise",
    "corrected": "it names a true object instead",
    "misled": "it answers as if the premise held",
    "unclear": "it says nothing on the premise",
    "stated": "the graph states it, though the item does not list it",
    "weighed": "its signs are those of such answers, though the rules read it otherwise",
    "judge": "as the judge says",
    "judge_failed": "the judge gave no verdict",
}
"""What the codes of the verdicts are called on the page."""

_BYTES = 400_000  # about what a script of items should hold,
_ITEMS = 250  # and how many of them at most
_ITEM = 1500  # about what an item takes without its answers
_LISTED = 1000  # items in a script of the list
_CLIPPED = 180  # characters of a question in the list
_UNSAFE = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028", "\u2029": "\\u2029"}
CODES = "".join(chr(code) for code in range(35, 127) if chr(code) not in "&<>\\")
_KEY = ["item", "model", "sample"]
_SHOWN = ["model", "sample", "text", "finish", "error", "outcome", "reason", "answer", "rationale", "contradicted", "spans",
          "judge"]  # fmt: skip
_OUTCOME = _SHOWN.index("outcome")
_USED = ("usage", "seconds", "prompt", "way")
_NAMES = 2000  # values of a property from which on it is a name rather than a stratum
_BUCKET = 1500  # ids in a script that says where items stand
_NONE = "(none)"


class AnswersByItem:
    """All answers of a set, in the order of item, model and sample; a vote comes after its samples."""

    def __init__(self, responses: pl.DataFrame, verdicts: pl.DataFrame, claims: pl.DataFrame | None = None) -> None:
        """Join the records; `claims` holds for some answers (item, model, sample) a list of what they claim."""
        self._claims = {} if claims is None else {tuple(row[:3]): row[3] for row in claims.iter_rows()}
        self.models: list[str] = responses["model"].unique().sort().to_list()
        judged = verdicts.drop("line", "way", "sure", "lookups", *Sent._fields)
        votes = judged.filter(pl.col("sample").is_null() & pl.col("model").is_in(self.models))
        answered = responses.select(*_KEY, "text", "finish", "error", *_USED, "lookups").join(judged, on=_KEY, how="left")
        rows = pl.concat([answered, votes], how="diagonal_relaxed").with_columns(pl.col("model").cast(pl.Enum(self.models)))
        self.prompts = _prompts(responses)
        # Many answers were drawn alike: each has the number of its way.
        self.ways: list[str] = rows["way"].drop_nulls().unique().sort().to_list()
        rows = rows.with_columns(way=pl.col("way").replace_strict(self.ways, range(len(self.ways)), return_dtype=pl.Int64))
        self._rows = rows.sort(_KEY, nulls_last=True)  # a vote has no sample: it comes last

    def to_json(self) -> JsonByItem:
        """Return the answers to each item as JSON: for each its model (by number), sample, text, …, as `_SHOWN` says."""
        blob, places, start = bytearray(), {}, 0
        columns = ["item", pl.col("model").to_physical(), *_SHOWN[1:], *_USED, "evidence", "lookups"]
        for item, group in groupby(self._rows.select(columns).iter_rows(buffer_size=5000), key=itemgetter(0)):
            shown = [self._whole(item, row[1:-2], *row[-2:]) for row in group]
            blob += json.dumps(shown, ensure_ascii=False, separators=(",", ":")).encode()
            places[item] = start, len(blob)
            start = len(blob)
        return JsonByItem(bytes(blob), places)

    def _whole(self, item: str, row: tuple[Any, ...], evidence: bool | None, lookups: str | None) -> tuple[Any, ...]:
        """Show an answer; behind what it took stand its claims, and behind these what its model looked up."""
        claims = self._claims.get((item, self.models[row[0]], row[1])) if self._claims else None
        traced = None if lookups is None else [standing(row[_OUTCOME], evidence), *json.loads(lookups)]
        shown = [*_shown(row)]
        for place, more in enumerate((claims, traced), len(_SHOWN) + 1):
            if more is not None:
                shown += [None] * (place - len(shown))
                shown.append(more)
        return tuple(shown)

    def states(self, items: pl.Series) -> dict[str, list[int]]:
        """Return for each model what its answers to each item came to, as a number of `STATES`."""
        rows = self._rows.select(
            "item", "model", state=pl.col("outcome").fill_null("no verdict"), voted=pl.col("sample").is_null()
        )
        # A vote counts instead of its samples.
        counted = rows.filter(pl.col("voted") | ~pl.col("voted").any().over("item", "model"))
        one = pl.when(pl.col("state").n_unique() == 1).then(pl.col("state").first()).otherwise(pl.lit("differing"))
        states = counted.group_by("item", "model").agg(state=one)
        order = items.alias("item").to_frame()
        numbers = {state: number for number, state in enumerate(STATES)}
        return {
            model: order.join(states.filter(pl.col("model") == model), on="item", how="left", maintain_order="left")["state"]
            .fill_null("not asked")
            .replace_strict(numbers, return_dtype=pl.Int8)
            .to_list()
            for model in self.models
        }

    def reasons(self, items: pl.Series) -> dict[str, Facet]:
        """Return for each model the reasons of its verdicts on each item: all of them, since samples may differ."""
        told = self._rows.drop_nulls("reason").group_by("item", "model").agg(pl.col("reason").unique().sort().str.join(" "))
        order = items.alias("item").to_frame()
        facets = {}
        for model in self.models:
            of_model = order.join(told.filter(pl.col("model") == model), on="item", how="left", maintain_order="left")["reason"]
            values = [_NONE, *of_model.drop_nulls().unique().sort()]
            numbers = of_model.fill_null(_NONE).replace_strict(values, range(len(values)), return_dtype=pl.Int64)
            facets[model] = Facet(model, values, numbers.to_list())
        return facets


def _shown(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """Put what an answer took in a list at its end: tokens in and out, cost, time, prompt, way, tokens cached and thought."""
    *said, usage, seconds, prompt, way = row
    spent = usage or {}
    used = [*map(spent.get, ("input", "output", "usd")), seconds, prompt, way, *map(spent.get, ("cached", "reasoning"))]
    while used and used[-1] is None:  # most records say nothing of what came later
        used.pop()
    return (*said, used) if used else tuple(said)


def _prompts(responses: pl.DataFrame) -> dict[str, Any]:
    """Sum up what was sent: how many different prompts, and a hash over all of them in the order of their answers."""
    sent = responses.filter(pl.col("prompt").is_not_null()).sort(_KEY)
    whole = hashlib.sha256("".join(f"{prompt}\n" for prompt in sent["prompt"]).encode()).hexdigest()
    return {"answers": sent.height, "distinct": sent["prompt"].n_unique(), "sha256": whole if sent.height else None}


def about_items(sets: Sequence[Mapping[str, Any]]) -> bytes:
    """Return the script that the page loads first: each set of items, and what the codes in the other scripts mean."""
    about = {"sets": list(sets), "codes": CODES, "states": STATES, "outcomes": OUTCOMES, "reasons": list(REASONS.items())}
    return script("about", about)


def script(name: str, data: object) -> bytes:
    """Return a script that hands data to the page."""
    return _script(name, _json(data))


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _script(name: str, text: str) -> bytes:
    for character, escaped in _UNSAFE.items():  # several times faster than `translate`
        text = text.replace(character, escaped)
    return f"kgprobe({_json(name)},{text});\n".encode()


def shard_size(answers: JsonByItem) -> int:
    """Return how many items go into a script, so that long answers do not make long scripts."""
    # By the mean of all answers: the scripts are of one number of items each, so that the page finds an item by its number.
    each = _ITEM + len(answers.blob) / max(1, len(answers.places))
    return int(min(_ITEMS, max(10, _BYTES / each)))


class Facet(NamedTuple):
    """A property that items are picked by: its values, and for each item the number of its value."""

    name: str
    values: list[str]
    numbers: list[int]

    def packed(self) -> dict[str, Any]:
        """Return it with the numbers as text, one character each, or two where there are many values."""
        wide = len(self.values) > len(CODES)
        codes = [a + b for a in CODES for b in CODES] if wide else list(CODES)
        return {"name": self.name, "values": self.values, "wide": wide, "codes": "".join(codes[n] for n in self.numbers)}


class Shard(NamedTuple):
    """What is kept of the items of a script: their ids, questions and facets, and the queries of their proofs."""

    ids: list[str]
    questions: list[str]
    facets: list[dict[str, str]]
    kinds: Kinds


class Place(NamedTuple):
    """Where the items of a set are written, the answers that are written with them, and the prompts that lie beside."""

    folder: Path
    number: int
    answers: JsonByItem
    prompts: JsonByItem


def write_shard(items: Sequence[Item], number: int, place: Place) -> Shard:
    """Write a script of items. It uses no more than what it is given, so that it may run in another process."""
    proofs, kinds = proofs_of(items)
    texts = [_written(item, proof, place.answers.of(item.id)) for item, proof in zip(items, proofs, strict=True)]
    questions = [q if len(q) <= _CLIPPED else q[: _CLIPPED - 1] + "…" for q in (item.question for item in items)]
    name = f"items-{place.number}-{number}"
    (place.folder / f"{name}.js").write_bytes(_script(name, f"[{','.join(texts)}]"))
    if place.prompts.blob:  # many items are looked at without their prompts
        sent, beside = [place.prompts.of(item.id) or "[]" for item in items], f"prompts-{place.number}-{number}"
        (place.folder / f"{beside}.js").write_bytes(_script(beside, f"[{','.join(sent)}]"))
    return Shard([item.id for item in items], questions, [_facets(item) for item in items], kinds)


def _written(item: Item, proofs: list[Any], answers: str) -> str:
    detail = {name: value for name, value in (_detail(item) | {"P": proofs}).items() if value not in (None, [], "")}
    text = _json(detail)
    # The answers are JSON already: they are put in before the last brace.
    return f'{text[:-1]},"A":{answers}}}' if answers else text


class Shards:
    """Writes the list and the facets of one set of files; `add` takes its scripts one by one, `close` writes the rest."""

    def __init__(self, folder: Path, number: int, size: int) -> None:
        self._folder, self._set, self.size = folder, number, size
        self._count = 0
        self._ids: list[str] = []
        self._questions: list[str] = []
        self._values: dict[str, dict[str, int]] = {}  # of each facet: the number of each value, the first of which is none
        self._numbers: dict[str, list[int]] = {}
        self.kinds: Kinds = {}

    def add(self, shard: Shard) -> None:
        """Keep what the list and the facets need of a script of items."""
        names = dict.fromkeys(name for facets in shard.facets for name in facets)
        for name in dict.fromkeys([*self._values, *names]):
            # A stratum that comes up late has no value before.
            values = self._values.setdefault(name, {_NONE: 0})
            numbers = self._numbers.setdefault(name, [0] * self._count)
            numbers.extend([values.setdefault(facets.get(name, _NONE), len(values)) for facets in shard.facets])
        self._count += len(shard.ids)
        self.kinds |= shard.kinds
        self._ids += shard.ids
        self._questions += shard.questions
        # The list is written as soon as a script of it is full: no more than one is held in memory.
        while len(self._ids) >= _LISTED:
            self._list((self._count - len(self._ids)) // _LISTED)

    def _write(self, name: str, text: str) -> None:
        (self._folder / f"{name}.js").write_bytes(_script(name, text))

    def _list(self, number: int) -> None:
        self._write(f"list-{self._set}-{number}", _json([self._ids[:_LISTED], self._questions[:_LISTED]]))
        del self._ids[:_LISTED], self._questions[:_LISTED]

    def close(
        self,
        states: Mapping[str, list[int]],
        reasons: Mapping[str, Facet],
        ids: Sequence[str],
        ways: Sequence[str] = (),
        prompts: Sequence[str] | None = None,
    ) -> dict[str, Any]:
        """Write what is left, the facets, how answers were drawn, and where each id stands.

        Parameters: `states` and `reasons` say for each model what its answers came to and why, as those of `AnswersByItem`;
        `ids` are those of all items; `ways` say how answers were drawn, `prompts` what prompts share (null: there are none).
        Returns what the page needs to begin with.
        """
        if self._ids:
            self._list((self._count - 1) // _LISTED)
        facets = self._used_facets()
        for number, facet in enumerate(facets):  # each is loaded when items are picked by it
            self._write(f"facet-{self._set}-{number}", _json(facet.packed()))
        for number, facet in enumerate(reasons.values()):
            self._write(f"reasons-{self._set}-{number}", _json(facet.packed()))
        if ways:
            self._write(f"ways-{self._set}", f"[{','.join(ways)}]")
        for number in range(0, len(prompts or ()), SHARED):
            self._write(f"texts-{self._set}-{number // SHARED}", _json((prompts or ())[number : number + SHARED]))
        models = [
            Facet(model, list(STATES), numbers).packed() | {"reasons": reasons[model].values[1:]}
            for model, numbers in states.items()
        ]
        named = [{"name": facet.name, "values": facet.values, "used": sorted(set(facet.numbers))} for facet in facets]
        self._write(f"facets-{self._set}", _json({"facets": named, "models": models}))
        buckets = self._places(ids)
        return {
            "count": self._count,
            "size": self.size,
            "listed": _LISTED,
            "models": list(states),
            "buckets": buckets,
            "ways": len(ways),
            "texts": None if prompts is None else SHARED,
        }

    def _used_facets(self) -> list[Facet]:
        """Return the facets that tell items apart, and are no names."""
        facets = [Facet(name, list(values), self._numbers[name]) for name, values in self._values.items()]
        return [facet for facet in facets if facet.numbers and 1 < len(set(facet.numbers)) <= _NAMES]

    def _places(self, ids: Sequence[str]) -> int:
        """Write where each id stands, in scripts by the id's checksum; returns how many scripts there are."""
        buckets: list[list[tuple[str, int]]] = [[] for _ in range(1 + len(ids) // _BUCKET)]
        for number, item in enumerate(ids):
            buckets[zlib.crc32(item.encode()) % len(buckets)].append((item, number))
        for bucket, places in enumerate(buckets):
            self._write(f"ids-{self._set}-{bucket}", _json(places))
        return len(buckets)


def _facets(item: Item) -> dict[str, str]:
    """Return what items are picked by: what every item has, and its strata."""
    task = item.task if item.answer else "unanswerable" if item.parent is None else "consistency"
    side = f": {item.answer[0]}" if item.answer and item.task in SIDED else ""
    plain = {KIND: f"{item.method} {task}{side}", "method": item.method, "task": item.task, "variant": item.variant}
    premise = {} if item.premise is None else {"edit": item.premise.edit, "hops": item.premise.hops}
    told = {name: str(value) for name, value in premise.items() if value is not None}
    return plain | {"family": item.family} | told | {name: value for name, value in item.strata.items() if value is not None}


def _detail(item: Item) -> dict[str, Any]:
    """Return what the page shows of an item, by the letters that `page.js` reads: there may be 200,000 of them."""
    return {
        "id": item.id,
        "q": item.question,
        "o": item.options,
        "a": item.answer,
        "g": [(given.slot, given.value, 1) if given.claim else (given.slot, given.value) for given in item.given],
        "r": [(entry.slot, entry.value, entry.aliases) for entry in item.rationale],
        "p": None if item.premise is None else _premise(item.premise),
        "c": item.context,
        "m": item.image,
        "s": [("method", item.method), ("family", item.family), ("task", item.task), ("variant", item.variant)]
        + [(name, value) for name, value in item.strata.items() if value is not None],
        "u": [("group", item.group), *((name, value) for name, value in item.source.items() if value is not None)],
        "f": None if item.parent is None else [item.parent.item, item.parent.model, item.parent.sample],
    }


def _premise(premise: Premise) -> dict[str, Any]:
    return {
        "s": premise.subject.label,
        "r": premise.relation.label,
        "o": premise.object.label,
        "t": [(true.label, true.aliases) for true in premise.true_objects],
        "e": premise.edit,
        "h": premise.hops,
        "path": premise.path_labels or _path(premise) or None,
    }


def _path(premise: Premise) -> list[list[str]]:
    """Name what a path runs over in an item of before paths had names: by the labels of its fact, else by the ends of IRIs."""
    known = {one.iri: one.label for one in (premise.subject, premise.relation, premise.object, *premise.true_objects)}
    return [[known.get(iri) or re.split("[/#]", iri.rstrip("/#"))[-1] for iri in fact] for fact in premise.path or ()]
