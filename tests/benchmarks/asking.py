"""How fast are questions asked, beside inspect_ai, and does the memory stay flat?

```
python tests/benchmarks/asking.py --inspect /path/to/another/venv/bin/python
python tests/benchmarks/asking.py --quick --json -
```

All contestants ask the same questions of the same server (`tests/support/model_server.py`, a process of its own that answers
at once), with the same number of requests under way, through OpenAI's own package. They take turns; the best round counts. What
is timed is the whole run in a process that has read its modules: items in, prompts made, requests sent, a log of all answers
on disk. inspect_ai (MIT) is not needed by this project: `--inspect` names the Python of a virtual environment that has it and
`openai`; without, that contestant is left out. The first line says how fast the server alone is when nothing but bytes goes to
and fro.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
KEY = "sk-test-0123456789-abcdefghijklmnop"
GOAL = 4.0
FLAT = 1.15
"""The memory of the largest run may be so many times that of the smallest."""

INSPECT = """
import sys, time, json, os, resource
port, number, concurrency, logs = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import GenerateConfig, get_model
from inspect_ai.solver import generate
samples = [Sample(input=f"Is number {n} right?", id=n + 1) for n in range(number)]
model = get_model("openai/stub", base_url=f"http://127.0.0.1:{port}/v1", config=GenerateConfig(max_connections=concurrency),
                  responses_api=False)
began, used = time.perf_counter(), time.process_time()
log = eval(Task(dataset=MemoryDataset(samples), solver=[generate()]), model=model, display="none", log_dir=logs, score=False,
           max_connections=concurrency, max_samples=concurrency)[0]
