"""KoPL, a language of functions that programs are written in, compiled to SPARQL.

```
python -m queries kopl program.json
python -m queries kopl program.json --store ./kopl --run
python -m queries kopl program.json --question "What is the capital of {entity}?" --family capital.rq
```
"""

from queries.kopl.compile import compile_program
from queries.kopl.family import family_of
from queries.kopl.program import Program, Step, read_programs

__all__ = ["Program", "Step", "compile_program", "family_of", "read_programs"]
