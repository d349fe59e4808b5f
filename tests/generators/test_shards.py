"""Parts of a job (`--shard I/N`), and what `kgprobe merge` makes of them: the bytes of one run."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from family_made import family, random_table
from fpq_made import Done, fpq_item, read_lines, write_lines
from generators.cli import app
from generators.family import Options, generate_all, write_results
from kg import cli
from queries.records.shards import WHOLE, Shard

CAPITAL = Path(__file__).parents[1] / "fixtures" / "families" / "distractors" / "capital.rq"


def run(*args: str | Path) -> int:
    with pytest.raises(SystemExit) as stop:
        cli.run(app, "kgprobe", [*map(str, args)])
    return int(str(stop.value.code))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def said(capfd: pytest.CaptureFixture[str], *args: str | Path) -> Done:
    capfd.readouterr()
    return Done(run(*args), *capfd.readouterr())


def in_parts(n: int, *command: str | Path, out: str = "--out") -> list[str]:
    """Run a command in so many parts; return the files of the parts, the last first."""
    names = [f"part-{number}-{out.strip('-')}.jsonl" for number in range(1, n + 1)]
    for number, name in enumerate(names, 1):
        assert run(*command, "--quiet", out, name, "--shard", f"{number}/{n}") == 0
    return names[::-1]


def assert_whole(whole: str, parts: list[str]) -> None:
    assert run("merge", *parts, "--out", "merged.jsonl", "--quiet") == 0
    assert Path("merged.jsonl").read_bytes() == Path(whole).read_bytes()


@pytest.mark.parametrize(
    "command",
    [
        ["fpq", "--domain", "art", "--n", "60"],
        ["family", CAPITAL, "--n", "30"],
    ],
    ids=["fpq", "family"],
)
def test_the_parts_of_items_are_the_bytes_of_one_run(command: list[str | Path]) -> None:
    assert run(*command, "--quiet", "--out", "whole.jsonl") == 0
    parts = in_parts(2, *command)
    assert_whole("whole.jsonl", parts)
    groups = [{item["group"] for item in map(dict, read_items(part))} for part in parts]
    assert all(groups), "each part has some"
    assert not groups[0] & groups[1], "the items of a fact stand together"


def read_items(part: str) -> list[dict[str, object]]:
    """Read a part as another program would that skips blank lines."""
    Path("bare.jsonl").write_text("\n".join(line for line in Path(part).read_text().splitlines() if line.strip()))
    return read_lines(Path("bare.jsonl"))


def test_choices_with_two_shares_of_none_in_parts() -> None:
    """A fact has items in two places of the file, one for each share."""
    rows = [(f"k{i}", str(i % 7), str(i % 11), str(i % 13)) for i in range(60)]
    graph, choices = random_table(rows, "abcd"), family("random_choice")
    options = Options(none_share=(0.0, 0.3))
    for number in (0, 1, 2):
        shard = Shard(number, 2) if number else WHOLE
        write_results(generate_all(graph, [choices], replace(options, shard=shard)), f"{number}.jsonl")
    assert len(read_lines(Path("0.jsonl"))) == 2 * 2 * 60
    assert_whole("0.jsonl", ["2.jsonl", "1.jsonl"])


def test_a_part_to_learn_from_is_in_parts_too() -> None:
    command = ["factbench", "--n", "30", "--train", "10", "--quiet"]
    assert run(*command, "--out", "whole.jsonl", "--train-out", "train.jsonl") == 0
    for number in (1, 2):
        run(*command, "--out", f"e{number}.jsonl", "--train-out", f"t{number}.jsonl", "--shard", f"{number}/2")
    assert_whole("train.jsonl", ["t1.jsonl", "t2.jsonl"])
    assert_whole("whole.jsonl", ["e1.jsonl", "e2.jsonl"])


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Items, and three answers to most of them, sample by sample."""
    folder = tmp_path_factory.mktemp("asked")
    items, responses = folder / "items.jsonl", folder / "responses.jsonl"
    assert run("fpq", "--domain", "art", "--n", "8", "--quiet", "--out", items) == 0
    lines = [
        {"schema": "kgprobe.response/1", "item": item["id"], "model": "m", "sample": sample, "text": text}
        for sample, text in enumerate(["Yes, in Paris.", "No. That is wrong.", ""])
        for item in read_lines(items)[: 70 - sample]
    ]
    return items, write_lines(responses, lines)


