"""The command line of the judges.

```
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --explain ITEM
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --as-published erbench --out published.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --store ./wd --ground --out verdicts.jsonl
python -m evaluators.verify --items items.jsonl --responses responses.jsonl --judge openai:MODEL --vote --out verdicts.jsonl
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, get_args

import msgspec
import typer

from evaluators.judge.left_open import What
from evaluators.models.runs import Recording, Terms, beside, with_terms
from evaluators.pool import without_collecting
from evaluators.verify.evidence import STANDINGS, standing
from evaluators.verify.question import Question, read_questions
from evaluators.vote import Ballots, vote_summary, write_votes
from kg.cli import Quiet, ShardOption, new_app, note, run
from kg.errors import InputError, nearest, one_line
from kg.files import check_apart, replacing
from kg.graph_choice import GraphChoice, with_graph
from queries.records.claim import Standing
from queries.records.shards import WHOLE, Shard
from queries.records.verdict import OUTCOMES
from queries.tables import print_grid

# The rules, the bench and the graph's names are imported where they are used: who reads the help need not wait for them.
if TYPE_CHECKING:
    from evaluators.grounding import Grounding
    from evaluators.grounding.extraction import Extraction
    from evaluators.judge.bench import Bench
    from evaluators.verify.judges import Judge
    from evaluators.verify.reading.labels import Labels
    from evaluators.verify.stream import Piece, WrongNames
    from kg.graph import Graph

app = new_app("Judge answers by rules, and by a model what the rules leave open.")


@dataclass(frozen=True, kw_only=True)
class GraphOfNames(GraphChoice):
    """The graph whose names are known to the rules, and which is asked with --ground; without either there is none."""

    store: Annotated[Path | None, typer.Option(help="A folder made by `kg load`: wrong entities are told by name.")] = None


@app.command()
@with_terms
@with_graph
def verify(
    items: Annotated[str, typer.Option(help="items.jsonl")],
    responses: Annotated[str, typer.Option(help="responses.jsonl")],
    out: Annotated[str | None, typer.Option(help="The file to write; `-` is stdout, `.gz` is compressed.")] = None,
    explain: Annotated[str | None, typer.Option(help="Show the answers to this item with what decided marked.")] = None,
    where: GraphOfNames = GraphOfNames(),
    ground: Annotated[
        bool, typer.Option("--ground", help="Hold answers against the graph: what they claim, and items it outdates.")
    ] = False,
    claims: Annotated[str | None, typer.Option(help="With --ground: the file of claims [default: OUT.claims.jsonl].")] = None,
    named: Annotated[str | None, typer.Option(help="With --store: a file for the wrong entities and their hops.")] = None,
    as_published: Annotated[str | None, typer.Option(help="Judge yes-no and choice by a paper's own rules: erbench.")] = None,
    vote: Annotated[bool, typer.Option("--vote", help="Add a verdict for each item: what most of its samples say.")] = False,
    judge: Annotated[str | None, typer.Option(help="A model that judges what the rules leave open.")] = None,
    judge_what: Annotated[
        What,
        typer.Option(help="Which of the answers that are left open it judges; claims: with --ground, it reads what all claim."),
    ] = What.all,
    judge_votes: Annotated[int, typer.Option(min=1, help="How often it votes on each answer.")] = 1,
    shard: ShardOption = None,
    judgements: Annotated[str | None, typer.Option(help="The file of its reports [default: OUT.judge.jsonl].")] = None,
    quiet: Quiet = False,
    *,
    terms: Terms,
) -> None:
    """Judge answers by rules, each with its reason; no model is asked unless `--judge` names one.

    \b
    Example:
      kgprobe verify --items items.jsonl --responses responses.jsonl --out verdicts.jsonl
    """
    from evaluators.judge.bench import Bench
    from evaluators.verify.explain import Files, explain_item
    from evaluators.verify.judges import judges_of

    asked = _Asked(out, explain, named, claims, as_published, judge, judge_what, ground=ground, vote=vote)
    asked.check(names_at_hand=where.named or where.mended)
    part = Shard.parse(shard)
    part.check_alone({"--explain": explain, "--named": named})
    part.check_alone({"--vote": vote}, "counts the samples of all parts (`kgprobe vote` does so after `kgprobe merge`)")
    terms.check_used(judge, "--judge")
    reports = (judgements or beside(str(out), "judge")) if judge is not None else None
    claimed = (claims or beside(str(out), "claims")) if ground and out is not None else None
    check_apart({"--out": out, "--named": named, "--judgements": reports, "--claims": claimed}, [items, responses])
    graph = where.open() if where.named or where.mended or ground else None
    labels, grounding = _read_graph(graph, items, ground=ground, quiet=quiet or where.mended)
    if explain is not None:
        print(
            explain_item(explain, read_questions(items), Files(items, responses), judges_of(as_published), labels, grounding),
            end="",
        )
        return
    model = Recording.open(judge, reports, terms, quiet=quiet) if judge is not None else None
    bench = Bench(model, judge_what, judge_votes, quiet) if model is not None and judge_what is not What.claims else None
    reader = model if grounding is not None and judge_what in (What.claims, What.all) else None
    ballots, tally = Ballots() if vote else None, None if quiet else Tally()
    judging = _Judging(items, responses, judges_of(as_published), labels, bench, ballots, tally, grounding, reader, part)
    with ExitStack() as stack:
        names = {"verdicts": str(out), "named": named, "claims": claimed}
        streams = {what: stack.enter_context(replacing(name)) for what, name in names.items() if name is not None}
        counts = judging.write(streams)
    _summarise(counts, str(out), quiet=quiet)
    _summarise_more(judging, claimed, quiet=quiet)


def _summarise_more(judging: _Judging, claimed: str | None, *, quiet: bool) -> None:
    """Tell what came of claims, of models and tasks, and of votes, where these were asked for."""
    if judging.ground is not None:
        _summarise_claims(judging, claimed, quiet=quiet)
    if judging.tally is not None:
        judging.tally.print()
    if judging.ballots is not None:
        note(vote_summary(judging.ballots.votes()), quiet)


@dataclass(frozen=True)
class _Asked:
    """What a run was asked to do, as far as one wish may rule out another."""

    out: str | None
    explain: str | None
    named: str | None
    claims: str | None
    as_published: str | None
    judge: str | None
    judge_what: What
    ground: bool
    vote: bool

    def check(self, *, names_at_hand: bool) -> None:
        """Raise InputError where two wishes do not go together, or one needs what is not there."""
        from evaluators.verify.published import PUBLISHED

        if self.as_published is not None and self.as_published not in PUBLISHED:
            raise InputError(
                f"'{self.as_published}' is no paper with rules of its own", way_out=nearest(self.as_published, PUBLISHED)
            )
        if (self.out is None) == (self.explain is None):
            raise InputError("what to do is not clear", way_out="give --out FILE or --explain ITEM")
        if self.named is not None and not names_at_hand:
            raise InputError("--named needs the names of a graph", way_out="add --store DIR")
        if self.claims is not None and not self.ground:
            raise InputError("--claims are what --ground finds", way_out="add --ground")
        if self.judge_what is What.claims and not self.ground:
            raise InputError("--judge-what claims are held against a graph", way_out="add --ground")
        if self.ground and self.as_published is not None:
            raise InputError("a paper's own rules know no graph", way_out="leave out --ground or --as-published")
        if self.judge is not None and self.as_published is not None:
            raise InputError(
                "a paper's own rules leave nothing open for --judge", way_out="leave out --judge or --as-published"
            )
        if self.explain is not None and (self.vote or self.named is not None or self.judge is not None):
            raise InputError("--explain writes no file", way_out="leave out --vote, --named and --judge")
        if self.explain is not None and self.claims is not None:
            raise InputError("--explain writes no file", way_out="leave out --claims")


def _read_graph(graph: Graph | None, items: str, *, ground: bool, quiet: bool) -> tuple[Labels | None, Grounding | None]:
    """Read the names of a graph, and its facts where answers are held against it; say where items are of another one."""
    if graph is None:
        return None, None
    from evaluators.verify.judges import judges_of
    from evaluators.verify.reading.labels import Labels

    with without_collecting():
        if not ground:
            return Labels.of(graph), None
        from evaluators.grounding import Grounding  # here: who judges without a graph need not wait for it
        from kg.local import LocalGraph
        from queries.audit.origin import other_graphs

        grounding = Grounding.of(graph, items, judges_of(None))
        other = other_graphs(grounding.lookup.made_from, graph) if isinstance(graph, LocalGraph) else None
        if other is not None:
            note(other, quiet)
        return grounding.facts.labels, grounding


@dataclass(frozen=True)
class _Judging:
    """What is judged, by which rules and judge, and whether it is voted on and told by model and task."""

    items: str
    responses: str
    judges: Mapping[str, Judge]
    labels: Labels | None
    bench: Bench | None
    ballots: Ballots | None
    tally: Tally | None
    ground: Grounding | None = None
    reader: Recording | None = None
    shard: Shard = WHOLE
    stale: Counter[str] = field(default_factory=Counter)
    standings: Counter[str] = field(default_factory=Counter)

    def write(self, streams: Mapping[str, BinaryIO]) -> Counter[str]:
        """Write verdicts, and wrong entities and claims where there are streams; returns how many there are of each outcome."""
        from evaluators.verify.stream import WrongNames, judged

        counts, questions = Counter[str](), read_questions(self.items)
        leaves_open = None if self.bench is None else self.bench.leaves_open
        rules = self.judges, self.labels, leaves_open, self.ground, self.shard
        judged_pieces = judged(
            self.responses, self.items, questions, *rules, explained=self.reader is not None, named="named" in streams
        )
        wrong = WrongNames(self.labels, streams["named"]) if self.labels is not None and "named" in streams else None
        with self._extraction(questions) as extraction:
            pieces = self._counted(judged_pieces, counts, wrong, streams.get("claims"), extraction)
            self._write_verdicts(questions, pieces, counts, streams["verdicts"])
            for part in extraction.claims() if extraction is not None else ():
                self._count_claims(part)
                streams["claims"].write(part)
        if self.shard.whole and not any(counts[outcome] for outcome in OUTCOMES):
            raise InputError(
                f"no answer to judge: {_answers_by_task(_left_out(counts))}", place=self.responses, way_out="name other items"
            )
        if self.ballots is not None:
            write_votes(self.ballots.votes(), streams["verdicts"])
        return counts

    def _extraction(self, questions: Mapping[str, Question]) -> AbstractContextManager[Extraction | None]:
        """Open what a model reads claims with; null where none does."""
        if self.ground is None or self.reader is None:
            return nullcontext()
        from evaluators.grounding.extraction import Extraction  # here: who asks no model need not wait for it

        return Extraction(self.ground, self.reader, questions, self.tally is None)

    def _write_verdicts(
        self, questions: Mapping[str, Question], pieces: Iterable[Piece], counts: Counter[str], stream: BinaryIO
    ) -> None:
        lines = (p.verdicts for p in pieces) if self.bench is None else self.bench.decide(questions, pieces, counts)
        for part in lines:
            stream.write(part)
            if self.tally is not None:
                self.tally.add(part, questions)
            if self.ballots is not None:
                self.ballots.add(part)

    def _counted(
        self,
        pieces: Iterable[Piece],
        counts: Counter[str],
        wrong: WrongNames | None,
        claims: BinaryIO | None,
        extraction: Extraction | None,
    ) -> Iterator[Piece]:
        """Pass pieces on, counted and with their wrong entities and claims written."""
        for piece in pieces:
            counts.update(piece.outcomes)
            self.stale.update(piece.stale)
            if wrong is not None:
                wrong.add(piece)
            if extraction is not None:
                extraction.add(piece)
            elif claims is not None:
                self._count_claims(piece.claims)
                claims.write(piece.claims)
            yield piece
        if wrong is not None:
            wrong.flush()

    def _count_claims(self, lines: bytes) -> None:
        self.standings.update({s: lines.count(f'"standing":"{s}"'.encode()) for s in get_args(Standing)})


def _left_out(counts: Counter[str]) -> dict[str, int]:
    return {task.removeprefix("left out "): n for task, n in counts.items() if task.startswith("left out ")}


def _summarise(counts: Counter[str], out: str, *, quiet: bool) -> None:
    if left_out := _left_out(counts):  # never silently, not even with --quiet: the verdicts are incomplete
        note(f"left out: {_answers_by_task(left_out)}")
    total = sum(counts[outcome] for outcome in OUTCOMES)
    note(f"{total} verdicts to {out}: {', '.join(f'{counts[outcome]} {outcome}' for outcome in OUTCOMES)}", quiet)


def _summarise_claims(judging: _Judging, claims: str | None, *, quiet: bool) -> None:
    told = ", ".join(f"{judging.standings[standing]} {standing}" for standing in get_args(Standing))
    note(f"{judging.standings.total()} claims{f' to {claims}' if claims else ''}: {told}", quiet)
    if judging.stale:  # never silently: the items are to be made again
        n, few = len(judging.stale), ", ".join(sorted(judging.stale)[:3])
        told = "1 item is stale: the graph states an answer" if n == 1 else f"{n} items are stale: the graph states answers"
        note(f"{told} that {'it does' if n == 1 else 'they do'} not list ({few}{f' and {n - 3} more' if n > 3 else ''})")


def _answers_by_task(tasks: dict[str, int]) -> str:
    return ", ".join(f"{n} {'answer' if n == 1 else 'answers'} {_why_left_out(task)}" for task, n in sorted(tasks.items()))


def _why_left_out(task: str) -> str:
    from evaluators.verify.judges import JUDGES

    return (
        f"to items of task {task}, which these rules do not judge"
        if task in JUDGES
        else "to items whose truth is another answer"
    )


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.verify")


class _Outcome(msgspec.Struct):
    """What is counted of a verdict."""

    item: str
    model: str
    outcome: str
    evidence: bool | None = None


class Tally:
    r"""Counts verdicts by model, task and outcome.

    >>> tally = Tally()
    >>> tally.add(b'{"item":"i","model":"m","outcome":"correct"}\n', {})
    >>> tally.rows()
    [['m', '(none)', '1.000', '1', '0', '0', '0']]
    """

    def __init__(self) -> None:
        self._counts = Counter[tuple[str, str, str]]()
        self._standings = Counter[tuple[str, str]]()
        self._decoder = msgspec.json.Decoder(_Outcome)

    def add(self, verdicts: bytes, questions: Mapping[str, Question]) -> None:
        """Count verdicts, written as JSON Lines; the questions say of which task they are."""
        for verdict in self._decoder.decode_lines(verdicts):
            question = questions.get(verdict.item)
            self._counts[verdict.model, question.task if question else "(none)", verdict.outcome] += 1
            if looked_up := standing(verdict.outcome, verdict.evidence):
                self._standings[verdict.model, looked_up] += 1

    def rows(self) -> list[list[str]]:
        """Return a row for each model and task: both, the share of right answers among the scored ones, the counts."""
        rows = []
        for model, task in sorted({key[:2] for key in self._counts}):
            counts = [self._counts[model, task, outcome] for outcome in OUTCOMES]
            scored = sum(n for n, outcome in zip(counts, OUTCOMES, strict=True) if outcome != "unscored")
            share = f"{counts[OUTCOMES.index('correct')] / scored:.3f}" if scored else "–"
            rows.append([one_line(model, 40), task, share, *(f"{n:,}" for n in counts)])
        return rows

    def print(self) -> None:
        """Print the rows to stderr: stdout may be the verdicts."""
        print_grid("By model and task", ["model", "task"], ["correct of scored", *OUTCOMES], self.rows(), aside=True)
        if self._standings:
            models = sorted({model for model, _ in self._standings})
            rows = [[one_line(model, 40), *(f"{self._standings[model, name]:,}" for name in STANDINGS)] for model in models]
            titles = [name.replace("_", " by ") for name in STANDINGS]
            print_grid("By what queries of the graph returned", ["model"], titles, rows, aside=True)


if __name__ == "__main__":
    main()
