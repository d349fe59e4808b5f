"""What is installed with the project fits its licence: permissive ones, and those that bind the changed file alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import cast

import pytest
from packaging.requirements import Requirement

FITS = (
    "0BSD", "Apache", "BSD", "CC0", "CNRI-Python", "HPND", "ISC", "MIT", "MPL-2.0", "Mozilla Public License 2.0", "PSF",
    "Python Software Foundation", "Unlicense", "W3C", "Zlib",
)  # fmt: skip
"""Licences by what their names begin with: Apache-2.0's own list of those it may be distributed beside."""

OURS = "kgprobe"


def needed(name: str, extras: frozenset[str], seen: set[str]) -> Iterator[Distribution]:
    """Yield what is installed for a package, over any number of steps."""
    try:
        found = distribution(name)
    except PackageNotFoundError:  # of an extra that is not installed
        return
    key = f"{name} {sorted(extras)}"
    if key in seen:
        return
    seen.add(key)
    yield found
    for line in found.requires or ():
        required = Requirement(line)
        if required.marker is None or any(required.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield from needed(re.sub(r"[-_.]+", "-", required.name).lower(), frozenset(required.extras), seen)


def all_needed() -> dict[str, Distribution]:
    extras = frozenset(distribution(OURS).metadata.get_all("Provides-Extra") or ()) - {"dev", "test"}
    found = {package.name: package for package in needed(OURS, extras, set())}
    return {name: found[name] for name in sorted(found, key=str.lower) if name != OURS}


def licences(package: Distribution) -> list[str]:
    """Return what a package says of its licence: an expression, classifiers, or how its text begins."""
    told = cast("Message", package.metadata)
    if expression := told.get("License-Expression"):
        return [expression]
    named = [line.rpartition(" :: ")[2] for line in told.get_all("Classifier") or () if line.startswith("License :: OSI")]
    return named or str(told.get("License") or _text(package)).strip().splitlines()[:1]


def _text(package: Distribution) -> str:
    """Return the text of the licence that a package brings along, which begins with its name."""
    texts = [path for path in package.files or () if path.name.upper().startswith(("LICENSE", "LICENCE"))]
    return texts[0].read_text("utf-8") if texts else ""


def fits(licence: str) -> bool:
    """Tell whether all of what is said has to be kept and can be, or one of what may be chosen."""
    choices = re.split(r"\s+OR\s+", licence.replace("(", "").replace(")", ""))
    return any(all(part.startswith(FITS) for part in re.split(r"\s+(?:AND|WITH)\s+", choice)) for choice in choices)


@pytest.mark.parametrize("name", all_needed())
def test_the_licence_of_a_dependency_fits(name: str) -> None:
    told = licences(all_needed()[name])
    assert told, f"{name} does not say under which licence it is"
    assert any(map(fits, told)), f"{name}: {told}"


@pytest.mark.parametrize(("licence", "fit"), [
    ("MIT", True), ("MIT OR GPL-3.0-only", True), ("BSD-3-Clause AND MIT", True), ("BSD-3-Clause AND GPL-3.0-only", False),
    ("GNU General Public License v3 (GPLv3)", False), ("AGPL-3.0-only", False), ("Proprietary", False),
])  # fmt: skip
def test_a_licence_that_does_not_fit_would_be_noticed(licence: str, fit: bool) -> None:
    assert fits(licence) is fit
