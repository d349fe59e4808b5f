"""RDF as others publish it (DBpedia, YAGO, schema.org and the like), made fit for questions.

Names become `rdfs:label` and `skos:altLabel`, kinds `rdf:type`; what relates named things is declared a relation, what gives
them a value an attribute, with its name in words. All else stays as it was.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import polars as pl
import pyoxigraph as ox

from kg import vocab
from kg.build import Build, Load
from kg.errors import InputError, SourceError, nearest
from kg.files import read_bytes
from kg.sorted_runs import Scratch, lines_of
from kg.sources._names import words_of
from kg.sources._rdf_files import RdfFiles, sha256_of_files
from kg.terms import copied, is_iri, language_tag, texts_of

_PREFIXES = vocab.PREFIXES | {
    "dbo": "http://dbpedia.org/ontology/",
    "dbp": "http://dbpedia.org/property/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "owl": "http://www.w3.org/2002/07/owl#",
    "schema": "http://schema.org/",
    "yago": "http://yago-knowledge.org/resource/",
}
_VOCABULARIES = (vocab.RDF, vocab.RDFS, vocab.KGP, _PREFIXES["owl"])
"""Names of these speak of a vocabulary, not of the world: they are no concept and no relation."""
_POPULARITY = f"<{vocab.KGP}popularity>"


@dataclass(frozen=True)
class RdfWords:
    """What the files call names and kinds, and of which predicates questions are asked.

    labels, aliases: predicates whose texts are names, the best first; prefixed names or IRIs, as all below
    languages: language tags of names to read, the best first; names without a tag count as the first
    types: predicates that say what something is
    relations: predicates to declare; none for all that relate named things
    min_facts: a predicate of fewer facts is not declared
    properties: names of predicates, by IRI, where the files give none
    """

    labels: Sequence[str] = ("rdfs:label", "skos:prefLabel", "schema:name", "foaf:name")
    aliases: Sequence[str] = ("skos:altLabel", "schema:alternateName", "foaf:nick")
    languages: Sequence[str] = ("en",)
    types: Sequence[str] = ("rdf:type",)
    relations: Sequence[str] = ()
    min_facts: int = 1
    properties: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise InputError for what is no language tag."""
        for language in self.languages:
            language_tag(language)


def load_rdf(
    paths: Sequence[Path],
    name: str = "rdf",
    words: RdfWords | None = None,
    *,
    license: str | None = None,
    lenient: bool = False,
    scratch: Scratch | None = None,
) -> Load:
    """Read RDF files into a load; its triples wait in `scratch`, where there is one and they are many.

    Raises SourceError with file and line for what is no RDF, InputError for a prefix that nobody knows, and where no name of
    anything is found.
    """
    words, source = words or RdfWords(), ", ".join(path.name for path in paths)
    build = Build(name, source, license, languages=words.languages, scratch=scratch, lenient=lenient)
    files = RdfFiles(paths, build)
    build.sha256 = sha256_of_files(paths)
    loader = _RdfLoader(build, words)
    for batch in files.batches():
        loader.add(batch)
    loader.finish()
    return build.finish()


def iri_of(name: str) -> str:
    """Return the IRI, in angle brackets, of a prefixed name or an IRI. Raises InputError for an unknown prefix.

    >>> iri_of("skos:prefLabel"), iri_of("http://example.org/name")
    ('<http://www.w3.org/2004/02/skos/core#prefLabel>', '<http://example.org/name>')
    """
    bare = name.strip().removeprefix("<").removesuffix(">")
    prefix, _, rest = bare.partition(":")
    if prefix in _PREFIXES:
        return f"<{_PREFIXES[prefix]}{rest}>"
    try:
        return str(ox.NamedNode(bare))
    except ValueError:
        known = ", ".join(_PREFIXES)
        raise InputError(f"'{name}' is no IRI", way_out=f"write it in full, or with one of the prefixes {known}") from None


def names_of_properties(path: Path) -> dict[str, str]:
    """Read names of predicates: lines of an IRI (or prefixed name), a tab, the name. Raises SourceError with file and line.

    A first line `iri`, tab, `label` (or `id`, tab, `label`) is taken for a header.
    """
    names: dict[str, str] = {}
    for number, line in enumerate(read_bytes(path).decode("utf-8", "replace").splitlines(), 1):
        cells = [cell.strip() for cell in line.split("\t")]
        if number == 1 and cells[1:2] == ["label"]:
            continue
        if len(cells) != 2 or not all(cells):
            raise SourceError("is not an IRI, a tab and a name", place=f"{path}:{number}", way_out="write both")
        try:
            names[iri_of(cells[0]).strip("<>")] = cells[1]
        except InputError as error:
            raise SourceError(error.problem, place=f"{path}:{number}", way_out=error.way_out) from error
    return names


