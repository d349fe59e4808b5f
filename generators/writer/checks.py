"""Is a text that somebody else wrote a sound wording of a family? It is held against the rule's own, word for word.

What is checked is what can be checked without understanding the text: every placeholder as it was given and as often, one
question (or statement) on one line, no sign, number or name that the rule's text does not hold, no denial more or fewer, no
alternative, condition, answer or command, no value of the examples, and no rule of the linter that the rule's own text keeps.
What goes wrong otherwise is left to a person who reads the families: they are few.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, NamedTuple

from generators.lint.rules import MARK, pattern_rules, wording_faults, wrong_article
from kg.formats import shipped_toml
from kg.text import fold

_PLACEHOLDER = re.compile(r"“?\{[^{}]*\}”?")
"""A title's quotation marks belong to its placeholder."""
_WORD = re.compile(r"[^\W\d_]+(?:['’.-][^\W\d_]+)*")
_SIGNS = re.compile(rf"[^\w\s'’?.,{MARK}-]|_")
_LONGER = 100
"""A text may have so many characters more than the rule's; twice as many are allowed to a short one."""
_SHORTEST_VALUE = 3
"""An example of fewer characters stands in a text by chance."""


@dataclass(frozen=True)
class WordingTask:
    """A family to be worded.

    `name` tells it from the others; `texts` are the rule's wordings by variant, with placeholders in braces, each a question,
    or a statement that ends with a full stop; `about` is told to the writer (what the family is, the schema's own names), and
    so are `examples`, values by slot, none of which may stand in a text; `keep` are words that stay where a text has them: a
    unit, "the Chinook shop".
    """

    name: str
    texts: Mapping[str, str]
    about: Mapping[str, str] = field(default_factory=dict)
    examples: Sequence[Mapping[str, str]] = ()
    keep: Sequence[str] = ()


class Flaw(NamedTuple):
    """Why a text cannot be used: what kind of flaw it has, and what the flaw is about."""

    kind: str
    about: str = ""

    @property
    def why(self) -> str:
        """Say it to whoever wrote the text.

        >>> Flaw("it holds a number of its own", "7").why
        'it holds a number of its own: "7"'
        """
        return f'{self.kind}: "{self.about}"' if self.about else self.kind


@cache
def prompts() -> dict[str, Any]:
    """Read `writer.toml`: the prompts, and the word lists of the checks."""
    return shipped_toml("generators.writer", "writer.toml")


def check_text(text: object, task: WordingTask, variant: str) -> Flaw | None:
    """Say why a text cannot take the place of the rule's; None where it can.

    >>> task = WordingTask("length", {"basic": "How long is {river:the river}, in kilometres?"}, keep=["kilometres"])
    >>> [flaw.why for text in ("How long is {river:the river}?", "How many kilometres long is {river:the river}, or miles?")
    ...  if (flaw := check_text(text, task, "basic"))]
    ['it leaves out what has to stay: "kilometres"', 'it gives an alternative: "or"']
    """
    if not isinstance(text, str):
        return Flaw("it is no text")
    return next(_flaws(text, task.texts[variant], task), None)


def check_own(text: str) -> Flaw | None:
    """Say what is wrong with a text that has no rule's text beside it: a person's own.

    >>> check_own("What is the founded of {museum:the}?").why
    'asks for the participle of something'
    """
    return next((flaw for check in (_of_line, _of_sentence, _of_lint) for flaw in check(text, "")), None)


def open_form(text: str) -> str:
    """Return a text with its placeholders left open, to compare it with others.

    >>> open_form("Who wrote “{title}”, {year:a} film?")
    'who wrote ◻, ◻ film?'
    """
    return _masked(text).casefold()


def _masked(text: str) -> str:
    return _PLACEHOLDER.sub(MARK, text)


def _flaws(text: str, rule: str, task: WordingTask) -> Iterator[Flaw]:
    yield from _of_line(text, rule)
    yield from _of_placeholders(text, rule)
    yield from _of_sentence(text, rule)
    yield from (Flaw("it leaves out what has to stay", kept) for kept in task.keep if kept in rule and kept not in text)
    yield from _of_words(text, rule)
    yield from _of_opening(text, rule, task.keep)
    yield from _of_values(text, rule, task)
    yield from _of_lint(text, rule)


def _of_line(text: str, rule: str) -> Iterator[Flaw]:
    if not text.strip():
        yield Flaw("it is empty")
    if not text.isprintable() or text != text.strip() or MARK in text:
        yield Flaw("it has more than one line, or characters that nobody sees")
    if rule and len(text) > max(len(rule) + _LONGER, 2 * len(rule)):
        yield Flaw("it is too long")


