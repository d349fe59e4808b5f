"""A template is checked when it is read, and what is bound to it stays a value, whatever it says."""

from __future__ import annotations

from pathlib import Path

import pyoxigraph as ox
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import SourceError
from kg.vocab import PREFIXES
from queries import Template, TemplateError, inline, load, parse
from queries.templates.front import Choice

FIXTURES = Path(__file__).resolve().parents[1] / "fixtures" / "queries"
WD, WDT, XSD = PREFIXES["wd"], PREFIXES["wdt"], PREFIXES["xsd"]
LONDON, CAMBRIDGE = ox.NamedNode(WD + "Q84"), ox.NamedNode(WD + "Q350")
TURING, ADAMS = ox.NamedNode(WD + "Q7251"), ox.NamedNode(WD + "Q42")


@pytest.fixture(scope="module")
def people() -> ox.Store:
    store = ox.Store()
    store.load(path=str(FIXTURES / "people.ttl"), format=ox.RdfFormat.TURTLE)
    return store


@pytest.fixture(scope="module")
def born() -> Template:
    return load(FIXTURES / "born.rq")


@pytest.fixture(scope="module")
def country() -> Template:
    return load(FIXTURES / "country.rq")


def template(query: str, *parameters: str) -> Template:
    lines = ["#+ name: test", "#+ summary: A test", *(["#+ parameters:"] if parameters else [])]
    return parse("\n".join([*lines, *(f"#+   {parameter}" for parameter in parameters), query]))


def values(store: ox.Store, query: str, name: str) -> set[str]:
    """Run a query as it stands, without any prefix given, as another engine would."""
    found = store.query(query)
    assert isinstance(found, ox.QuerySolutions)
    return {solution[name].value for solution in found}


def holds(store: ox.Store, query: str) -> bool:
    found = store.query(query)
    assert isinstance(found, ox.QueryBoolean)
    return bool(found)


class TestReading:
    def test_a_template_says_what_it_is(self, born: Template) -> None:
        assert (born.name, born.form, born.slots) == ("born", "select", ("person", "name"))
        assert born.summary == "Who was born where, by any relation of place"
        assert list(born.parameters) == ["place", "relation", "person"]
        assert str(born.defaults["relation"]) == f"<{WDT}P19>"

    def test_the_version_is_a_hash_of_the_file(self, born: Template) -> None:
        import hashlib

        assert born.version == hashlib.sha256((FIXTURES / "born.rq").read_bytes()).hexdigest()[:8]

    def test_a_family_keeps_its_keys(self, country: Template) -> None:
        front = country.front
        assert (front.task, front.key, front.answers, front.many) == ("yes_no", ["name"], ["country"], ["country"])
        assert front.claim is not None
        assert (front.claim.slot, front.claim.value, front.claim.true_share) == ("country", "claimed", 0.5)
        assert country.slots == ("person", "name", "country", "year", "work")

    def test_a_choice_has_options_by_slot_or_by_value(self) -> None:
        family = parse(
            "#+ name: a\n#+ summary: b\n#+ method: m\n#+ domain: d\n#+ task: choice\n#+ key: [x]\n#+ answer: y\n"
            '#+ question:\n#+   basic:\n#+     stem: "Is {x} old?"\n'
            '#+     options: {y: {yes: "Older", no: "Younger"}}\n'
            "SELECT ?x ?y { ?x ?p ?y }"
        )
        assert family.front.question is not None
        basic = family.front.question["basic"]
        assert isinstance(basic, Choice)
        assert basic.options == {"y": {"yes": "Older", "no": "Younger"}}

    def test_texts_that_yaml_takes_for_something_else_stay_texts(self) -> None:
        read = parse("#+ name: a\n#+ summary: b\n#+ domain: no\n#+ method: 1952-03-11\n#+ task: open\n#+ key: [y]\n"
                     '#+ answer: "n"\n#+ question: {basic: "{y}?"}\nSELECT ?y ?n { ?y ?p ?n }')  # fmt: skip
        assert (read.front.domain, read.front.method) == ("no", "1952-03-11")

    @pytest.mark.parametrize(
        ("query", "slots"),
        [
            ("SELECT ?a $b { ?a ?p ?b }", ("a", "b")),
            ("SELECT DISTINCT (COUNT(*) AS ?n) ?a { ?a ?p ?b } GROUP BY ?a", ("n", "a")),
            ("SELECT (IF(EXISTS { ?x a ?y }, ?a, 1) AS ?c) (?a * 2 AS ?d) WHERE { ?a ?p ?b }", ("c", "d")),
            ("SELECT ?from ?where FROM <urn:g> WHERE { ?from ?select ?where }", ("from", "where")),
            ('SELECT ?a { ?a ?p "SELECT ?z { }" } # SELECT ?z', ("a",)),
            ("ASK { ?a ?p ?b }", ()),
            ("CONSTRUCT { ?a ?p ?b } WHERE { ?b ?p ?a }", ()),
        ],
    )
    def test_the_slots_are_what_the_select_projects(self, query: str, slots: tuple[str, ...]) -> None:
        assert template(query).slots == slots

    def test_a_byte_order_mark_and_windows_line_ends_are_understood(self, tmp_path: Path) -> None:
        file = tmp_path / "a.rq"
        file.write_bytes("\ufeff#+ name: a\r\n#+ summary: Zoë\r\nASK { ?s ?p ?o }\r\n".encode())
        assert load(file).summary == "Zoë"

    def test_a_file_that_is_not_utf8_is_refused_with_its_line(self, tmp_path: Path) -> None:
        file = tmp_path / "a.rq"
        file.write_bytes(b"#+ name: a\n#+ summary: Zo\xeb\nASK { ?s ?p ?o }")
        with pytest.raises(TemplateError, match=r"a\.rq:2: this is not UTF-8; save the file as UTF-8"):
            load(file)

    def test_a_file_that_is_not_there_is_an_error_of_one_line(self, tmp_path: Path) -> None:
        with pytest.raises(SourceError, match="no such file"):
            load(tmp_path / "gone.rq")


