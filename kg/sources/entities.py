"""Wikidata's entity JSON, whole dumps or a part of one: what is best ranked becomes facts, as in the tab-separated files.

Each line is read once; rows wait in the scratch until all names are known. Memory holds a few bytes of each entity.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import msgspec
import polars as pl

from kg import vocab
from kg.build import Build, Load, iri_terms, literal_terms
from kg.errors import InputError, SourceError, one_line
from kg.sorted_runs import Scratch
from kg.sources._entity_json import Claim, Entity, claims_of, entities_of, is_id
from kg.sources._rdf_files import opened, sha256_of_files
from kg.sources._rows import Rows
from kg.sources.kopl import kopl_terms
from kg.terms import language_tag

_WD, _WDT, _P, _PS, _PQ = (vocab.PREFIXES[prefix] for prefix in ("wd", "wdt", "p", "ps", "pq"))
_HELD = 50_000
_LONGEST_LINE = 2**27
_STATED = ("subject", "property", "kind", "value", "unit", "statement")
_QUALIFIED = ("statement", "property", "kind", "value")


def load_entities(
    paths: Sequence[Path],
    name: str = "wikidata",
    *,
    languages: Sequence[str] = ("en",),
    lenient: bool = False,
    scratch: Scratch | None = None,
) -> Load:
    """Read files of entities (`.json`, also zipped as `.gz`, `.bz2`, `.xz`) into a load.

    Parameters: `languages` are those of names, the best first; with `lenient` lines at fault are left out and counted.
    Raises SourceError with file and line for a line that is no entity, InputError where nothing has a name.
    """
    for language in languages:
        language_tag(language)
    source = ", ".join(path.name for path in paths)
    build = Build(name, source=source, sha256=sha256_of_files(paths), languages=languages, scratch=scratch, lenient=lenient)
    loader = _EntityLoader(build, [*languages])
    for path in paths:
        _read(path, loader)
    return loader.finish()


def _read(path: Path, loader: _EntityLoader) -> None:
    number = 0
    with opened(path) as stream:
        while line := stream.readline(_LONGEST_LINE):
            number += 1
            try:
                if len(line) == _LONGEST_LINE:
                    raise ValueError("is longer than any entity")
                for entity in entities_of(line):
                    loader.add(entity)
            except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError) as error:
                way_out = "give a dump with one entity on each line, or leave such lines out with --lenient"
                problem = f"is no entity ({one_line(str(error), 200)})"
                fault = SourceError(problem, place=f"{path}:{number}", way_out=way_out)
                loader.build.leave_out("lines at fault", 1, [fault])


class _EntityLoader:
    """Takes entities one by one; what they state waits until all are known."""

    def __init__(self, build: Build, languages: list[str]) -> None:
        self.build, self.languages, self.counts, scratch = build, languages, Counter[str](), build.scratch
        self._names = Rows(["id", "language", "label", "description", "article"], scratch)
        self._aliases = Rows(["id", "language", "text"], scratch)
        self._stated, self._qualified = Rows(_STATED, scratch), Rows(_QUALIFIED, scratch)
        self._marks = Rows(["subject", "property", "mark"], scratch)
        self._held: dict[str, list[tuple[str | None, ...]]] = {}
        self._redirects: dict[str, str] = {}

    def add(self, entity: Entity) -> None:
        """Take an entity, or a redirect."""
        if entity.redirect is not None:
            self._redirects[entity.entity or entity.id] = entity.redirect
            return
        if not is_id(entity.id):
            self.counts["entities of other kinds left out"] += 1
            return
        language, label = entity.label(self.languages)
        if not label:
            self.counts["entities without a name left out"] += 1
            return
        self._hold("names", (entity.id, language, label, entity.description(self.languages), entity.article(self.languages)))
        for language, text in entity.names(self.languages):
            if text != label:
                self._hold("aliases", (entity.id, language, text))
        if entity.id.startswith("Q"):
            self._add_claims(entity)

    def _add_claims(self, entity: Entity) -> None:
        claims = claims_of(entity)
        for claim in claims.best:
            self._add_claim(entity.id, claim)
        for mark, properties in (("incomplete", claims.unknown), ("complete", claims.none)):
            for name in properties:
                self._hold("marks", (entity.id, name, mark))
        if claims.left_out:
            self.counts["values of other kinds left out"] += claims.left_out

    def _add_claim(self, subject: str, claim: Claim) -> None:
        value = claim.value
        statement = None
        if claim.qualifiers:
            said = sorted(f"{name} {qualifier.text}" for name, qualifier in claim.qualifiers)
            parts = (value.text, value.unit) if value.unit else (value.text,)
            statement = f"<{vocab.statement_iri(subject, claim.property, *parts, *said)}>"
            for name, qualifier in claim.qualifiers:
                self._hold("qualified", (statement, name, qualifier.kind, qualifier.text))
        self._hold("stated", (subject, claim.property, value.kind, value.text, value.unit, statement))

    def _hold(self, what: str, row: tuple[str | None, ...]) -> None:
        held = self._held.setdefault(what, [])
        held.append(row)
        if len(held) >= _HELD:
            self._spill(what)

    def _spill(self, what: str) -> None:
        rows: Rows = getattr(self, f"_{what}")
        schema = dict.fromkeys(rows.columns, pl.String)
        rows.add(pl.DataFrame(self._held.pop(what, []), schema=schema, orient="row"))

    def finish(self) -> Load:
        """Return the load. Raises InputError where nothing has a name."""
        for what in list(self._held):
            self._spill(what)
        known = self._known()
        self._add_names()
        used = self._add_stated(known)
        self._add_marks(known["id"])
        self._declare(used)
        self.build.counts |= dict(self.counts)
        return self.build.finish()

    def _known(self) -> pl.DataFrame:
        """Return the ids that are described, each with that by which others may call it: itself, or what leads to it."""
        ids = self._names.select(["id"])["id"].unique(maintain_order=True)
        if ids.is_empty():
            way_out = "give a dump of entities, and say with --language in which language names are"
            raise InputError("no entity in the files has a name", place=self.build.source, way_out=way_out)
        targets = {old: self._target(old) for old in self._redirects}
        own = pl.DataFrame({"value": ids, "id": ids})
        led = pl.DataFrame({"value": [*targets], "id": [*targets.values()]}, schema=dict.fromkeys(("value", "id"), pl.String))
        led = led.filter(pl.col("id").is_in(ids.implode()) & ~pl.col("value").is_in(ids.implode()))
        self.build.counts["entities"] = int(ids.str.starts_with("Q").sum())
        return pl.concat([own, led])

    def _target(self, name: str) -> str:
        for _ in range(10):  # a redirect to a redirect; never a circle
            if name not in self._redirects:
                break
            name = self._redirects[name]
        return name

    def _add_names(self) -> None:
        for batch in self._names.batches():
            items = batch.filter(pl.col("id").str.starts_with("Q"))
            subject = iri_terms(items["id"], _WD)
            self.build.label(subject, items["label"], items["language"])
            described = literal_terms(items["description"], "@" + self.languages[0])
            self.build.triples(subject, f"<{vocab.PREFIXES['dcterms']}description>", described)
            self.build.triples(subject, f"<{vocab.KGP}wikipedia>", literal_terms(items["article"]))
        for batch in self._aliases.batches():
            items = batch.filter(pl.col("id").str.starts_with("Q"))
            self.build.alias(iri_terms(items["id"], _WD), items["text"], items["language"])

    def _add_stated(self, known: pl.DataFrame) -> dict[str, set[str]]:
        """Add facts and attribute values; return which properties relate, which give values, and which qualify."""
        used: dict[str, set[str]] = {"Relation": set(), "Attribute": set(), "Qualifier": set()}
        often: list[pl.DataFrame] = []
        units = self._units()
        kept: list[pl.Series] = []
        for batch in self._stated.batches():
            rows = self._resolved(batch, known).join(units, on="unit", how="left", maintain_order="left")
            nameless = rows["unit"].is_not_null() & rows["unit_label"].is_null()
            self._count("values in units without a name left out", int(nameless.sum()))
            rows = rows.filter(~nameless)
            facts, values = rows.filter(pl.col("kind") == "item"), rows.filter(pl.col("kind") != "item")
            self._add_facts(facts)
            self._add_values(values)
            kept.append(rows["statement"].drop_nulls())
            used["Relation"].update(facts["property"].unique())
            used["Attribute"].update(values["property"].unique())
            often.append(pl.concat([facts["subject"], facts["value"].alias("subject")]).value_counts())
            self._count("facts", facts.height)
            self._count("attribute values", values.height)
        total = pl.concat(often).group_by("subject").agg(pl.col("count").sum()).sort("subject")
        self.build.popular(iri_terms(total["subject"], _WD), total["count"])
        self._add_qualifiers(known, pl.concat(kept).unique() if kept else pl.Series(dtype=pl.String), used["Qualifier"])
        used["Attribute"] -= used["Relation"]
        return used

    def _resolved(self, rows: pl.DataFrame, known: pl.DataFrame) -> pl.DataFrame:
        """Put what redirects lead to in the place of items; what nothing describes is left out and counted."""
        items = rows.filter(pl.col("kind") == "item").join(known, on="value", how="left", maintain_order="left")
        self._count("dangling", items["id"].null_count())
        items = items.with_columns(value=pl.col("id")).drop("id").drop_nulls("value")
        return pl.concat([items, rows.filter(pl.col("kind") != "item")])

    def _count(self, what: str, number: int) -> None:
        if number:
            self.counts[what] += number

    def _units(self) -> pl.DataFrame:
        wanted = pl.concat([batch["unit"].drop_nulls().unique() for batch in self._stated.batches(["unit"])]).unique()
        found = [
            batch.filter(pl.col("id").is_in(wanted.implode())).select(unit="id", unit_label="label")
            for batch in self._names.batches(["id", "label"])
        ]
        return pl.concat(found).unique("unit", keep="first", maintain_order=True)

    def _add_facts(self, facts: pl.DataFrame) -> None:
        s, o, name = iri_terms(facts["subject"], _WD), iri_terms(facts["value"], _WD), facts["property"]
        self.build.triples(s, iri_terms(name, _WDT), o)
        instance, subclass = name == "P31", name == "P279"
        self.build.type(s.filter(instance), o.filter(instance))
        self.build.subclass(s.filter(subclass), o.filter(subclass))
        self.build.triples(s, iri_terms(name, _P), facts["statement"])
        self.build.triples(facts["statement"], iri_terms(name, _PS), o)

    def _add_values(self, values: pl.DataFrame) -> None:
        s, name, o = iri_terms(values["subject"], _WD), values["property"], kopl_terms(values["kind"], values["value"])
        self.build.triples(s, iri_terms(name, _WDT), o)
        # A value with a unit has a statement that tells it, as KoPL's attributes do.
        measured = values.select("subject", "property", "value", "unit_label", "statement").rows()
        nodes = [st or (f"<{vocab.statement_iri(*map(str, part))}>" if part[3] else None) for *part, st in measured]
        statement = pl.Series("statement", nodes, dtype=pl.String)
        self.build.triples(s, iri_terms(name, _P), statement)
        self.build.triples(statement, iri_terms(name, _PS), o)
        self.build.triples(statement, f"<{vocab.KGP}unit>", literal_terms(values["unit_label"]))

    def _add_qualifiers(self, known: pl.DataFrame, kept: pl.Series, used: set[str]) -> None:
        for batch in self._qualified.batches():
            rows = self._resolved(batch.filter(pl.col("statement").is_in(kept.implode())), known)
            items, values = rows.filter(pl.col("kind") == "item"), rows.filter(pl.col("kind") != "item")
            self.build.triples(items["statement"], iri_terms(items["property"], _PQ), iri_terms(items["value"], _WD))
            terms = kopl_terms(values["kind"], values["value"])
            self.build.triples(values["statement"], iri_terms(values["property"], _PQ), terms)
            used.update(rows["property"].unique())
            self._count("qualifiers", rows.height)

    def _add_marks(self, ids: pl.Series) -> None:
        for batch in self._marks.batches():
            rows = batch.filter(pl.col("subject").is_in(ids.implode())).unique(maintain_order=True)
            for (mark,), some in rows.group_by("mark", maintain_order=True):
                subject, predicate = iri_terms(some["subject"], _WD), iri_terms(some["property"], _WDT)
                self.build.triples(subject, f"<{vocab.KGP}{mark}>", predicate, schema=True)
                self._count(f"{mark} pairs", some.height)

    def _declare(self, used: dict[str, set[str]]) -> None:
        """Declare what is used, by the names that the files give properties, or else by those that ship."""
        own = [batch.filter(pl.col("id").str.starts_with("P")) for batch in self._names.batches(["id", "label"])]
        labels = dict(pl.concat(own).select("id", "label").rows())
        for kind, names in used.items():
            ids = pl.Series(sorted(names), dtype=pl.String)
            predicate = iri_terms(ids, _PQ if kind == "Qualifier" else _WDT)
            texts = [labels.get(name) or next(iter(vocab.property_labels(vocab.wdt(name))), None) for name in ids]
            self.build.type(predicate, f"<{vocab.KGP}{kind}>")
            self.build.label(predicate, pl.Series(texts, dtype=pl.String))
        self.build.counts |= {"relations": len(used["Relation"]), "attributes": len(used["Attribute"])}