def _of_placeholders(text: str, rule: str) -> Iterator[Flaw]:
    wanted, there = _PLACEHOLDER.findall(rule), _PLACEHOLDER.findall(text)
    for name in dict.fromkeys(wanted):
        if there.count(name) != wanted.count(name):
            yield Flaw("a placeholder does not stand in it as it was given", name)
    for name in there:
        if name not in wanted:
            yield Flaw("it holds a placeholder of its own", name)
    if re.search(r"[{}]", _masked(text)):
        yield Flaw("it holds a brace that is no placeholder's")


def _of_sentence(text: str, rule: str) -> Iterator[Flaw]:
    masked = _masked(text)
    if rule and not _is_question(rule):
        if not masked.endswith(".") or "?" in masked or re.search(r"\.\s", masked):
            yield Flaw("it is not one statement that ends with a full stop")
    elif not masked.endswith("?") or masked.count("?") != 1 or re.search(r"\w\w\.\s", masked):
        yield Flaw("it is not one question that ends with a question mark")
    if not (masked[:1].isupper() or masked.startswith(MARK)):
        yield Flaw("it does not begin with a capital letter")


def _is_question(text: str) -> bool:
    return text.rstrip().endswith("?")


def _words(text: str) -> list[str]:
    return _WORD.findall(_masked(text).replace("’", "'"))


def _folded(text: str) -> str:
    return f" {' '.join(_words(text)).casefold()} "


def _of_opening(text: str, rule: str, keep: Sequence[str]) -> Iterator[Flaw]:
    """Hold the beginning against the rule's: a question word stays one, an auxiliary too."""
    if not _is_question(rule):
        return
    kinds = [_kind(each, keep) for each in (rule, text)]
    if kinds[0] is not None and kinds[0] != kinds[1]:
        yes_no = "it does not begin as a question that is answered with yes or no does"
        yield Flaw(yes_no if kinds[0] == "yes_no" else "it does not begin as a question with a question word does")


def _kind(text: str, keep: Sequence[str]) -> str | None:
    """Tell an open question from one of yes or no by its beginning; what says where ("In the shop, …") may precede."""
    lead, _, rest = text.partition(", ")
    return _opens(text) or (_opens(rest) if any(kept in lead for kept in keep) else None)


def _opens(text: str) -> str | None:
    words, openings = [word.casefold() for word in _words(text)], prompts()["opening"]
    if words and words[0] in openings["before"]:
        words = words[1:]
    return next((kind for kind in ("open", "yes_no") if words and words[0] in openings[kind]), None)


def _of_words(text: str, rule: str) -> Iterator[Flaw]:
    said, known = _folded(text), _folded(rule)
    if _denials(text) != _denials(rule):
        yield Flaw("it denies more or less than the text that was given")
    for why, forbidden in prompts()["forbidden"].items():
        if word := next((word for word in forbidden if f" {word} " in said and f" {word} " not in known), None):
            yield Flaw(why, word)
    if number := next((n for n in re.findall(r"\d+", _masked(text)) if n not in re.findall(r"\d+", _masked(rule))), None):
        yield Flaw("it holds a number of its own", number)
    if sign := next((sign for sign in _SIGNS.findall(_masked(text)) if sign not in _masked(rule)), None):
        yield Flaw("it holds a sign that the text that was given does not hold", sign)
    own = {word.casefold() for word in _words(rule)}
    if name := next((word for word in _words(text)[1:] if not word.islower() and word.casefold() not in own), None):
        yield Flaw("it holds a name of its own", name)


def _denials(text: str) -> int:
    words = [word.casefold() for word in _words(text)]
    return sum(word in prompts()["denying"] or word.endswith("n't") for word in words)


def _of_values(text: str, rule: str, task: WordingTask) -> Iterator[Flaw]:
    said, known = f" {fold(_masked(text))} ", f" {fold(_masked(rule))} "
    for value in dict.fromkeys(value for example in task.examples for value in example.values()):
        folded = f" {fold(value)} "
        if len(folded) - 2 >= _SHORTEST_VALUE and folded in said and folded not in known:
            yield Flaw("it holds a value of the examples", value)


def _of_lint(text: str, rule: str) -> Iterator[Flaw]:
    """Yield the linter's rules that a text breaks and the rule's text keeps; placeholders are names."""
    before = {flaw.kind for flaw in _of_lint(rule, "")} if rule else set[str]()
    masked = re.sub(rf"“?{MARK}”?", MARK, _masked(text))
    broken = [each.says for each in wording_faults(masked)]
    broken += [each.rule.says for each in pattern_rules("text") if each.rule.name != "ending" and each.pattern.search(masked)]
    broken += ["has a where an stands, or an where a stands"] if wrong_article(masked) else []
    yield from (Flaw(says) for says in broken if says not in before)
