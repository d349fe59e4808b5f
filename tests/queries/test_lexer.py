"""A query is read by token: what stands in strings, IRIs and comments is nobody's business but theirs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from queries.errors import LexerError
from queries.templates.lexer import Token, tokens

TRICKY = st.text(alphabet="{}#?$x\"'\\<>()a:@.^ \n\r\tü😀\u202e", max_size=12)


def kinds(text: str) -> list[str]:
    return [token.kind for token in tokens(text)]


def texts(text: str) -> list[str]:
    return [token.text for token in tokens(text)]


def rebuilt(text: str) -> str:
    at, joined = 0, ""
    for token in tokens(text):
        gap = text[at : token.start]
        assert gap.strip(" \t\r\n") == ""
        joined, at = joined + gap + token.text, token.end
    return joined + text[at:]


def quoted(content: str) -> str:
    escaped = content.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'


PIECES = st.one_of(
    TRICKY.map(quoted),
    TRICKY.map(lambda t: quoted(t).replace('"', "'") if "'" not in t and '"' not in t else "'x'"),
    TRICKY.map(lambda t: '"""' + t.replace("\\", "\\\\").replace('"', '\\"') + '"""'),
    TRICKY.map(lambda t: "'''" + t.replace("\\", "\\\\").replace("'", "\\'") + "'''"),
    st.text(alphabet="abc#?/:-.%20é", max_size=8).map(lambda t: f"<http://e.x/{t}>"),
    st.sampled_from(["wdt:P19", "a:b.c", ":", "x:", "?film", "$year", "3", "1.5", "2e-3", "SELECT", "a", "_:b1"]),
    st.sampled_from([*"{}()[];,.|/^*+!=&", "^^", "&&", "||", "!=", "<=", ">=", "@en", "@nl-BE"]),
    st.text(alphabet="{}#?$\"'<x ", max_size=8).map(lambda t: f"#{t}\n"),
)


@given(st.lists(PIECES, max_size=25), st.sampled_from([" ", "\n", "\r\n\t"]))
def test_tokens_and_the_gaps_between_them_are_the_text_again(pieces: list[str], gap: str) -> None:
    text = gap.join(pieces)
    assert rebuilt(text) == text


@given(st.lists(PIECES, max_size=25))
def test_each_piece_is_one_token_of_its_own(pieces: list[str]) -> None:
    assert texts(" ".join(pieces)) == [piece.rstrip("\n") for piece in pieces]


@given(st.lists(PIECES, max_size=25))
def test_line_and_column_lead_to_the_token(pieces: list[str]) -> None:
    text = "\n ".join(pieces)
    rows = text.split("\n")
    for token in tokens(text):
        assert rows[token.line - 1][token.column - 1 :].startswith(token.text.split("\n")[0])


@given(st.text(max_size=30))
def test_any_text_is_either_read_or_refused_with_its_place(text: str) -> None:
    try:
        joined = rebuilt(text)
    except LexerError as refused:
        joined, place = text, refused.place or ""
        assert place.startswith("query:")
    assert joined == text


def test_a_brace_a_hash_and_a_question_mark_within_a_string_are_text() -> None:
    assert kinds('?s ?p "{ # ?x }" }') == ["variable", "variable", "string", "punct"]


def test_a_hash_within_an_iri_is_no_comment() -> None:
    assert texts("<movie#title> # the title") == ["<movie#title>", "# the title"]


def test_less_than_is_not_the_start_of_an_iri() -> None:
    assert texts("?a < ?b && ?c <= 3") == ["?a", "<", "?b", "&&", "?c", "<=", "3"]


def test_a_path_is_cut_at_its_signs() -> None:
    assert texts("wdt:P31/wdt:P279*|^rdf:type? ?x") == [
        "wdt:P31", "/", "wdt:P279", "*", "|", "^", "rdf:type", "?", "?x",
    ]  # fmt: skip


def test_the_dot_that_ends_a_triple_is_not_part_of_a_name() -> None:
    assert texts("?s a m:film. _:b a m:v1.2.") == ["?s", "a", "m:film", ".", "_:b", "a", "m:v1.2", "."]


def test_names_may_hold_escapes_percents_and_other_scripts() -> None:
    assert texts(r"dbr:Ångström dbr:a\,b dbr:%C3%A9 имя:два") == ["dbr:Ångström", r"dbr:a\,b", "dbr:%C3%A9", "имя:два"]


def test_long_strings_hold_quotes_and_lines() -> None:
    assert texts('"""a "quoted"\nword""" \'\'\'it\'s\'\'\' "" \'\'') == [
        '"""a "quoted"\nword"""', "'''it's'''", '""', "''",
    ]  # fmt: skip


def test_a_token_after_a_long_string_knows_its_line() -> None:
    assert tokens('"""a\nb""" ?x')[1] == Token("variable", "?x", 10, 2, 6)


@pytest.mark.parametrize("text", ['"open', "'open\n'", '"""open""', "?x \\ ?y", "\x00", "\u00a0"])
def test_what_is_no_token_is_refused(text: str) -> None:
    with pytest.raises(LexerError, match=r"^query:1:\d+: .*; "):
        tokens(text)


def test_an_error_names_file_line_and_column() -> None:
    with pytest.raises(LexerError, match=r"^film\.rq:2:3: this string is never closed; close it"):
        tokens('ASK {\n  "open }', "film.rq")
