"""On any small graph, every item is what the method says, and nothing that could be made is left out."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from generators.fpq import EngineName, Options, generate
from oracle import ORDER, check
from small_graphs import HOSTILE, OPTIONS, PATIENTLY, Small, items_of, small_graphs

Item = dict[str, Any]


BELOW_A_NAMELESS_TRUE_OBJECT = Small(
    n=9,
    concepts=1,
    facts=frozenset({(0, 0, 0), (3, 0, 1), (3, 0, 2)}),
    types=frozenset({(0, 0), (3, 0)}),
    above=frozenset({(0, 1)}),
    labels={1: None},
)


OF_A_KIND_THAT_DEFAMES = Small(
    n=9,
    concepts=3,
    facts=frozenset((i, 0, 4 + i) for i in range(4)),
    types=frozenset({*((i, 0) for i in range(9)), (5, 1), (6, 2)}),
    above=frozenset({(9 + 2, 9 + 1)}),
    labels={9 + 1: "Paramilitary organization"},
)


OF_A_NAME_THAT_ENDS_THE_TRUE_ONE = replace(
    OF_A_KIND_THAT_DEFAMES, labels={4: "liver cancer", 5: "cancer", 6: "lung cancer", 7: "a cancer"}
)


@pytest.mark.slow
@settings(PATIENTLY, max_examples=40)
@given(small_graphs(), OPTIONS)
@example(OF_A_NAME_THAT_ENDS_THE_TRUE_ONE, Options(n=9, radius=1))
@example(BELOW_A_NAMELESS_TRUE_OBJECT, Options(n=2, radius=1))
@example(OF_A_KIND_THAT_DEFAMES, Options(n=9, radius=1))
def test_brute_force_has_no_complaint(small: Small, options: Options) -> None:
    graph = small.graph()
    assert check(small.plain(graph), items_of(graph, small, options), small.wish(options)) == []


@pytest.mark.slow
@settings(PATIENTLY, max_examples=20)
@given(small_graphs(), OPTIONS)
def test_the_same_command_gives_the_same_bytes_with_either_engine(small: Small, options: Options) -> None:
    graph, again = small.graph(), small.graph()
    assume(items_of(graph, small, options))
    first = generate(graph, small.domain, options).items.write_ndjson()
    assert generate(again, small.domain, options).items.write_ndjson() == first
    sparql = replace(options, engine=EngineName.sparql)
    assert generate(again, small.domain, sparql).items.write_ndjson() == first


# --- hostile names

RELATION_NAMES = st.lists(HOSTILE, min_size=6, max_size=6).map(tuple)


@pytest.mark.slow
@settings(PATIENTLY, max_examples=30)
@given(small_graphs(names=HOSTILE), RELATION_NAMES, st.dictionaries(st.integers(0, 4), HOSTILE), OPTIONS)
def test_names_survive_from_the_source_to_the_question(
    small: Small, relations: tuple[str, ...], kinds: dict[int, str], options: Options
) -> None:
    odd = {small.n + c: text for c, text in kinds.items() if c < small.concepts}
    hostile = replace(small, relations=relations, asked=relations[:4], labels={**small.labels, **odd})
    graph = hostile.graph()
    plain = hostile.plain(graph)
    for i in range(hostile.n + hostile.concepts):
        assert hostile.label(i) in plain.labels[hostile.iri(i)] | {None}
    items = items_of(graph, hostile, options)
    assert check(plain, items, hostile.wish(options)) == []
    for item in items:
        assert {item["premise"]["relation"]["label"], item["strata"]["relation"]} <= set(relations)
        assert all(given["value"].casefold() in item["question"].casefold() for given in item["given"])


# --- an item that is not what it says is caught


def _edit(item: Item, data: st.DataObject) -> None:
    item["variant"] = item["premise"]["edit"] = data.draw(st.sampled_from([e for e in ORDER if e != item["variant"]]))


def _object(item: Item, data: st.DataObject) -> None:
    others = {"http://e.org/e0", "http://e.org/e1", "http://e.org/gone"} - {item["premise"]["object"]["iri"]}
    item["premise"]["object"]["iri"] = data.draw(st.sampled_from(sorted(others)))


def _subject(item: Item, data: st.DataObject) -> None:
    item["premise"]["subject"]["iri"] += data.draw(st.sampled_from(["0", "x"]))


def _hops(item: Item, data: st.DataObject) -> None:
    item["premise"]["hops"] = data.draw(st.sampled_from([h for h in (None, 1, 2, 3, 4, 5, 6) if h != item["premise"]["hops"]]))


def _path(item: Item, data: st.DataObject) -> None:
    path = item["premise"]["path"] or []
    other = [path[:-1], path[1:], [*path, ["http://e.org/e0", "http://e.org/r0", "http://e.org/e1"]], [f[::-1] for f in path]]
    item["premise"]["path"] = data.draw(st.sampled_from([p for p in [None, *other] if p != item["premise"]["path"]]))


def _term(item: Item, data: st.DataObject) -> None:
    bind = data.draw(st.sampled_from([b for proof in item["proof"] for b in proof["bind"]]))
    bind["term"] = data.draw(st.sampled_from([t for t in ("<http://e.org/e0>", "<http://e.org/e1>") if t != bind["term"]]))


def _expect(item: Item, data: st.DataObject) -> None:
    proof = data.draw(st.sampled_from(item["proof"]))
    proof["expect"] = not proof["expect"]


def _fewer(item: Item, data: st.DataObject) -> None:
    item["proof"].remove(data.draw(st.sampled_from(item["proof"])))


def _answer(item: Item, data: st.DataObject) -> None:
    other = {"yes": "no", "no": "yes", "accept": "reject", "reject": "accept"}
    item["answer"] = [other[item["answer"][0]]]


CHANGES = st.sampled_from([_edit, _object, _subject, _hops, _path, _term, _expect, _fewer, _answer])


@pytest.mark.slow
@settings(PATIENTLY, max_examples=60)
@given(small_graphs(), OPTIONS, CHANGES, st.data())
def test_a_changed_item_is_caught(
    small: Small, options: Options, change: Callable[[Item, st.DataObject], None], data: st.DataObject
) -> None:
    graph = small.graph()
    items = items_of(graph, small, options)
    assume(items)
    spoilt = copy.deepcopy(items)
    change(data.draw(st.sampled_from(spoilt)), data)
    assert check(small.plain(graph), spoilt, small.wish(options)) != []


@settings(PATIENTLY, max_examples=20)
@given(small_graphs(), OPTIONS, st.data())
def test_an_item_left_out_or_doubled_is_caught(small: Small, options: Options, data: st.DataObject) -> None:
    graph = small.graph()
    items = items_of(graph, small, options)
    assume(items)
    one = data.draw(st.sampled_from(items))
    for spoilt in ([item for item in items if item is not one], [*items, one]):
        assert check(small.plain(graph), spoilt, small.wish(options)) != []
