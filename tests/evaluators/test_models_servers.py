"""Each line of the page of servers: path, name of the model, parameters and key arrive as that server documents them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fpq_made import Command, fpq_item, read_lines, write_lines
from model_server import KEY, Running

README = Path(__file__).parents[2] / "evaluators" / "models" / "README.md"
PATHS = {
    "Gemini": "/v1beta/openai/chat/completions",
    "Vertex AI": "/v1/projects/PROJECT/locations/us-central1/endpoints/openapi/chat/completions",
    "Bedrock": "/openai/v1/chat/completions",
    "OpenRouter": "/api/v1/chat/completions",
    "Azure OpenAI": "/openai/deployments/DEPLOYMENT/chat/completions",
    "vLLM": "/v1/chat/completions",
    "Ollama": "/v1/chat/completions",
    "llama.cpp": "/v1/chat/completions",
}
"""Where each server's own documentation has its chat completions."""


def rows() -> list[tuple[str, str, list[str]]]:
    """Name, address and options of each line of the page."""
    page = README.read_text().split("## Providers and servers")[1].split("\n## ")[0]
    lines = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in page.splitlines() if "http" in line]
    return [(name, spec.strip("`"), re.findall(r"`(--\S+ [^`]+)`", rest)) for name, spec, rest in lines]


def test_the_page_has_them_all() -> None:
    assert [name for name, _, _ in rows()] == list(PATHS)


@pytest.mark.parametrize(("name", "spec", "options"), rows(), ids=list(PATHS))
def test_a_line_of_the_page_reaches_the_server(
    name: str, spec: str, options: list[str], command: Command, server: Running, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = write_lines(tmp_path / "items.jsonl", [fpq_item(1, "tpq")])
    here = re.sub(r"^https?://[^/]+", server.url, spec)
    server.script.models = (here.partition("#")[2],)
    azure = name == "Azure OpenAI"
    server.script.key = None if azure else KEY
    monkeypatch.setenv("AZURE_OPENAI_API_KEY" if azure else "KGPROBE_API_KEY", KEY)
    flags = [word for option in options if "serve" not in option for word in option.split(" ", 1)]
    flags = [flag for flag in flags if not flag.startswith("--api-key")]
    done = command("ask", items, "--model", here, "--out", tmp_path / "out.jsonl", "--no-cache", *flags)
    sent = server.script.requests[0]
    assert sent.path == PATHS[name]
    assert sent.headers["api-key" if azure else "authorization"] == (KEY if azure else f"Bearer {KEY}")
    assert sent.headers["query"] == ("api-version=2024-10-21" if azure else "")
    for parameter in (word for flag, word in zip(flags[::2], flags[1::2], strict=True) if flag == "--param"):
        assert parameter.split("=")[0].split(".")[0] in sent.body
    assert done.code == 0, done.stderr
    assert read_lines(tmp_path / "out.jsonl")[0]["model"] == here
