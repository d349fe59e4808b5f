"""A pattern that is compiled late finds what one that is compiled at once finds."""

from __future__ import annotations

import re

import pytest

from kg.patterns import late

RIVERS = "The Danube meets the Inn at Passau, the INN meets the Sill at Innsbruck."


def test_it_finds_what_a_compiled_one_finds() -> None:
    inn, compiled = late(r"\binn\b", re.IGNORECASE), re.compile(r"\binn\b", re.IGNORECASE)
    assert [match.span() for match in inn.finditer(RIVERS)] == [match.span() for match in compiled.finditer(RIVERS)]
    assert inn.sub("Enns", RIVERS) == compiled.sub("Enns", RIVERS)
    assert inn.match(RIVERS) is None
    assert (inn.pattern, inn.flags) == (compiled.pattern, compiled.flags)


def test_a_wrong_one_says_so_when_it_is_first_looked_for() -> None:
    unclosed = late("(Danube")
    with pytest.raises(re.error, match="unterminated subpattern"):
        unclosed.search(RIVERS)
