"""The first page: who leads, at what, how sure that is, where it fails, and what a reader must know before the numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple
from urllib.parse import quote

from evaluators.metrics import ALL, Table
from evaluators.metrics.habits import COMMONER
from evaluators.metrics.scoreboard import KIND
from evaluators.report.items import REASONS
from evaluators.report.text import NONE, clipped, count, interval, number, signed, visible
from evaluators.report.views import View, anchor, dimension, view

Row = Mapping[str, Any]

_MATRIX_MODELS = 12
_HABIT = 0.9  # of the answers in keeping with a habit make a warning, where it is this much above
_ABOVE = 0.1  # what a model without the habit would show
_FULL = 0.98  # from here on a score has little to tell
_GUESSERS = ("chance", "majority", "position", "frequency")


class HeatCell(NamedTuple):
    """A cell of the matrix: its number, interval and count, what is left out, its heat in steps of 5 percent, its items."""

    value: str
    under: str = ""
    hint: str = ""
    heat: int | None = None
    link: str = ""


class HeatRow(NamedTuple):
    """A row of the matrix: a model or a guesser."""

    name: str
    guesser: bool
    cells: list[HeatCell]


class Matrix(NamedTuple):
    """Models by the values of a stratum."""

    anchor: str
    stratum: str
    columns: list[str]
    rows: list[HeatRow]


class Cluster(NamedTuple):
    """Errors that are more frequent in one place: whose, which, where, how many, and examples."""

    model: str
    words: str
    lift: str
    examples: list[tuple[str, str]]


class First(NamedTuple):
    """What the first page says."""

    sentence: str
    warnings: list[str]
    models: View | None
    matrices: list[Matrix]
    power: str
    clusters: list[Cluster]


def first(tables: Sequence[Table], places: Mapping[str, tuple[int, str]]) -> First:
    """Lay the first page out.

    Parameters: `places` says for the items that clusters name in which set they stand, and their question.
    """
    by_key = {table.key: table for table in tables}
    rows: dict[str, list[Row]] = {
        key: list(table.frame.iter_rows(named=True)) for key, table in by_key.items() if key.startswith("overview.")
    }
    models = sorted(rows.get("overview.models", []), key=lambda row: -(row["score"] if row["score"] is not None else -1))
    return First(
        _sentence(models, rows),
        [*_warnings(models, rows)],
        view(_said(by_key["overview.models"])) if models else None,
        list(_matrices(models, rows)),
        _power(models, rows.get("overview.pairs", [])),
        [_cluster(row, places, several=len(models) > 1) for row in _interleaved(rows.get("overview.failures", []))],
    )


def _said(table: Table) -> Table:
    """Leave out what nobody said, such as costs; the models stand in the order of their scores."""
    measures = tuple(measure for measure in table.measures if table.frame[measure.name].is_not_null().any())
    frame = table.frame.sort("score", descending=True, nulls_last=True, maintain_order=True)
    return replace(table, measures=measures, frame=frame)


def _name(row: Row) -> str:
    run = row.get("run")
    return clipped(row["model"] if run is None else f"{run}:{row['model']}", 60)


def _ends(row: Row, name: str) -> str:
    ends = interval(row[f"{name}_low"], row[f"{name}_high"])
    return f"{number(row[name])} ({ends})" if ends else number(row[name])


def _sentence(models: Sequence[Row], rows: Mapping[str, list[Row]]) -> str:
    """Say in one sentence who leads, at what, how sure that is, and where it fails."""
    scored = [row for row in models if row["score"] is not None]
    if not scored:
        return "No answer was scored." if models else ""
    leader = scored[0]
    best, worst = _extremes(leader, rows.get("overview.strata", []))
    where = f", best at {best[0]} ({number(best[1])}) and worst at {worst[0]} ({number(worst[1])})" if best and worst else ""
    if len(scored) == 1:
        return f"{_name(leader)} scores {_ends(leader, 'score')}{where}."
    pair = _pair(leader, scored[1], rows.get("overview.pairs", []))
    if pair is None:
        return f"{_name(leader)} has the highest score, {_ends(leader, 'score')}, on items of its own{where}."
    gap, low, high, p = pair
    sure = f"{signed(gap)}, 95% interval {interval(low, high)}, p {'< 0.001' if p < 0.001 else '= ' + number(p)}"
    if p >= 0.05:
        return f"{_name(leader)} ({_ends(leader, 'score')}) and {_name(scored[1])} cannot be told apart ({sure}){where}."
    if gap < 0:
        return f"{_name(scored[1])} leads {_name(leader)} on the items that both answered ({sure})."
    return f"{_name(leader)} leads with {_ends(leader, 'score')}, before {_name(scored[1])} ({sure}){where}."


def _pair(a: Row, b: Row, pairs: Sequence[Row]) -> tuple[float, float, float, float] | None:
    """Return the difference of two models with its interval and p, the first minus the second."""
    names = [row["model"] if row.get("run") in (None, "(none)") else f"{row['run']}:{row['model']}" for row in (a, b)]
    for row in pairs:
        p = row["p_holm"] if row["p_holm"] is not None else row["p"]
        if row["difference"] is None or row["difference_low"] is None or p is None:
            continue
        if [row["first"], row["second"]] == names:
            return row["difference"], row["difference_low"], row["difference_high"], p
        if [row["second"], row["first"]] == names:
            return -row["difference"], -row["difference_high"], -row["difference_low"], p
    return None


Named = tuple[str, float]


def _extremes(model: Row, strata: Sequence[Row]) -> tuple[Named | None, Named | None]:
    """Return the kinds of question that a model is best and worst at; none where there is but one."""
    own = [
        (row["value"], row["score"])
        for row in strata
        if row["stratum"] == KIND and _same(row, model) and row["score"] is not None
    ]
    best, worst = (end(own, key=_score, default=None) for end in (max, min))
    return (best, worst) if best and worst and best[1] > worst[1] else (None, None)


def _score(named: Named) -> float:
    return named[1]


def _same(a: Row, b: Row) -> bool:
    return bool(a["model"] == b["model"] and a.get("run") == b.get("run"))


def _warnings(models: Sequence[Row], rows: Mapping[str, list[Row]]) -> Iterable[str]:
    """Yield what could mislead a reader: habits, guessing, a set that is too easy, one-sided truths, what is left out."""
    for row in rows.get("overview.habits", []):
        yield from _habit(row)
    chance = {row["guesser"]: row for row in rows.get("overview.guessers", []) if row["stratum"] == ALL}
    for row in models:
        yield from _level(row, chance)
    yield from _unlike(models, rows)
    for word, other in (("yes", 1.0), ("no", 0.0)):
        sided = [row for row in models if row["yes_right"] == other]
        if sided:
            yield f"All yes-no questions have the answer {word}: who always says {word} gets all of them right."


def _habit(row: Row) -> Iterable[str]:
    share, expected = row["share"], row["expected"]
    if share is None or expected is None or share < expected + _ABOVE:
        return
    about = f"{share:.0%} of {count(row['share_n'])}"
    if row["habit"] in ("yes", "no") and share >= _HABIT:
        yield f"{_name(row)} answers {row['habit']} to {about} yes-no questions; {row['habit']} is right for {expected:.0%}."
    elif row["habit"] == COMMONER and share >= _HABIT:
        yield f"{_name(row)} answers as a guesser would who takes the commoner object for the true one ({about})."
    elif row["habit"].startswith("position") and row["share_low"] is not None and row["share_low"] > expected + _ABOVE:
        yield f"{_name(row)} picks {row['habit']} in {about} choices; without a preference it would in {expected:.0%}."


def _level(row: Row, guessers: Mapping[str, Row]) -> Iterable[str]:
    score, low, high = row["score"], row["score_low"], row["score_high"]
    if score is not None and score >= _FULL:
        yield f"{_name(row)} has nearly everything right ({number(score)}): this set has little more to tell of it."
    best = max((g for g in guessers.values() if g["score"] is not None and g["guesser"] in ("chance", "majority")),
               key=lambda g: float(g["score"]), default=None)  # fmt: skip
    if best is not None and low is not None and score is not None and low <= best["score"]:
        what = "is not above" if high >= best["score"] else "is below"
        yield f"{_name(row)} {what} a guesser: {_ends(row, 'score')}, and {best['guesser']} gets {number(best['score'])}."


def _unlike(models: Sequence[Row], rows: Mapping[str, list[Row]]) -> Iterable[str]:
    """Yield what scores are not about: questions that were not asked, answers that could not be judged."""
    unasked = {_name(row): row["unasked"] for row in rows.get("overview.outcomes", [])}
    asked = {_name(row): row["score_n"] + row["left_out"] - unasked.get(_name(row), 0) for row in models}
    some = [
        f"{name} ({count(n)} of {count(n + unasked[name])})" for name, n in asked.items() if unasked.get(name, 0) > 0.05 * n
    ]
    if some:
        yield f"Asked only a part of the questions of its kinds: {', '.join(some)}."
    for row in models:
        n, left = asked[_name(row)], row["left_out"] - unasked.get(_name(row), 0)
        if left > 0.05 * n:
            yield f"Of {count(n)} answers of {_name(row)}, {count(left)} are left out: unscored or not judged."
    kinds: dict[tuple[str, ...], list[str]] = {}
    for row in models:
        own = {_kind(one["value"]) for one in rows.get("overview.strata", []) if one["stratum"] == KIND and _same(one, row)}
        kinds.setdefault(tuple(sorted(own)), []).append(_name(row))
    if len(kinds) > 1:
        groups = "; ".join(f"{', '.join(names)} on {', '.join(own)}" for own, names in kinds.items())
        yield f"Unlike questions, so compare scores within a group only, or in one column below: {groups}."


def _kind(value: str) -> str:
    """Return what is asked, whatever is right: two sides of one kind are one."""
    return value.partition(":")[0]


def _matrices(models: Sequence[Row], rows: Mapping[str, list[Row]]) -> Iterable[Matrix]:
    """Yield a matrix for each stratum: models, then guessers, by the values of the stratum."""
    strata, guessers = rows.get("overview.strata", []), rows.get("overview.guessers", [])
    for stratum in dict.fromkeys(row["stratum"] for row in strata if row["stratum"] != ALL):
        own = [row for row in strata if row["stratum"] == stratum]
        values = sorted({row["value"] for row in own}, key=_natural)
        lines = [
            _heat_row(_name(model), [row for row in strata if _same(row, model)], stratum, values)
            for model in models[:_MATRIX_MODELS]
        ]
        lines += [
            _heat_row(name, [row for row in guessers if row["guesser"] == name], stratum, values, guesser=True)
            for name in _GUESSERS
            if any(row["guesser"] == name and row["stratum"] == ALL for row in guessers)
        ]
        yield Matrix(anchor("matrix", stratum), stratum, ["all", *(dimension(value) for value in values)], lines)


def _natural(value: str) -> tuple[int, float, str]:
    """Order numbers as numbers, before words."""
    try:
        return 0, float(value), value
    except ValueError:
        return 1, 0.0, value


def _heat_row(name: str, own: Sequence[Row], stratum: str, values: Sequence[str], *, guesser: bool = False) -> HeatRow:
    by_value = {row["value"]: row for row in own if row["stratum"] == stratum}
    whole = next((row for row in own if row["stratum"] == ALL), None)
    cells = [_heat(whole, "#items=0"), *(_heat(by_value.get(value), _address(stratum, value)) for value in values)]
    return HeatRow(name, guesser, cells)


def _address(stratum: str, value: str) -> str:
    return f"#items=0&{quote(f'f:{stratum}', safe='')}={quote(visible(value), safe='')}"


def _heat(row: Row | None, link: str) -> HeatCell:
    if row is None or row["score"] is None:
        return HeatCell(NONE, hint="no answer is scored")
    ends, left, n = interval(row["score_low"], row["score_high"], 2), row.get("left_out", 0), count(row["score_n"])
    exact = interval(row["score_low"], row["score_high"])
    hint = f"{number(row['score'])}, 95% interval {exact}, of {n}" + (f"; {count(left)} left out" if left else "")
    under = f"{ends} · {n}" + (f" (−{count(left)})" if left else "")
    return HeatCell(number(row["score"], 2), under, hint, 5 * round(20 * row["score"]), link)


_IN_FOUR_OF_FIVE = 2.8016  # standard errors of a difference that is seen at 5 percent in four of five cases: 1.9600 + 0.8416


def _power(models: Sequence[Row], pairs: Sequence[Row]) -> str:
    """Say what the set can show, and what would decide what it cannot."""
    pairs = [pair for pair in pairs if pair["least"] is not None]
    if len(models) < 2 or not pairs:
        scored = [row for row in models if row["score_low"] is not None]
        if not scored:
            return ""
        # Two models of this kind with errors of their own: their difference varies by both.
        error = 2**0.5 * (scored[0]["score_high"] - scored[0]["score_low"]) / (2 * 1.96)
        least = number(_IN_FOUR_OF_FIVE * error, 2)
        return f"Against another model this set would show a difference of about {least} and more in four of five cases."
    pair = min(pairs, key=lambda row: _rank(row, models))
    who = f"Between {clipped(pair['first'], 40)} and {clipped(pair['second'], 40)}"
    text = f"{who} these items show a difference of {number(pair['least'])} and more in four of five cases"
    if not pair["difference"]:
        return f"{text}; none is seen."
    seen = f"one of {number(abs(pair['difference']))}, as large as the one seen"
    return f"{text}; to decide {seen}, would take about {_round(pair['more'])} items more." if pair["more"] else f"{text}."


def _rank(pair: Row, models: Sequence[Row]) -> int:
    """Return how far down two models stand together: the first two decide."""
    names = [row["model"] if row.get("run") in (None, "(none)") else f"{row['run']}:{row['model']}" for row in models]
    return sum(names.index(pair[side]) if pair[side] in names else len(names) for side in ("first", "second"))


def _round(items: int) -> str:
    """Write a number of items with two digits that say something.

    >>> _round(3587), _round(12)
    ('3,600', '12')
    """
    digits = max(0, len(str(items)) - 2)
    return count(round(items, -digits))


def _interleaved(failures: Sequence[Row]) -> list[Row]:
    """Order clusters so that the surest of each model comes first, then the second of each."""
    ranks: dict[str, int] = {}
    ranked = []
    for row in failures:
        ranks[_name(row)] = ranks.get(_name(row), -1) + 1
        ranked.append((ranks[_name(row)], row))
    return [row for _, row in sorted(ranked, key=_rank_of)]


def _rank_of(ranked: tuple[int, Row]) -> int:
    return ranked[0]


def _cluster(row: Row, places: Mapping[str, tuple[int, str]], *, several: bool) -> Cluster:
    reason = REASONS.get(row["reason"], row["reason"])
    hops = "" if row["hops"] == NONE else f", {visible(row['hops'])} {'hop' if row['hops'] == '1' else 'hops'}"
    words = f"{visible(row['relation'])}{hops}: {reason} ({count(row['failures'])} of {count(row['of'])})"
    items = [row[name] for name in ("example 1", "example 2", "example 3") if row[name] in places]
    links = [(f"#id={places[item][0]}/{quote(item, safe='')}", clipped(places[item][1], 90)) for item in items]
    return Cluster(_name(row) if several else "", words, f"{row['lift']:.1f}×", links)
