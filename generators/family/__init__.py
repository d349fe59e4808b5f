"""Questions from any family that a user writes (ERBench's method); README.md beside this file is the guide."""

from generators.family.make import Options, generate, generate_all
from generators.family.query import read_renamings
from generators.family.results import Result, side_file_summary, write_results

__all__ = ["Options", "Result", "generate", "generate_all", "read_renamings", "side_file_summary", "write_results"]
