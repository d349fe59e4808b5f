"""Numbers and dates mean the same however they are written, and stand where they are said to."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.dates import compare_dates, find_dates
from kg.numbers import find_numbers, same_number
from kg.numerals import numerals
from kg.units import units_of

ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
        "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]  # fmt: skip
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = {
    1: "first",
    2: "second",
    3: "third",
    5: "fifth",
    8: "eighth",
    9: "ninth",
    12: "twelfth",
    20: "twentieth",
    30: "thirtieth",
}
UNITS = st.sampled_from(
    ["m", "km", "feet", "kg", "pounds", "°C", "degrees Fahrenheit", "km²", "m/s", "US dollars", "%", "people"]
)


def in_words(n: int, *, joined: str = " and ") -> str:
    """Spell a number below a thousand million."""
    for power, scale in ((10**6, "million"), (10**3, "thousand")):
        if n >= power:
            rest = n % power
            return f"{in_words(n // power)} {scale}" + (f"{joined if rest < 100 else ' '}{in_words(rest)}" if rest else "")
    if n >= 100:
        return f"{ONES[n // 100]} hundred" + (f"{joined}{in_words(n % 100)}" if n % 100 else "")
    return ONES[n] if n < 20 else TENS[n // 10] + (f"-{ONES[n % 10]}" if n % 10 else "")


def ordinal(n: int) -> str:
    """Spell the ordinal of a number below a hundred."""
    if n in ORDINALS:
        return ORDINALS[n]
    return f"{TENS[n // 10]}-{ordinal(n % 10)}" if n > 20 else ONES[n] + "th"


@given(st.integers(2, 10**9 - 1), st.sampled_from([" and ", " "]))
def test_a_number_in_words_is_the_one_in_digits(value: int, joined: str) -> None:
    assert [numeral.value for numeral in numerals(f"It was {in_words(value, joined=joined)}.")] == [value]


@given(st.decimals(-(10**6), 10**6, places=2), UNITS)
def test_a_number_is_itself_in_every_form(value: Decimal, unit: str) -> None:
    plain = find_numbers(f"{value:.2f} {unit}")[0]
    minus = "−" if value < 0 else ""
    forms = (
        f"{value:,.2f} {unit}",
        f"**{value:,.2f}** {unit}",
        f"{minus}{abs(value):,.2f} {unit}",
        rf"${value:.2f}\ \text{{{unit.replace('%', chr(92) + '%')}}}$",
        f"It is {value:.2f} {unit}, they say.",
    )
    for form in forms:
        (found, *more) = find_numbers(
            form, "de" if "," in form[-12:] and form.count(",") == 1 and "**" not in form and "It" not in form else None
        )
        assert not more, form
        assert same_number(plain, found, Decimal("0.01")), form


@given(st.integers(1000, 10**7), st.sampled_from(["feet", "kg", "hours", "square miles", "dollars"]))
def test_another_unit_or_sign_is_another_number(value: int, unit: str) -> None:
    metres = find_numbers(f"{value} metres")[0]
    for form in (f"{value} {unit}", f"-{value} metres", f"{value} km", f"{value}–{value + 9} metres"):
        assert not same_number(metres, find_numbers(form)[0], Decimal(1)), form


@given(st.dates(date(1500, 1, 1), date(2099, 12, 31)))
def test_a_date_in_words_is_the_one_in_figures(day: date) -> None:
    year = in_words(day.year // 100) + (f" {in_words(day.year % 100)}" if day.year % 100 > 9 else "")
    if day.year % 100 < 10 or day.year // 100 == 20:
        year = in_words(day.year) if day.year // 100 == 20 else f"{in_words(day.year // 100)} oh {in_words(day.year % 100)}"
    if day.year % 100 == 0 and day.year // 100 != 20:
        year = f"{in_words(day.year // 100)} hundred"
    wanted = find_dates(day.isoformat())[0]
    month = day.strftime("%B")
    for form in (
        f"the {ordinal(day.day)} of {month}, {year}",
        f"{month} the {ordinal(day.day)}, {year}",
        f"in {year}, on {month} {day.day}",
        f"Day: {day.day}, Month: {month}, Year: {day.year}",
        f"{day.year}年{day.month}月{day.day}日",
        f"{day.day}.{day.month}.{day.year}",
        f"{day.month}/{day.day}/{day.year}",
    ):
        assert [compare_dates(wanted, found) for found in find_dates(form)] == ["same"], form


@given(st.text(st.sampled_from("0123456789.,'’-–− $€°%\\{}^×/eEmkMKB年月日万ａ½½¹²_*\n") | st.characters(), max_size=40))
def test_values_stand_within_any_text(text: str) -> None:
    for number in find_numbers(text):
        assert 0 <= number.start < number.end <= number.until <= len(text)
    for found in find_dates(text):
        assert 0 <= found.start < found.end <= len(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [("km/h", "kilometres per hour"), ("m s^-2", "metres per second squared"), ("g/mol", "grams per mole"),
     ("sq mi", "square miles"), ("inhabitants per km²", "people per square kilometre"),
     ("kWh", "kilowatt hours"), ("°F", "degrees Fahrenheit")],
)  # fmt: skip
def test_a_unit_is_the_same_in_short_and_in_full(one: str, other: str) -> None:
    assert units_of(one)
    assert units_of(one)[0] in units_of(other)
