"""JSON-LD is read some nodes at a time, and says what it says when it is read whole."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kg import InputError, load_rdf
from kg.sources._json_ld import documents_of

CONTEXT = {"@vocab": "http://e/", "knows": {"@type": "@id"}, "e": "http://e/", "said": {"@language": "en"}}
texts = st.text(st.sampled_from('abc"\\{}[],: \n\té'), max_size=6)
names = st.sampled_from(["e:a", "e:b", "_:one", "_:two"])
values = st.recursive(
    st.one_of(texts, st.integers(), st.booleans(), st.builds(lambda name: {"@id": name}, names)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(["p", "said", "q"]), inner, max_size=3)
    ),
    max_leaves=6,
)
nodes = st.builds(
    lambda name, said: said if name is None else {"@id": name, **said},
    st.none() | names,
    st.dictionaries(st.sampled_from(["p", "knows", "said"]), texts | values, max_size=3),
)


def says(documents: list[bytes]) -> set[ox.Triple]:
    """Return the triples of documents that share their blank names, these in one canonical form."""
    quads = [quad for text in documents for quad in ox.parse(text, ox.RdfFormat.JSON_LD, base_iri="http://base/")]
    dataset = ox.Dataset(ox.Quad(q.subject, q.predicate, q.object) for q in quads)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return {quad.triple for quad in dataset}


def cut(text: bytes) -> list[bytes]:
    return [document.content.read() for document in documents_of(io.BytesIO(text))]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(nodes, max_size=9), st.sampled_from([None, 1, 2]), st.integers(1, 80), st.sampled_from(["graph", "list", "tail"])
)
@example([{"@id": "e:a", "p": '"]}\\'}], None, 1, "graph")
def test_a_document_says_the_same_when_it_is_cut(
    some: list[dict[str, Any]], indent: int | None, block: int, shape: str
) -> None:
    document: Any = {"@context": CONTEXT, "@graph": some}
    if shape == "list":
        document = [{"@context": CONTEXT, **node} for node in some]
    elif shape == "tail":
        document |= {"@id": "e:graph", "said": "behind"}
    text = json.dumps(document, indent=indent).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("kg.sources._json_ld._BLOCK", block)
        patch.setattr("kg.sources._json_ld._HEAD", text.find(b"[") + 1)
        pieces = cut(text)
    assert says(pieces) == says([text])
    assert len(pieces) >= min(2, len(some))


def test_no_more_is_held_than_a_few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.sources._json_ld._BLOCK", 1000)
    monkeypatch.setattr("kg.sources._json_ld._HEAD", 1000)
    long = {"@context": CONTEXT, "@graph": [{"@id": f"e:{n}", "p": "word " * 10} for n in range(1000)]}
    pieces = cut(json.dumps(long).encode())
    assert max(map(len, pieces)) < 2500
    assert len(pieces) > 50


@pytest.mark.parametrize(
    "text",
    [
        '{"@id": "http://e/a", "@context": {"@vocab": "http://e/"}, "@graph": [{"@id": "http://e/b", "p": 1}]}',
        '{"@graph": [{"@id": "http://e/b", "p": 1}], "@context": {"@vocab": "http://e/"}}',
        '{"@context": {"@vocab": "http://e/", "nodes": "@graph"}, "nodes": [{"@id": "http://e/b", "p": 1}]}',
        '{"@context": {"@vocab": "http://e/"}, "@id": "http://e/a", "p": 5}',
        "7", '""', "{}", "[]", " ", '{"@context": 1, "@context": 2, "@graph": []}',
    ],
)  # fmt: skip
def test_what_has_another_shape_is_read_whole(text: str) -> None:
    whole = next(iter(documents_of(io.BytesIO(text.encode()))))
    assert whole.content.read().decode() in (text, "[]")
    assert whole.before == 0


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{"@context": {\n"@vocab": 5},\n"@graph": [\n{"@id": "http://e/a"}]}', 1),
        ('{"@context": {"@vocab": "http://e/"},\n"@graph": [\n{"@id": "http://e/a"},\n{"@id": "http://e/c" "p": 1}]}', 4),
        ('{"@context": {"@vocab": "http://e/"},\n"@graph": [\n{"@id": "http://e/a", "p": "b"}\n]}\n}', 5),
        ('{"@context": {"@vocab": "http://e/"},\n"@graph": [\n{"@id": "http://e/a", "p": "b"},\n{"@id": "http://e/', 4),
        ('[{"@id": "http://e/a"},\n{"@id": "http://e/b"}\n', 3),
    ],
)
def test_what_is_wrong_is_told_with_its_line(text: str, line: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kg.sources._json_ld._BLOCK", 8)
    (tmp_path / "wrong.jsonld").write_text(text)
    with pytest.raises(InputError) as error:
        load_rdf([tmp_path / "wrong.jsonld"])
    assert f"wrong.jsonld:{line}" in str(error.value)