def faults() -> list[tuple[str, str, str]]:
    """Read the cases of faults.rq: a line with a title, a line with the error (or how it begins), and the file."""
    parts = f"\n{(FIXTURES / 'faults.rq').read_text(encoding='utf-8')}".split("\n#### ")[1:]
    cases = zip(parts[::2], [part.partition("\n") for part in parts[1::2]], strict=True)
    return [(title, expected, text.rstrip("\n")) for title, (expected, _, text) in cases]


class TestFaults:
    @pytest.mark.parametrize(("title", "expected", "text"), [pytest.param(*case, id=case[0]) for case in faults()])
    def test_each_fault_is_named_with_its_place_and_the_way_out(self, title: str, expected: str, text: str) -> None:
        with pytest.raises(TemplateError) as caught:
            parse(text, "case.rq")
        assert str(caught.value).startswith(expected), title
        assert caught.value.way_out


class TestBinding:
    def test_values_stand_first_in_the_outermost_group(self, born: Template) -> None:
        assert born.bind({"place": LONDON}) == (
            f"PREFIX rdfs: <{PREFIXES['rdfs']}>\n"
            f"SELECT DISTINCT ?person ?name WHERE {{ VALUES (?place) {{ (<{WD}Q84>) }}\n"
            f"  ?person <{WDT}P19> ?place ; rdfs:label ?name .\n}}"
        )

    def test_a_bound_query_runs_on_an_engine_that_knows_no_prefix(self, born: Template, people: ox.Store) -> None:
        assert values(people, born.bind({"place": LONDON}), "name") == {"Alan Turing", "Ada Lovelace"}

    def test_rdflib_answers_it_the_same(self, born: Template, country: Template) -> None:
        graph = rdflib.Graph().parse(FIXTURES / "people.ttl")
        rows = [{"place": LONDON, "person": TURING}, {"place": CAMBRIDGE}]
        found = graph.query(born.bind(rows)).bindings
        assert {str(row[rdflib.Variable("name")]) for row in found} == {"Alan Turing", "Douglas Adams"}
        assert graph.query(country.as_ask({"year": ox.Literal(1912)})).askAnswer is True
        assert graph.query(country.as_ask({"year": ox.Literal(1913)})).askAnswer is False

    def test_terms_may_be_written_as_ntriples_writes_them(self, born: Template, people: ox.Store) -> None:
        assert values(people, born.bind({"place": f"<{WD}Q350>"}), "name") == {"Douglas Adams"}

    def test_many_rows_are_asked_at_once(self, born: Template, people: ox.Store) -> None:
        rows = [{"place": LONDON, "person": TURING}, {"place": CAMBRIDGE}, {"place": LONDON, "person": ADAMS}]
        assert "UNDEF" in born.bind(rows)
        assert values(people, born.bind(rows), "name") == {"Alan Turing", "Douglas Adams"}

    def test_no_rows_have_no_solution(self, born: Template, people: ox.Store) -> None:
        assert values(people, born.bind([]), "name") == set()
        assert values(people, template("SELECT ?s { ?s ?p ?o }").bind([]), "s") == set()

    def test_a_template_without_parameters_binds_to_itself(self, people: ox.Store) -> None:
        all_labels = template("SELECT ?n { ?s rdfs:label ?n }")
        assert all_labels.bind() == f"PREFIX rdfs: <{PREFIXES['rdfs']}>\nSELECT ?n {{ ?s rdfs:label ?n }}"
        assert len(values(people, all_labels.bind(), "n")) == 6

    def test_a_predicate_takes_its_variables_place(self, born: Template, people: ox.Store) -> None:
        query = born.bind({"place": ox.NamedNode(WD + "Q145"), "relation": ox.NamedNode(WDT + "P17")})
        assert "?relation" not in query
        assert values(people, query, "name") == {"London", "Cambridge"}

    def test_a_predicate_in_text_or_a_comment_stays(self) -> None:
        query = template('SELECT ?s { ?s ?p "?p" # ?p\n }', "p: {type: predicate}").bind({"p": "<urn:p>"})
        assert query.endswith('SELECT ?s { ?s <urn:p> "?p" # ?p\n }')

    def test_a_predicate_is_replaced_in_what_is_constructed_too(self, people: ox.Store) -> None:
        places = template("CONSTRUCT { ?o ?p ?s } WHERE { ?s ?p ?o }", "p: {type: predicate}")
        triples = people.query(places.bind({"p": f"<{WDT}P17>"}))
        assert isinstance(triples, ox.QueryTriples)
        assert {str(t.predicate) for t in triples} == {f"<{WDT}P17>"}

    def test_a_predicate_left_open_stays_a_variable(self, people: ox.Store) -> None:
        about = template("SELECT ?o { ?s ?p ?o }", "s: {type: iri}", "p: {type: predicate, optional: true}")
        assert len(values(people, about.bind({"s": ADAMS}), "o")) == 4

    def test_two_predicates_in_one_call_are_refused(self, born: Template) -> None:
        rows = [{"place": LONDON, "relation": ox.NamedNode(f"{WDT}P17")}, {"place": LONDON}]
        with pytest.raises(TemplateError, match="'relation' has 2 values in one call; it is written into the query: bind"):
            born.bind(rows)

    def test_a_group_that_is_a_sub_select_is_joined_with_the_values(self, people: ox.Store) -> None:
        oldest = template(
            "SELECT ?s ?b WHERE { SELECT ?s (MIN(?d) AS ?b) WHERE { ?s wdt:P569 ?d } GROUP BY ?s }", "s: {type: iri}"
        )
        assert values(people, oldest.bind({"s": TURING}), "b") == {"1912-06-23"}

    def test_a_shared_prefix_may_be_declared_anew(self) -> None:
        own = template("PREFIX wdt: <urn:own/>\nASK { ?s wdt:P19 ?o . ?o rdfs:label ?l }").bind()
        assert own.startswith(f"PREFIX rdfs: <{PREFIXES['rdfs']}>\nPREFIX wdt: <urn:own/>\nASK")
        assert own.count("PREFIX") == 2

    def test_relative_iris_stay_unless_a_base_is_given(self) -> None:
        films = template("PREFIX f: <film#>\nSELECT ?t { ?s a <film> ; f:title ?t }")
        assert films.bind().startswith("PREFIX f: <film#>")
        store = ox.Store()
        store.update('INSERT DATA { <http://e.x/1> a <http://e.x/film> ; <http://e.x/film#title> "Jaws" }')
        assert films.bind(base="http://e.x/").startswith("BASE <http://e.x/>\nPREFIX f: <film#>")
        assert values(store, films.bind(base="http://e.x/"), "t") == {"Jaws"}

    def test_a_relative_value_is_resolved_against_the_base(self) -> None:
        rows = template("ASK { ?s a ?c }", "c: {type: iri}")
        assert "VALUES (?c) { (<http://e.x/film>) }" in rows.bind({"c": "<film>"}, base="http://e.x/")
        with pytest.raises(TemplateError, match="'<film>' is not a term"):
            rows.bind({"c": "<film>"})

    def test_a_base_that_is_no_iri_is_refused(self) -> None:
        with pytest.raises(TemplateError, match="the base 'e> x' is not an IRI"):
            template("ASK { ?s ?p ?o }").bind(base="e> x")

    def test_an_unknown_parameter_is_named_with_the_nearest(self, born: Template) -> None:
        with pytest.raises(TemplateError, match=r"born\.rq: no parameter 'plaice'; did you mean 'place'\?"):
            born.bind({"plaice": LONDON})

    def test_a_missing_parameter_is_named(self, born: Template) -> None:
        with pytest.raises(TemplateError, match=r"born\.rq: parameter 'place' is missing; give it an IRI: "):
            born.bind({})

    @pytest.mark.parametrize(
        ("kind", "value", "problem"),
        [
            ("iri", ox.Literal("x"), "'x': '\"x\"' is not an IRI"),
            ("iri", "<http://e.x/a b>", "'x': '<http://e.x/a b>' is not a term"),
            ("iri", "_:b", "'x': a query cannot name the blank node '_:b'"),
            ("iri", ox.BlankNode("b"), "'x': a BlankNode is not a term"),
            ("string", ox.Literal(3), "is not a text"),
            ("string", ox.NamedNode("urn:x"), "is not a text"),
            ("integer", '"abc"', "is not a whole number"),
            ("integer", f'"abc"^^<{XSD}integer>', "is not a whole number"),
            ("decimal", f'"1e3"^^<{XSD}decimal>', "is not a number"),
            ("date", f'"1952-13-01"^^<{XSD}date>', "is not a date"),
            ("date", f'"1952"^^<{XSD}date>', "is not a date"),
            ("term", "plain", "'plain' is not a term as N-Triples writes it"),
            ("term", '"a" . <urn:a> <urn:a> "b"', "is not a term as N-Triples writes it"),
            ("term", '"a" . # more', "is not a term as N-Triples writes it"),
            ("term", 3, "a int is not a term"),
        ],
    )
    def test_a_value_of_another_type_is_refused(self, kind: str, value: object, problem: str) -> None:
        asked = template("ASK { ?s ?p ?x }", f"x: {{type: {kind}}}")
        with pytest.raises(TemplateError) as caught:
            asked.bind({"x": value})  # type: ignore[arg-type]  # some are no terms at all
        assert problem in str(caught.value)
        assert caught.value.way_out

    @pytest.mark.parametrize(
        ("kind", "value"),
        [
            ("iri", "<urn:x>"),
            ("string", '"x"'),
            ("string", '"x"@en'),
            ("integer", f'"-3"^^<{XSD}integer>'),
            ("decimal", f'"3"^^<{XSD}integer>'),
            ("decimal", f'".5"^^<{XSD}decimal>'),
            ("date", f'"1952"^^<{XSD}gYear>'),
            ("date", f'"-0043-03"^^<{XSD}gYearMonth>'),
            ("date", f'"1952-03-11"^^<{XSD}date>'),
            ("date", f'"1952-03-11T12:00:00Z"^^<{XSD}dateTime>'),
            ("term", '"x"^^<urn:datatype>'),
        ],
    )
    def test_a_value_of_the_type_is_taken(self, kind: str, value: str) -> None:
        assert f"VALUES (?x) {{ ({value}) }}" in template("ASK { ?s ?p ?x }", f"x: {{type: {kind}}}").bind({"x": value})