def test_verdicts_and_claims_in_parts_are_those_of_one_run(asked: tuple[Path, Path]) -> None:
    items, responses = asked
    command = ["verify", "--items", str(items), "--responses", str(responses), "--ground"]
    assert run(*command, "--quiet", "--out", "whole.jsonl", "--claims", "claims.jsonl") == 0
    parts = []
    for number in (1, 2):
        files = ["--out", f"v{number}.jsonl", "--claims", f"c{number}.jsonl"]
        assert run(*command, *files, "--quiet", "--shard", f"{number}/2") == 0
        parts.append(f"v{number}.jsonl")
    assert_whole("whole.jsonl", parts)
    assert_whole("claims.jsonl", ["c2.jsonl", "c1.jsonl"])
    assert len(read_lines(Path("merged.jsonl"))) > 0


def test_an_audit_in_parts_finds_what_one_run_finds(asked: tuple[Path, Path]) -> None:
    spoilt = asked[0].read_text().replace('"expect":true', '"expect":false', 7)
    Path("items.jsonl").write_text(spoilt)
    assert run("audit", "items.jsonl", "--quiet", "--out", "whole.jsonl", "--keep", "good.jsonl") == 1
    codes = set()
    for number in (1, 2):
        files = ["--out", f"o{number}.jsonl", "--keep", f"k{number}.jsonl"]
        codes.add(run("audit", "items.jsonl", "--quiet", *files, "--shard", f"{number}/2"))
    assert codes <= {0, 1}
    assert_whole("whole.jsonl", ["o1.jsonl", "o2.jsonl"])
    assert_whole("good.jsonl", ["k2.jsonl", "k1.jsonl"])


def test_a_part_can_be_audited_and_checked_as_it_is() -> None:
    for part in in_parts(2, "fpq", "--domain", "art", "--n", "5"):
        assert run("audit", part, "--quiet") == 0
        assert run("records", "check", part) == 0


def two_parts(facts: list[int], questions: dict[int, str] | None = None) -> dict[str, bytes]:
    """Two parts of false premises on some facts, the even ones and the odd ones; `questions` are other true premises."""
    parts = {"1.jsonl": b"", "2.jsonl": b""}
    for fact in facts:
        made = [fpq_item(fact, variant) for variant in ("tpq", "NSC")]
        made[0]["question"] = (questions or {}).get(fact, made[0]["question"])
        lines = "".join(f"{json.dumps(item)}\n" for item in made).encode()
        for number, name in enumerate(parts):
            own = number == fact % 2
            parts[name] += Shard(number + 1, 2).placed(own, lines if own else b"")
    return parts


def test_of_false_premises_whose_text_is_in_two_parts_the_first_is_kept() -> None:
    """As one run keeps it: a fact whose true premise has another's text goes whole."""
    parts = two_parts([0, 1, 2], {2: str(fpq_item(1, "tpq")["question"]).upper()})
    for name, text in parts.items():
        Path(name).write_bytes(text)
    assert run("merge", *parts, "--out", "merged.jsonl", "--quiet") == 0
    assert [item["group"] for item in read_lines(Path("merged.jsonl"))] == ["fpq.0"] * 2 + ["fpq.1"] * 2


