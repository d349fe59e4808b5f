"""The linter's rules that look at one item alone.

Most are patterns (`rules.toml`). Those of `wording` are held against the question without the values that it states, which
are names and no fault of its wording: "Who wrote ◻?". The others compare an item's own fields: `FIELD_RULES`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from generators.articles import with_article
from generators.heads import has_needless_noun
from generators.nouns import is_plural
from kg.formats import shipped_toml
from kg.text import fold
from queries.records.item import Item

MARK = "◻"
"""What stands in a wording where the question states a value."""
_CLOSED = ("yes_no", "probe", "premise")
_BRIEF = 4
"""A value of fewer letters stands in a question by chance."""


class Rule(NamedTuple):
    """A rule's name and what it tells a reader."""

    name: str
    says: str


class Patterns(NamedTuple):
    """A rule of patterns; `slots` says in which slots its values are looked at (null: in all)."""

    rule: Rule
    pattern: re.Pattern[str]
    slots: re.Pattern[str] | None = None


@functools.cache
def pattern_rules(kind: str) -> list[Patterns]:
    """Return the rules of a kind: `wording`, `text` or `value`.

    >>> [each.rule.name for each in pattern_rules("wording")][:3]
    ['placeholder', 'machine-word', 'cut-word']
    """
    tables: dict[str, dict[str, Any]] = shipped_toml("generators.lint", "rules.toml")[kind]
    return [
        Patterns(
            Rule(name, table["says"]),
            re.compile("|".join(table["patterns"])),
            re.compile(table["slots"], re.IGNORECASE) if "slots" in table else None,
        )
        for name, table in tables.items()
    ]


def wording_of(item: Item) -> str:
    """Return the question with a mark in place of every value that it states.

    >>> from queries.records.item import Given
    >>> item = Item(schema="kgprobe.item/1", id="a", method="m", family="f", task="open", variant="v",
    ...     question="Who wrote “Ulysses”?", given=[Given("title", "Ulysses")], group="g")
    >>> wording_of(item)
    'Who wrote “◻”?'
    """
    values = {given.value for given in item.given}
    if item.premise is not None:
        values |= {item.premise.subject.label, item.premise.object.label}
    if item.task == "choice":
        values |= set(item.options or ())
    text = item.question
    for value in sorted(filter(None, values), key=len, reverse=True):
        text = text.replace(value, MARK)
    return text


@functools.lru_cache(maxsize=65536)
def wording_faults(wording: str) -> tuple[Rule, ...]:
    """Return the rules that a wording breaks; items of one family share few wordings.

    >>> [rule.name for rule in wording_faults("What is the founded of ◻?")]
    ['participle']
    """
    found = [each.rule for each in pattern_rules("wording") if each.pattern.search(wording)]
    return (*found, NUMBER) if _plural_of_one(wording) else tuple(found)


NUMBER = Rule("number-of-subject", "joins a plural with a singular")
_ONE = re.compile(rf"\b(?:the|an?) (?:[a-z]+ )*?([a-z]+) [“\"‘']?{MARK}(?!\W*(?:and|or|,) )", re.IGNORECASE)
_WHICH = re.compile(r"^Which (?:[a-z]+ )*?([a-z]+) (?:is|was|has|does)\b")


def _plural_of_one(wording: str) -> bool:
    """Tell whether one thing is called by a plural ("the bridges “Rialto”", "Which suppliers is")."""
    return any(is_plural(noun.lower()) for pattern in (_ONE, _WHICH) for noun in pattern.findall(wording))


def text_faults(item: Item) -> Iterator[Rule]:
    """Yield the rules that a question breaks as it stands."""
    for each in pattern_rules("text"):
        if each.pattern.search(item.question):
            yield each.rule
    if wrong_article(item.question):
        yield ARTICLE
    if has_needless_noun(item.question):
        yield NEEDLESS_NOUN