HOSTILE = st.one_of(
    st.text(max_size=30),
    st.text(alphabet="\"'\\<>{}()#?$:@^.;|`~%\n\r\t\0\u2028\u202e😀ué", max_size=30),
    st.sampled_from(
        ['"> } DROP ALL', "' } ; CLEAR ALL #", '"""', "\\", '\\"', "\\u0022 } #", "?o", "} UNION { ?s ?p ?o", "@en"]
    ),
)


class TestHostileValues:
    """Whatever a value says, the query finds exactly that value and leaves the store alone."""

    @given(st.lists(HOSTILE, min_size=1, max_size=4, unique=True), HOSTILE)
    def test_a_text_is_found_as_the_text_it_is(self, stored: list[str], other: str) -> None:
        store = ox.Store()
        for text in stored:
            store.add(ox.Quad(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), ox.Literal(text)))
        said = template("SELECT ?x { ?s ?p ?x }", "x: {type: string}")
        rows = [{"x": ox.Literal(text)} for text in [*stored, other]]
        assert values(store, said.bind(rows), "x") == set(stored)
        assert holds(store, said.as_ask({"x": ox.Literal(other)})) == (other in stored)
        assert len(store) == len(stored)

    @given(HOSTILE)
    def test_a_term_in_ntriples_is_found_as_it_is(self, text: str) -> None:
        store = ox.Store()
        term = ox.Literal(text, language="en")
        store.add(ox.Quad(ox.NamedNode("urn:s"), ox.NamedNode("urn:p"), term))
        said = template("SELECT ?x { ?s ?p ?x }", "x: {type: term}")
        assert values(store, said.bind({"x": str(term)}), "x") == {text}

    @given(HOSTILE, st.sampled_from(["iri", "predicate", "string", "integer", "decimal", "date", "term"]))
    def test_raw_text_given_as_a_term_is_one_value_or_an_error(self, text: str, kind: str) -> None:
        asked = template("SELECT ?s { ?s ?x ?o FILTER(?x != ?o) }", f"x: {{type: {kind}}}")
        try:
            query = asked.bind({"x": text})
        except TemplateError as refused:
            assert "\n" not in str(refused)  # noqa: PT017
        else:
            ox.Store().query(query)

    @given(st.text(alphabet='abc/#?é%20<>{}"\\ \n', max_size=12), st.sampled_from(["", "<", "http://e.x/"]))
    def test_an_iri_is_whole_or_refused(self, text: str, start: str) -> None:
        written = f"<{start}{text}>"
        asked = template("ASK { ?s ?p ?x }", "x: {type: iri}")
        try:
            query = asked.bind({"x": written}, base="http://base.x/")
        except TemplateError:
            return
        assert not holds(ox.Store(), query)


