"""In CI the property tests draw the same examples every time; elsewhere they go on searching. No test is timed."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("search", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile("few", deadline=None, derandomize=True, max_examples=20)
settings.load_profile("ci" if os.environ.get("CI") else "search")
