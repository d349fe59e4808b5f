"""Pieces of a file are worked on by several processes, and come back in their order."""

from __future__ import annotations

import functools
import multiprocessing
import os

import pytest

from evaluators import pool

needs_fork = pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no processes are forked here")


@functools.cache
def word_list() -> int:
    """Read a word list, which takes its time; return which process did."""
    return os.getpid()


def reader_of(_: int) -> int:
    return word_list()


@needs_fork
def test_what_the_first_piece_needs_is_read_once_for_all_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    word_list.cache_clear()
    assert list(pool.spread(reader_of, range(20))) == [(piece, os.getpid()) for piece in range(20)]


@needs_fork
def test_pieces_come_back_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    assert list(pool.spread(abs, range(-20, 0))) == [(n, -n) for n in range(-20, 0)]