class TestAsking:
    """`as_ask` says whether the query with these values has a solution."""

    @pytest.mark.parametrize(
        "query",
        [
            "SELECT ?s { ?s wdt:P19 ?place }",
            "SELECT DISTINCT ?s { ?s wdt:P19 ?place } # the end",
            "SELECT ?place (COUNT(?s) AS ?n) { ?s wdt:P19 ?place } GROUP BY ?place HAVING(COUNT(?s) > 0)",
            "PREFIX t: <http://www.wikidata.org/prop/direct/> # so\nSELECT REDUCED ?s # who\nWHERE { ?s t:P19 ?place }",
            "SELECT ?s { ?s wdt:P19 ?place ; rdfs:label ?l } ORDER BY ?l LIMIT 1",
            "SELECT ?s { SELECT ?s ?place { ?s wdt:P19 ?place } }",
            "SELECT ?s { ?s wdt:P19 ?place } VALUES ?s { wd:Q7251 wd:Q42 }",
            "ASK { ?s wdt:P19 ?place }",
        ],
    )
    def test_whatever_the_query_looks_like(self, query: str, people: ox.Store) -> None:
        asked = template(query, "place: {type: iri}")
        assert holds(people, asked.as_ask({"place": LONDON}))
        assert not holds(people, asked.as_ask({"place": ADAMS}))
        assert holds(people, asked.as_ask([{"place": ADAMS}, {"place": LONDON}]))
        assert not holds(people, asked.as_ask([]))

    def test_the_graphs_of_a_from_clause_are_kept(self) -> None:
        store = ox.Store()
        store.update("INSERT DATA { GRAPH <urn:g> { <urn:s> <urn:p> <urn:o> } }")
        there, elsewhere = (template(f"SELECT ?s FROM <urn:{g}> WHERE {{ ?s ?p ?o }}") for g in "gh")
        assert holds(store, there.as_ask())
        assert not holds(store, elsewhere.as_ask())

    def test_the_base_goes_first(self) -> None:
        asked = template("SELECT ?s { ?s a <film> }").as_ask(base="http://e.x/")
        assert asked == "BASE <http://e.x/>\nASK { { SELECT ?s { ?s a <film> } } }"

    def test_a_construct_says_neither_yes_nor_no(self) -> None:
        with pytest.raises(TemplateError, match="says neither yes nor no; take a SELECT or an ASK"):
            template("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }").as_ask()


