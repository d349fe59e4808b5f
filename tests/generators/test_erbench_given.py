"""What a person asks of tables as courses and clubs keep them: initials behind surnames, tables that give values to rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from database_asked import Asked
from sql_database import database

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


def asked_of(name: str, folder: Path, about: str | None = None) -> Asked:
    """Ask a database of the fixtures."""
    return Asked(database(folder / f"{name}.sqlite", (FIXTURES / f"{name}.sql").read_text(encoding="utf-8")), about)


@pytest.fixture(scope="module")
def lectures(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    return asked_of("lectures", tmp_path_factory.mktemp("lectures"))


class TestInitials:
    """Names with initials behind the surname, which are said in front of it."""

    @pytest.mark.parametrize("name", ["R. Aldgate", "J.-P. Castellan", "T. de la Rive", "B. A. S. Everdene", "M. K. Gower"])
    def test_initials_are_said_before_the_surname(self, lectures: Asked, name: str) -> None:
        assert lectures.any(f"was the speaker {name} born?")

    def test_a_name_in_normal_form_stays(self, lectures: Asked) -> None:
        assert lectures.any("was the speaker Forsman Ulla born?")

    def test_so_are_those_of_a_column(self, lectures: Asked) -> None:
        assert lectures.questions["Who wrote the 1966 novel “The Salt Road”?"] == ["M. K. Gower", "Gower MK"]

    def test_a_king_has_a_number(self, lectures: Asked) -> None:
        assert lectures.any("Aldric V")
        assert not lectures.any("V. Aldric")