assert log.status == "success", log.error
assert len(log.samples) == number and all(sample.output.completion for sample in log.samples)
print(json.dumps({"wall": time.perf_counter() - began, "processor": time.process_time() - used,
                  "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
"""


def ours(port: int, number: int, concurrency: int, folder: str) -> dict[str, float]:
    """Ask `number` items as the command does, and tell what it took."""
    from evaluators.ask.requests import Prompts, Requests
    from evaluators.models import open_model
    from evaluators.models.cache import Cache
    from evaluators.models.runs.run import ask_all
    from evaluators.prompts import open_setting
    from queries.records import Source

    items, out = Path(folder, "items.jsonl"), Path(folder, "responses.jsonl")
    write_items(items, number)
    model = open_model(f"http://127.0.0.1:{port}/v1#stub")
    began, used = time.perf_counter(), time.process_time()
    with Cache(Path(folder, "cache.sqlite")) as cache:
        requests = Requests(Source(items, str(items)), Prompts({"": open_setting("zero-shot")}))
        tally = ask_all(model, requests, str(out), concurrency=concurrency, cache=cache)
    assert tally.answered == number
    assert sum(1 for _ in out.open("rb")) == number
    seconds = {"wall": time.perf_counter() - began, "processor": time.process_time() - used}
    return seconds | {"megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def write_items(path: Path, number: int) -> None:
    """Write yes-no questions, one a line."""
    with path.open("w") as stream:
        for n in range(number):
            item = {"schema": "kgprobe.item/1", "id": f"made.{n}", "method": "made", "family": "made", "task": "yes_no",
                    "variant": "basic", "question": f"Is number {n} right?", "group": f"g{n}"}  # fmt: skip
            stream.write(json.dumps(item) + "\n")


@contextlib.contextmanager
def server() -> Iterator[int]:
    """Run the server in a process of its own; yield its port."""
    args = [sys.executable, str(HERE.parent / "support" / "model_server.py"), "--no-record"]
    with subprocess.Popen(args, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:  # or a contestant that fails would leave this process waiting for the server for ever
            process.terminate()


async def bare(port: int, number: int, concurrency: int) -> float:
    """Return requests a second of a client that only writes and reads bytes."""
    body = json.dumps({"model": "stub", "messages": [{"role": "user", "content": "Is number 1 right?"}]})
    head = f"POST /v1/chat/completions HTTP/1.1\r\nauthorization: Bearer {KEY}\r\ncontent-length: {len(body)}\r\n\r\n"
    left = iter(range(number))

    async def work() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for _ in left:
            writer.write((head + body).encode())
            said = await reader.readuntil(b"\r\n\r\n")
            await reader.readexactly(int(said.lower().split(b"content-length: ")[1].split(b"\r\n")[0]))
        writer.close()
        await writer.wait_closed()

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(concurrency)))
    return number / (time.perf_counter() - began)


def race(python: str, code: list[str], port: int, number: int, concurrency: int) -> dict[str, float]:
    """Run one contestant in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        args = [python, *code, str(port), str(number), str(concurrency), folder]
        environment = {"OPENAI_API_KEY": KEY, "PATH": "/usr/bin:/bin", "HOME": folder}
        if "PYTHONPATH" in os.environ:  # the checkout that is measured, where several lie side by side
            environment["PYTHONPATH"] = os.environ["PYTHONPATH"]
        done = subprocess.run(args, capture_output=True, text=True, env=environment, check=False, cwd=folder)
        if done.returncode:
            raise SystemExit(f"{args[:2]} failed:\n{done.stderr[-2000:]}")
        found: dict[str, float] = json.loads(done.stdout.strip().splitlines()[-1])
        return found


def contest(given: argparse.Namespace, port: int) -> dict[str, Any]:
    """Let the contestants take turns; return the best round of each and the ratio."""
    contestants = {"ours": (sys.executable, [str(Path(__file__).resolve()), "--contestant"])}
    if given.inspect:
        contestants["inspect_ai"] = (given.inspect, ["-c", INSPECT])
    rounds: dict[str, list[dict[str, float]]] = {name: [] for name in contestants}
    for _ in range(given.repeat):
        for name, (python, code) in contestants.items():
            rounds[name].append(race(python, code, port, given.number, given.concurrency))
    best = {name: {unit: min(one[unit] for one in runs) for unit in ("wall", "processor")} for name, runs in rounds.items()}
    speed = {name: {unit: given.number / seconds for unit, seconds in units.items()} for name, units in best.items()}
    ratio = {unit: speed["ours"][unit] / speed["inspect_ai"][unit] for unit in speed["ours"]} if given.inspect else None
    return {"requests_a_second": speed, "ratio": ratio, "goal": GOAL, "met": ratio and ratio["wall"] >= GOAL}


def memory(sizes: list[int], concurrency: int, port: int) -> dict[str, Any]:
    """Measure the largest memory of runs of growing length."""
    code = [str(Path(__file__).resolve()), "--contestant"]
    found = {size: race(sys.executable, code, port, size, concurrency)["megabytes"] for size in sizes}
    growth = found[sizes[-1]] / found[sizes[0]]
    return {"megabytes": {str(size): round(used, 1) for size, used in found.items()}, "growth": growth, "met": growth <= FLAT}


def tell(found: dict[str, Any]) -> None:
    """Print what was found as tables."""
    print(f"The server alone: {found['server']:,.0f} requests a second.\n")
    print("| contestant | requests a second | a second of processor time |\n|---|---|---|")
    for name, speed in found["speed"]["requests_a_second"].items():
        print(f"| {name} | {speed['wall']:,.0f} | {speed['processor']:,.0f} |")
    ratio = found["speed"]["ratio"]
    if ratio:
        print(f"\nours : inspect_ai = {ratio['wall']:.1f} (by processor time {ratio['processor']:.1f}; goal {GOAL:g})")
    print("\n| items | MB |\n|---|---|")
    for size, used in found["memory"]["megabytes"].items():
        print(f"| {int(size):,} | {used:,.0f} |")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Requests a second, and memory.")
    parser.add_argument("--inspect", help="the Python of an environment with inspect_ai and openai")
    parser.add_argument("--number", type=int, default=2000, help="requests of a round")
    parser.add_argument("--concurrency", type=int, default=32)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000], help="items, for the memory")
    parser.add_argument("--quick", action="store_true", help="a few requests: shows that it runs")
    parser.add_argument("--json", help="write the numbers to this file (`-`: instead of the tables)")
    given = parser.parse_args()
    if given.quick:
        given.number, given.repeat, given.sizes = 50, 1, [20, 40]
    with server() as port:
        found: dict[str, Any] = {"server": asyncio.run(bare(port, max(100, given.number), given.concurrency))}
        found["speed"] = contest(given, port)
        found["memory"] = memory(given.sizes, given.concurrency, port)
    if given.json and given.json != "-":
        Path(given.json).write_text(json.dumps(found, indent=2))
    print(json.dumps(found, indent=2)) if given.json == "-" else tell(found)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--contestant"]:
        port, number, concurrency = map(int, sys.argv[2:5])
        print(json.dumps(ours(port, number, concurrency, sys.argv[5])))
    else:
        main()
