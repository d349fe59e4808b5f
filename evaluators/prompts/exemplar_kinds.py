"""What an exemplar demonstrates (which answer, of which type, or not knowing), and its answer exchanged for a wrong one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from evaluators.verify.abstention import unsure
from evaluators.verify.choice import pick
from evaluators.verify.yes_no import read
from kg.dates import find_dates
from kg.numbers import find_numbers
from kg.text import fold
from queries.records.exemplar import Exemplar


class Demonstration(NamedTuple):
    """An exemplar, and the groups whose facts its question and its answer are about."""

    exemplar: Exemplar
    groups: frozenset[str]

    @classmethod
    def of(cls, exemplar: Exemplar, *others: Exemplar) -> Demonstration:
        """Gather the groups of exemplars of which one is shown."""
        return cls(exemplar, frozenset(each.group for each in (exemplar, *others) if each.group is not None))


def kind_of(exemplar: Exemplar) -> str:
    """Return what kinds are balanced by: yes or no, the option picked, the type of a short answer.

    Of a premise `source.answer` says it ("accept" or "reject").

    >>> fields = dict(schema="kgprobe.exemplar/1", task="open", question="When?")
    >>> [kind_of(Exemplar(**fields, text=text)) for text in ("March 10, 1964", "1,200 km", "Edgar Froese")]
    ['date', 'number', 'entity']
    """
    if exemplar.task in ("yes_no", "probe"):
        return read(exemplar.text, exemplar.question).answer or ""
    if exemplar.task == "choice":
        picked = pick(exemplar.text, tuple(exemplar.options or ()), exemplar.question)
        return ",".join(map(str, picked.options)) if picked else ""
    if exemplar.task == "premise":
        return exemplar.source.get("answer") or ""
    return _type(exemplar.text.strip().rstrip("."))


def _type(answer: str) -> str:
    if any((date.start, date.end) == (0, len(answer)) for date in find_dates(answer)):
        return "date"
    # "1,200 km" is a number; "1984 by George Orwell" begins with one and is an entity.
    numbers = [number for number in find_numbers(answer) if number.start == 0]
    return "number" if numbers and _is_unit(answer[numbers[0].end :].strip(), numbers[0].unit) else "entity"


def _is_unit(rest: str, unit: str | None) -> bool:
    return not rest or (unit is not None and rest.startswith(unit) and len(rest.split()) == len(unit.split()))


def withholds(exemplar: Exemplar) -> bool:
    """Tell whether an exemplar shows how to say that one does not know.

    >>> withholds(Exemplar(schema="kgprobe.exemplar/1", task="open", question="Who wins in 2090?", text="unsure"))
    True
    """
    if exemplar.task in ("yes_no", "probe"):
        return read(exemplar.text, exemplar.question).reason == "unsure"
    picked = pick(exemplar.text, tuple(exemplar.options or ()), exemplar.question) if exemplar.task == "choice" else None
    answer = (exemplar.options or [])[picked.options[0] - 1] if picked else exemplar.text
    return unsure(answer) is not None


def exchanged(exemplars: Sequence[Exemplar], key: Callable[[str], int]) -> list[Demonstration]:
    """Give each exemplar the answer of another of its property; those that have no other answer to take are left out.

    FACT-BENCH, section 4.1: a random answer within the same property type. The property is `source.property`, where the
    file does not say it `source.family`, else the type of the answer. "Random" is the next in the order of `key`.

    >>> both = [dict(question="Where was Ada born?", text="London"), dict(question="Where was Niels born?", text="Copenhagen")]
    >>> exemplars = [Exemplar(schema="kgprobe.exemplar/1", task="open", **pair) for pair in both]
    >>> [shown.exemplar.text for shown in exchanged(exemplars, len)]
    ['Copenhagen', 'London']
    """
    rings: dict[tuple[str, str], list[Exemplar]] = {}
    for exemplar in exemplars:
        if not withholds(exemplar):
            rings.setdefault((exemplar.task, _property(exemplar)), []).append(exemplar)
    changed = []
    for ring in rings.values():
        ring.sort(key=lambda exemplar: (key(f"{exemplar.question}\0{exemplar.text}"), exemplar.question))
        for at, exemplar in enumerate(ring):
            others = (other for other in (*ring[at + 1 :], *ring[:at]) if fold(other.text) != fold(exemplar.text))
            other = next(others, None)
            if other is not None:
                changed.append(Demonstration.of(replace(exemplar, text=other.text), other))
    return changed


def _property(exemplar: Exemplar) -> str:
    name = exemplar.source.get("property") or exemplar.source.get("family")
    return f"property {name}" if name else f"type {kind_of(exemplar)}"
