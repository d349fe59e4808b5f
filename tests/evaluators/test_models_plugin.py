"""A provider of models that another package offers: the README's own example, installed."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluators.errors import ModelError
from evaluators.models import Message, Request, check_spec, open_model, replies

README = (Path(__file__).parents[2] / "evaluators/models/README.md").read_text()
EXAMPLE, ENTRY = (re.findall(rf"```{form}\n([^`]*shout[^`]*)```", README)[0] for form in ("python", "toml"))


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The README's provider, as installed as a package can be that nobody built."""
    (tmp_path / "shout.py").write_text(EXAMPLE)
    about = tmp_path / "shout-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: shout\nVersion: 1.0\n")
    offers = tomllib.loads(ENTRY)["project"]["entry-points"]
    lines = [f"[{group}]\n{name} = {target}\n" for group, of in offers.items() for name, target in of.items()]
    (about / "entry_points.txt").write_text("".join(lines))
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("shout", None)


def test_a_foreign_package_s_provider_is_found_by_its_scheme(plugin: None) -> None:
    model = open_model("shout:loud")
    assert model.name == "shout:loud"
    assert [reply.text for reply in replies(model, [Request("a", 0, (Message("user", "Is it?"),))])] == ["IS IT?"]


def test_a_foreign_package_s_scheme_is_offered_where_one_is_wrong(plugin: None) -> None:
    with pytest.raises(ModelError, match=r"use anthropic:NAME, .* or replay:FILE, or shout:NAME"):
        open_model("shuot:loud")


def test_a_provider_of_ours_needs_no_look_through_all_packages_to_be_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evaluators.models.opening.plugin_names", None)
    assert check_spec("openai:x") == ("openai", "x")