def words_of_iri(iri: str) -> str:
    """Return the last part of an IRI as words; nothing where it is a number or code rather than words.

    >>> words_of_iri("<http://dbpedia.org/ontology/birthPlace>"), words_of_iri("<http://e/New_York_City>")
    ('birth place', 'New York City')
    >>> words_of_iri("<http://dbpedia.org/ontology/SoccerPlayer>"), words_of_iri("<http://dbpedia.org/ontology/Person>")
    ('soccer player', 'Person')
    >>> words_of_iri("<http://www.wikidata.org/entity/Q42>")
    ''
    """
    last = unquote(re.split(r"[/#:]", iri.strip("<>").rstrip("/#"))[-1])
    spaced = " ".join(last.replace("_", " ").split())
    letters = sum(map(str.isalpha, last))
    if letters < _FEWEST_LETTERS or letters < sum(map(str.isdigit, last)):
        return ""
    return " ".join(words_of(last)) if spaced[:1].islower() or _PASCAL_CASE.fullmatch(last) else spaced


class _RdfLoader:
    """Sorts triples into names, kinds and facts, batch by batch, and declares at the end what the facts are."""

    def __init__(self, build: Build, words: RdfWords) -> None:
        self.build, self.words = build, words
        self._naming = [iri_of(word) for word in (*words.labels, *words.aliases)]
        self._typing = [iri_of(word) for word in words.types]
        self._names: list[pl.DataFrame] = []
        self._concepts: list[pl.DataFrame] = []
        self._declared: list[pl.DataFrame] = []
        self._beside = pl.DataFrame()
        self._uses = PredicateUses()

    def add(self, batch: pl.DataFrame) -> None:
        """Take some triples."""
        names = pl.col("p").is_in(self._naming) & ~is_iri(pl.col("o"))
        types = pl.col("p").is_in(self._typing) & is_iri(pl.col("o"))
        self._names.append(copied(batch.filter(names)))
        self._add_types(batch.filter(types))
        self._add_facts(batch.filter(~names & ~types))

    def _add_types(self, types: pl.DataFrame) -> None:
        own = types.filter(pl.col("o").str.starts_with(f"<{vocab.KGP}"))
        self.build.type(own["s"], own["o"])
        self._declared.append(copied(own))
        of_world = types.filter(~in_vocabulary(pl.col("o")))
        self.build.type(of_world["s"], of_world["o"])
        self._concepts.append(copied(of_world.select("o").unique(maintain_order=True)))
        # What another predicate says stays a fact, too, as Wikidata's P31 does.
        self._add_facts(types.filter(pl.col("p") != f"<{vocab.RDF_TYPE}>"))

    def _add_facts(self, facts: pl.DataFrame) -> None:
        self.build.triples(facts["s"], facts["p"], _as_stored(facts["o"]))

    def finish(self) -> None:
        """Add names, popularity and declarations. Raises InputError where nothing has a name."""
        degrees = self._count()
        concepts = pl.concat([_NONE, *(part["o"] for part in self._concepts)]).unique(maintain_order=True)
        names = self._names_read([*concepts, *self._uses.facts, *self._uses.values])
        labels = names.filter("first").select("s", "text")
        unnamed = concepts.filter(~concepts.is_in(labels["s"].implode()))
        self.build.label(unnamed, words_of_iris(unnamed))
        named = pl.concat([labels["s"], concepts]).unique()
        declared = self._declare(named, labels)
        self._add_names(names, declared)
        self.build.triples(self._beside["s"], self._beside["p"], self._beside["o"])
        if degrees is not None:
            often = degrees.join(named.to_frame("e"), on="e", how="semi").sort("e")
            self.build.popular(often["e"], often["n"])
        entities = named.filter(~named.is_in(pl.concat([declared["p"], concepts]).implode()))
        self.build.counts = {"entities": entities.len(), "concepts": concepts.len(), **self.build.counts}

    def _count(self) -> pl.DataFrame | None:
        """Count the uses of predicates and how often each thing stands in a fact; None where the files say that themselves.

        Only now: what dumps say twice is one fact.
        """
        degrees, told = [pl.DataFrame(schema={"e": pl.String, "n": pl.UInt32})], False
        for facts in self.build.distinct():
            told |= facts["p"].is_in([_POPULARITY]).any()
            asked = facts.filter(~in_vocabulary(pl.col("p")))
            self._uses.add(asked)
            relating = asked.filter(is_iri(pl.col("o")))
            degrees.append(pl.concat([relating["s"].alias("e"), relating["o"].alias("e")]).value_counts(name="n"))
            if len(degrees) > _TOGETHER:
                degrees = [_summed(degrees)]
        return None if told else _summed(degrees)

    def _names_read(self, words: list[str]) -> pl.DataFrame:
        """Return the names in the languages that are read: s, text, language, and whether it is the `first` of its bearer.

        Of `words`, concepts and predicates, English ones are, too: domains and wordings speak of things by these.
        """
        ranks = {iri: rank for rank, iri in enumerate(self._naming)}
        languages = {language.lower(): rank for rank, language in enumerate(self.words.languages)}
        names = pl.concat([pl.DataFrame(schema=dict.fromkeys("spo", pl.String)), *self._names]).with_columns(
            text=pl.col("o").map_batches(texts_of, return_dtype=pl.String).str.strip_chars(),
            language=pl.col("o").str.extract(_TAGGED).str.to_lowercase().fill_null(next(iter(languages))),
            rank=pl.col("p").replace_strict(ranks, return_dtype=pl.Int64),
        )
        self._names = []
        asked = pl.col("language").is_in([*languages])
        if names.filter(asked).is_empty():
            way_out = "say with --labels which predicates give names, and with --language in which language"
            raise InputError("nothing in the files has a name", way_out=way_out)
        languages.setdefault("en", len(languages))
        is_read = (asked | (pl.col("language") == "en") & pl.col("s").is_in(words)) & (pl.col("text") != "")
        read, other = names.filter(is_read), names.filter(~is_read)
        # Another graph of ours has the names in other languages where nothing takes them for labels: they stay.
        self._beside = other.filter((pl.col("p") == f"<{vocab.SKOS_PREF}>") & bool(self._of_files()))
        if left := other.height - self._beside.height:
            self.build.counts["names of other languages left out"] = left
        at = pl.col("language").replace_strict(languages, return_dtype=pl.Int64)
        read = read.with_columns(at=at).sort("at", "rank", maintain_order=True)
        read = read.unique(["s", "text"], keep="first", maintain_order=True)
        can = pl.col("rank") < len(self.words.labels)
        return read.select("s", "text", "language", first=can & can.cum_sum().over("s").eq(1))

    def _add_names(self, names: pl.DataFrame, declared: pl.DataFrame) -> None:
        """Add labels and aliases; what is declared goes by the label it has there."""
        first = pl.col("first") & ~pl.col("s").is_in(declared["p"].implode())
        # A predicate goes by what the files call it, or else by a name that ships, which is English.
        called = declared.select(s="p", text="label").join(names.drop("first"), on=["s", "text"], how="left")
        labels = pl.concat([names.filter(first).drop("first"), called.with_columns(pl.col("language").fill_null("en"))])
        self.build.label(labels["s"], labels["text"], labels["language"])
        other = names.join(labels, on=["s", "text"], how="anti")
        self.build.alias(other["s"], other["text"], other["language"])

    def _declare(self, named: pl.Series, labels: pl.DataFrame) -> pl.DataFrame:
        """Declare relations and attributes; return both with their labels, as p and label."""
        wanted = [iri_of(word) for word in self.words.relations]
        relations, attributes = self._of_files() or self._uses.relations_and_attributes(named, wanted, self.words.min_facts)
        declared = pl.DataFrame({"p": [*relations, *attributes]}, schema={"p": pl.String})
        declared = declared.join(labels, left_on="p", right_on="s", how="left", maintain_order="left")
        self.build.type(pl.Series(relations, dtype=pl.String), f"<{vocab.KGP}Relation>")
        self.build.type(pl.Series(attributes, dtype=pl.String), f"<{vocab.KGP}Attribute>")
        self.build.counts |= {"relations": len(relations), "attributes": len(attributes)}
        self.build.counts["facts"] = sum(self._uses.facts[p] for p in relations)
        if left := len(self._uses.used()) - declared.height:
            self.build.counts["predicates left out"] = left
        known = not self._of_files()  # another graph of ours has named its predicates
        labelled = labels_of_predicates(declared, self._uses, self.words.properties, known=known)
        return declared.select("p", label=pl.Series(labelled, dtype=pl.String))

    def _of_files(self) -> tuple[list[str], list[str]] | None:
        """Return the relations and attributes that the files declare, as another graph of ours does."""
        rows = pl.concat(self._declared) if self._declared else pl.DataFrame(schema=dict.fromkeys("so", pl.String))
        relations, attributes = (
            rows.filter(pl.col("o") == f"<{vocab.KGP}{kind}>")["s"].unique().sort().to_list()
            for kind in ("Relation", "Attribute")
        )
        return (relations, attributes) if relations or attributes else None


