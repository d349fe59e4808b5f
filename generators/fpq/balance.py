"""As many true premises as false ones, from different facts.

With a true premise and six false ones of each fact, whoever says "no" to everything is right six times out of seven. Here facts
go in pairs, in the order drawn: of one the true premise is asked, of the other a false one, each edit in its turn.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from generators.draw import Keys, mix, word
from generators.fpq.edits import Edits

Bools = npt.NDArray[np.bool_]


def balanced(keys: Keys, edits: Edits) -> tuple[Bools, Edits]:
    """Return of which facts the true premise is asked, and the edits that are asked, one at most of each other fact.

    Which of a pair is the true one is drawn by hash, but where only one of them has an edit. A pair without any is left out,
    and so is a last fact without a partner.
    """
    true, objects = np.zeros(len(keys), np.bool_), np.full_like(edits.objects, -1)
    first = np.arange(0, len(keys) - 1, 2)
    made = edits.objects >= 0
    able: Bools = np.logical_or.reduce(made, axis=1)
    coin = mix(keys[first], word("balance")) % np.uint64(2) == 0
    false = np.where(able[first] & (coin | ~able[first + 1]), first, first + 1)
    pairs = np.flatnonzero(able[false])
    false = false[pairs]
    true[first[pairs] + first[pairs] + 1 - false] = True
    # The edit whose turn it is, or the next one that was made.
    turns = (pairs[:, None] + np.arange(len(edits.names))) % len(edits.names)
    column = turns[np.arange(len(pairs)), made[false[:, None], turns].argmax(axis=1)]
    objects[false, column] = edits.objects[false, column]
    return true, replace(edits, objects=objects)