class TestFamilies:
    """A family's slots are bound like parameters: the answer for what a question states."""

    def test_a_slot_of_the_outermost_group_is_bound_within(self, country: Template, people: ox.Store) -> None:
        query = country.bind({"name": '"Alan Turing"@en'})
        assert 'WHERE { VALUES (?name) { ("Alan Turing"@en) }' in query
        assert values(people, query, "country") == {WD + "Q145"}

    def test_a_slot_that_the_query_computes_is_bound_from_outside(self, country: Template, people: ox.Store) -> None:
        assert values(people, country.bind({"year": ox.Literal(1912)}), "name") == {"Alan Turing"}
        assert holds(people, country.as_ask({"year": ox.Literal(1912)}))
        assert not holds(people, country.as_ask({"year": ox.Literal(1913)}))

    def test_a_slot_that_may_be_unbound_equals_nothing_then(self, country: Template, people: ox.Store) -> None:
        rows = {"work": ox.NamedNode(WD + "Q3107329")}
        assert values(people, country.bind(rows), "name") == {"Douglas Adams"}

    def test_the_first_of_a_limited_list_is_not_changed_by_asking_for_another(self, people: ox.Store) -> None:
        first = parse(
            "#+ name: a\n#+ summary: b\n#+ method: m\n#+ domain: d\n#+ task: open\n#+ key: [s]\n#+ answer: n\n"
            '#+ question: {basic: "{s}?"}\nSELECT ?s ?n { ?s wdt:P19 ?o ; rdfs:label ?n } ORDER BY ?n LIMIT 1'
        )
        assert values(people, first.bind(), "n") == {"Ada Lovelace"}
        assert not holds(people, first.as_ask({"s": TURING}))

    def test_a_slot_that_it_has_not_is_named_with_the_nearest(self, country: Template) -> None:
        with pytest.raises(TemplateError, match="no parameter or slot 'nam'; did you mean 'name'"):
            country.bind({"nam": '"Alan Turing"@en'})

    def test_a_view_has_no_bindable_slots(self, born: Template) -> None:
        with pytest.raises(TemplateError, match="no parameter 'name'"):
            born.bind({"place": str(LONDON), "name": '"Alan Turing"@en'})