@pytest.mark.parametrize(
    ("parts", "problem"),
    [
        (["1.jsonl"], "no part given has made group"),
        (["1.jsonl", "1.jsonl"], "has made group"),
        (["1.jsonl", "2.jsonl", "2.jsonl"], "has made group"),
        (["1.jsonl", "short.jsonl"], "is no part of a job, or is cut off"),
        (["1.jsonl", "fewer.jsonl"], "ends before group"),
        (["1.jsonl", "whole.jsonl"], "is no part of a job, or is cut off"),
        (["1.jsonl", "empty.jsonl"], "is no part of a job, or is cut off"),
        (["1.jsonl", "cut.jsonl"], "is no part of a job, or is cut off"),
        (["1.jsonl", "nowhere.jsonl"], "no such file"),
        (["1.jsonl", "-"], "cannot be read twice"),
    ],
)
def test_what_is_no_set_of_parts_is_said_in_a_line(capfd: pytest.CaptureFixture[str], parts: list[str], problem: str) -> None:
    for name, text in two_parts([0, 1, 2, 3]).items():
        Path(name).write_bytes(text)
    two = Path("2.jsonl").read_bytes()
    write_lines(Path("whole.jsonl"), [fpq_item(0, "tpq")])
    Path("fewer.jsonl").write_bytes(two_parts([0, 1])["2.jsonl"])
    Path("short.jsonl").write_bytes(two[: two.rindex(b"{")])
    Path("cut.jsonl").write_bytes(two[: two.rindex(b"}")])
    Path("empty.jsonl").touch()
    done = said(capfd, "merge", *parts, "--out", "merged.jsonl")
    assert (done.code, done.stderr.count("\n")) == (2, 1)
    assert problem in done.stderr
    assert any(part in done.stderr for part in parts)
    assert not Path("merged.jsonl").exists()


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["fpq", "--domain", "art", "--shard", "0/2"], "--shard: '0/2' is no part of a job"),
        (["fpq", "--domain", "art", "--shard", "3"], "--shard: '3' is no part of a job"),
        (["fpq", "--domain", "art", "--shard", "1/2", "--limit", "3"], "leave out --limit or --shard"),
        (["fpq", "--domain", "art", "--shard", "1/2", "--balance"], "leave out --balance or --shard"),
        (["erbench", "--shard", "1/2", "--open-book"], "leave out --open-book or --shard"),
        (["factbench", "--shard", "1/2", "--refresh", "x.jsonl"], "leave out --refresh or --shard"),
        (["verify", "--items", "i", "--responses", "r", "--out", "o", "--vote", "--shard", "1/2"], "`kgprobe vote`"),
        (["audit", "x.jsonl", "--shard", "1/0"], "--shard: '1/0' is no part of a job"),
        (["shards", "2", "fpq", "--domain", "art"], "--out: the command names no file to write"),
        (["shards", "2", "fpq", "--out", "x", "--shard=1/2"], "--shard: is said by this command"),
    ],
)
def test_what_does_not_go_with_a_part_is_said_in_a_line(capfd: pytest.CaptureFixture[str], args: list[str], told: str) -> None:
    done = said(capfd, *args)
    assert (done.code, done.stderr.count("\n")) == (2, 1)
    assert told in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(find_spec("distributed") is None, reason="needs kgprobe[dask]")
def test_a_cluster_runs_all_parts_and_puts_them_together() -> None:
    program = [sys.executable, "-m", "generators.cli"]
    job = ["fpq", "--domain", "art", "--n", "20", "--out", "all.jsonl"]
    done = subprocess.run([*program, "shards", "2", *job], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, f"{len(read_lines(Path('all.jsonl')))} records in all.jsonl, of 2 parts\n")
    run("fpq", "--domain", "art", "--n", "20", "--quiet", "--out", "whole.jsonl")
    assert Path("all.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    wrong = subprocess.run([*program, "shards", "2", "fpq", "--domain", "nope", "--out", "x"], capture_output=True, text=True)
    assert (wrong.returncode, wrong.stderr.count("\n")) == (2, 1)
    assert "no domain 'nope'" in wrong.stderr
    assert sorted(path.name for path in Path().iterdir()) == ["all.jsonl", "whole.jsonl"]
