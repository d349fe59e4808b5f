"""What tables and columns are called: one row in the singular, cut words in full, foreign keys by what they lead to."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from generators.erbench.names import Words
from generators.nouns import is_word, plural

FIXTURES = Path(__file__).parents[1] / "fixtures" / "generators"


def test_one_row_of_three_hundred_tables_is_singular() -> None:
    """Plurals, CamelCase, prefixes and lists of codes; each table alone, so that no other one helps."""
    with (FIXTURES / "table_names.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) >= 300
    assert [(r["table"], Words([r["table"]]).table(r["table"]).name) for r in rows] == [(r["table"], r["row"]) for r in rows]


def test_the_plural_of_a_row_is_what_is_counted() -> None:
    assert [plural(noun) for noun in ("runway", "child", "aircraft", "city", "seats")] == [
        "runways", "children", "aircraft", "cities", "seats",
    ]  # fmt: skip


class TestColumns:
    """A library whose columns were cut short."""

    schema = Words(["Branches", "tblBooks", "LangCodes", "Publisher", "loan_records"])

    @pytest.mark.parametrize(
        ("raw", "table", "said"),
        [
            ("yr_pub", "tblBooks", "year published"),
            ("book_title", "tblBooks", "title"),
            ("bk_nm", "tblBooks", "name"),
            ("num_pg", "tblBooks", None),
            ("copies_qty", "tblBooks", "number of copies"),
            ("qty", "loan_records", "quantity"),
            ("dob", "Publisher", "date of birth"),
            ("HQCity", "Publisher", "headquarters city"),
            ("floorAreaM2", "Branches", "floor area m2"),
            ("isbn", "tblBooks", "ISBN"),
            ("xqz", "tblBooks", None),
            ("stock_est", "Branches", "estimated stock"),
            ("est_yr", "Branches", "established year"),
            ("est", "Branches", "established"),
            ("brd_cap", "Branches", "board capacity"),
            ("min_age", "LangCodes", "minimum age"),
            ("loan_dur_min", "tblBooks", "loan duration min"),
            ("qty_sold", "tblBooks", "number sold"),
        ],
    )
    def test_a_cut_word_is_said_in_full_or_told(self, raw: str, table: str, said: str | None) -> None:
        called = self.schema.column(raw, table)
        assert (called.name if called.unsaid is None else None) == said

    @pytest.mark.parametrize(
        ("raw", "to", "said"),
        [
            ("br_id", "Branches", "branch"),
            ("lang_cd", "LangCodes", "language"),
            ("orig_lang", "LangCodes", "original language"),
            ("pub_code", "Publisher", "publisher"),
            ("home_branch_id", "Branches", "home branch"),
            ("printed_by", "Publisher", "printed by"),
            ("fk_publisher", "Publisher", "publisher"),
        ],
    )
    def test_a_foreign_key_that_is_a_code_is_called_by_its_table(self, raw: str, to: str, said: str) -> None:
        assert self.schema.reference(raw, "tblBooks", to).name == said

    def test_a_cut_word_may_say_the_table_again(self) -> None:
        depots = Words(["tbl_station", "tbl_depot"])
        assert depots.column("stn_cd", "tbl_station").name == "code"
        assert depots.column("stn_cd", "tbl_depot").name == "station code"

    def test_other_scripts_are_words(self) -> None:
        assert is_word("人口")
        assert self.schema.column("площадь", "tblBooks").unsaid is None