class PredicateUses:
    """How often each predicate relates things, how often it gives a value, and some of what it relates to."""

    def __init__(self) -> None:
        self.facts: Counter[str] = Counter()
        self.values: Counter[str] = Counter()
        self.objects: dict[str, pl.Series] = {}

    def used(self) -> set[str]:
        """Return the predicates."""
        return self.facts.keys() | self.values.keys()

    def add(self, facts: pl.DataFrame) -> None:
        """Count some facts."""
        relating = facts.filter(is_iri(pl.col("o")))
        for p, number, objects in (
            relating.group_by("p").agg(pl.len(), pl.col("o").unique(maintain_order=True).head(_SAMPLE)).rows()
        ):
            self.facts[p] += number
            if self.objects.get(p, _NONE).len() < _SAMPLE:
                self.objects[p] = pl.concat([self.objects.get(p, _NONE), pl.Series(objects)]).unique(maintain_order=True)
        for p, number in facts.filter(~is_iri(pl.col("o"))).group_by("p").len().rows():
            self.values[p] += number

    def relations_and_attributes(self, named: pl.Series, wanted: list[str], least: int) -> tuple[list[str], list[str]]:
        """Return the predicates that relate named things, and those that give values; only `wanted` ones where there are any.

        A predicate most of whose objects have no name (pages, pictures) relates nothing, unless it is wanted.
        Raises InputError for a wanted one that no fact has.
        """
        relations, attributes = [], []
        used = self.used()
        if absent := next((p for p in wanted if p not in used), None):
            raise InputError(f"no fact has the predicate {absent}", place="--relations", way_out=nearest(absent, used))
        for p in wanted or sorted(used):
            if max(self.facts[p], self.values[p]) < max(least, 1):
                continue
            if self.values[p] > self.facts[p]:
                attributes.append(p)
            elif wanted or self.objects[p].is_in(named.implode()).sum() >= _MOST * self.objects[p].len():
                relations.append(p)
        return relations, attributes