def value_faults(item: Item) -> Iterator[tuple[Rule, str]]:
    """Yield the rules that values of an item break, with the value."""
    values = [(given.slot, given.value) for given in item.given]
    values += [(entry.slot, entry.value) for entry in item.rationale]
    values += [("answer", answer) for answer in (item.answer or ())[:1] if item.task in ("open", "context")]
    values += [("option", option) for option in item.options or ()]
    for each in pattern_rules("value"):
        for slot, value in values:
            if (each.slots is None or each.slots.search(slot.replace("_", " "))) and each.pattern.search(value):
                yield each.rule, value
                break


NEEDLESS_NOUN = Rule("needless-noun", "says what a thing is before a name that says it")
ARTICLE = Rule("article", "has a where an stands, or an where a stands")
_ARTICLE = re.compile(r"\b([Aa]n?) ([\w’'-]+)")


def wrong_article(text: str) -> bool:
    """Tell whether "a" or "an" does not fit what follows it; a capital before it begins a title of its own.

    >>> wrong_article("Was he a actor?"), wrong_article("Was she an honest MP?"), wrong_article("Is it a European film?")
    (True, False, False)
    """
    return any(
        with_article(word).split(" ")[0] != article.lower()
        for article, word in _ARTICLE.findall(text)
        if article.islower() and len(word) > 1 and word[0].islower()
    )


def _given_away(item: Item) -> bool:
    """Tell whether a question that asks for a name or a value says it itself."""
    if item.task in _CLOSED or item.task == "context" or not item.answer:
        return False
    answers = item.answer
    if item.task == "choice":
        number = int(answers[0])
        answers = [(item.options or [])[number - 1]]
    question = f" {fold(item.question)} "
    return any(len(answer) >= _BRIEF and f" {fold(answer)} " in question for answer in answers[:1])


def _same_thing(item: Item) -> bool:
    """Tell whether a fact says something of itself."""
    return item.premise is not None and fold(item.premise.subject.label) == fold(item.premise.object.label)


def _true_by_name(item: Item) -> bool:
    """Tell whether a false object bears the name of a true one, or holds it whole."""
    premise = item.premise
    if premise is None or premise.edit is None:
        return False
    false = f" {fold(premise.object.label)} "
    for true in premise.true_objects:
        if any(fold(name) == false.strip() for name in true.aliases):
            return True
        name = f" {fold(true.label)} "
        if len(name) > _BRIEF and len(false) > _BRIEF and (name in false or false in name):
            return True
    return False


def _options_alike(item: Item) -> bool:
    """Tell whether two options say the same."""
    options = [fold(option) for option in item.options or ()]
    return len(set(options)) < len(options)


def _name_repeated(item: Item) -> bool:
    """Tell whether all options say a name that the question says already."""
    options = item.options or []
    names = [given.value for given in item.given if len(given.value) > _BRIEF]
    return len(options) > 1 and any(name in item.question and all(name in option for option in options) for name in names)


def _unit_unsaid(item: Item) -> bool:
    """Tell whether a number is asked for in a unit that the question does not say."""
    if item.unit is None or item.answer_type != "number" or item.task != "open":
        return False
    stem = fold(item.unit).split(" ")[0][:_BRIEF]
    return stem not in fold(item.question)


FIELD_RULES: dict[Rule, Callable[[Item], bool]] = {
    Rule("answer-given-away", "says its own answer"): _given_away,
    Rule("same-thing", "says of a thing what names that very thing"): _same_thing,
    Rule("true-by-name", "is called false, and its object has the name of a true one or holds it"): _true_by_name,
    Rule("options-alike", "offers one option twice"): _options_alike,
    Rule("name-repeated", "says the name in the question and in every option again"): _name_repeated,
    Rule("unit-unsaid", "asks for a number and does not say in which unit"): _unit_unsaid,
}
"""Rules that compare the fields of one item."""

RULES: list[Rule] = [
    *(each.rule for kind in ("wording", "text", "value") for each in pattern_rules(kind)),
    NUMBER,
    ARTICLE,
    NEEDLESS_NOUN,
    *FIELD_RULES,
]
"""All rules that look at one item; those over a whole file are `linting.FILE_RULES`."""