class TestInline:
    def test_sparql_itself_is_a_template_of_any_terms(self, people: ox.Store) -> None:
        asked = inline("SELECT * { ?s wdt:P19 ?place }", ["place"])
        assert values(people, asked.bind({"place": LONDON}), "s") == {WD + "Q7251", WD + "Q7259"}
        assert holds(people, asked.as_ask({"place": LONDON}))

    def test_a_name_that_it_does_not_use_is_an_error(self) -> None:
        with pytest.raises(TemplateError, match="inline query:1: the query never uses parameter 'plaice'"):
            inline("ASK { ?s wdt:P19 ?place }", ["plaice"])


def test_an_inline_parameter_reaches_a_sub_select_that_does_not_project_it() -> None:
    text = (
        "#+ name: a\n#+ summary: b\n#+ parameters:\n#+   s: {type: iri, inline: true}\n"
        "SELECT ?o { { SELECT DISTINCT ?o { ?s wdt:P1 ?x . ?x wdt:P1 ?o } } }"
    )
    bound = parse(text).bind({"s": "<urn:x>"})
    assert "{ <urn:x> wdt:P1 ?x . ?x wdt:P1 ?o }" in bound
    assert "VALUES" not in bound


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#+ name: a\n#+ summary: \u2028b: c\nASK {}", "case.rq:2: unknown key 'b'"),
        ("#+ name: a\n#+ summary: b\n#+ key: " + "[" * 20_000 + "\nASK {}", "case.rq:1: the front matter"),
        ("#+ name: a\n#+ summary: b\nASK { ?s ?p " + "9" * 5000 + " ?o }", "case.rq"),
        ("#+ name: a\n#+ summary: b\nASK " + "{ # }\n" * 5000 + "}" * 5000, "case.rq: is nested more than 300 deep"),
        ("#+ name: a\n#+ summary: b\nASK { FILTER(" + "1 + " * 5000 + "1) }", "case.rq: has more than 1500 operators"),
    ],
    ids=["a line break of YAML's", "nested front matter", "digits", "braces behind comments", "operators"],
)
def test_what_would_overwhelm_a_parser_is_refused(text: str, said: str) -> None:
    with pytest.raises(TemplateError) as caught:
        parse(text, "case.rq")
    assert said in str(caught.value)