def labels_of_predicates(
    declared: pl.DataFrame, uses: PredicateUses, properties: dict[str, str], *, known: bool = True
) -> list[str]:
    """Return the labels of predicates (`p`, and the `text` they are called by, if any): given, own, or made of their IRIs.

    With `known`, the most used one of those that mean a known property goes by that one's label. So `dbo:birthPlace`, "birth
    place", is the place of birth that domains and wordings speak of.
    """
    own = [properties.get(iri.strip("<>")) or text or words_of_iri(iri) for iri, text in declared.select("p", "text").rows()]
    names = [next(iter(vocab.property_labels(iri.strip("<>"))), None) for iri in declared["p"]]
    means = [vocab.property_iri(label) if known and not name else None for name, label in zip(names, own, strict=True)]
    numbers = [uses.facts[iri] + uses.values[iri] for iri in declared["p"]]
    most = {iri: max(n for m, n in zip(means, numbers, strict=True) if m == iri) for iri in set(means) if iri}
    chosen: set[str] = set()
    labels = []
    for label, name, meaning, n in zip(own, names, means, numbers, strict=True):
        if meaning and n == most[meaning] and meaning not in chosen:
            chosen.add(meaning)
            labels.append(vocab.property_labels(meaning)[0])
        else:
            labels.append(label or name or "")
    return labels


_FEWEST_LETTERS = 2
_PASCAL_CASE = re.compile(r"(?:[A-Z][a-z]+){2,}")
_SAMPLE = 1000
"""So many of a predicate's objects tell whether they have names."""
_MOST = 0.5
_TOGETHER = 16
_NONE = pl.Series(dtype=pl.String)
_TAGGED = r'"@([A-Za-z0-9-]+)$'


def in_vocabulary(term: pl.Expr) -> pl.Expr:
    """Say of IRIs whether they speak of a vocabulary (RDF, RDFS, OWL, ours), not of the world."""
    return pl.any_horizontal(*[term.str.starts_with(f"<{namespace}") for namespace in _VOCABULARIES])


def words_of_iris(iris: pl.Series) -> pl.Series:
    """Return the last parts of IRIs as words, as `words_of_iri` does."""
    return pl.Series([words_of_iri(iri) for iri in iris], dtype=pl.String)


def _summed(counts: list[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(counts).group_by("e").agg(pl.col("n").sum())


def _as_stored(terms: pl.Series) -> pl.Series:
    """Spell literals as a store does, which knows numbers and dates by their value ("1.50" as "1.5")."""
    typed = terms.filter(terms.str.contains(f'"^^<{vocab.XSD}', literal=True)).unique().sort()
    if typed.is_empty():
        return terms
    places = pl.Series(range(typed.len())).cast(pl.String)
    lines = "<urn:i:" + places + "> <urn:p> " + typed + " ."
    store = ox.Store()
    store.bulk_load("\n".join(lines).encode(), ox.RdfFormat.N_TRIPLES, lenient=True)
    stored = lines_of(store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=ox.DefaultGraph()) or b"")
    found = pl.DataFrame({"line": stored}).select(
        at=pl.col("line").str.extract(r"^<urn:i:(\d+)>").cast(pl.Int64),
        term=pl.col("line").str.extract(r"^<\S+> <urn:p> (.*) \.$"),
    )
    return terms.replace(typed.gather(found["at"]), found["term"])
