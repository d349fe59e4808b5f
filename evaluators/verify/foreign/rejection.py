"""What turns against a question's premise in another language: a true object, a denial, a word for a wrong question."""

from __future__ import annotations

from typing import NamedTuple

from evaluators.verify.foreign.part import WORD, Part, is_arabic, may_be_same
from evaluators.verify.question import Premised, Question
from evaluators.verify.reading.foreign import Clause
from evaluators.verify.reading.lexicon import fold_text
from evaluators.verify.reading.text import Span

_FEW_WORDS = 4
"""A clause of so few words names something and does nothing else."""
_BESIDE = 14
"""Characters at the beginning of a clause among which a word that sets right is looked for."""


class Rejection(NamedTuple):
    """What in a text turns against the premise, and whether it names a true object instead."""

    corrects: bool
    spans: tuple[Span, ...]


def object_names(question: Question, premise: Premised) -> list[str]:
    """Return the names of the object that a question takes for granted, with its other names where it is the true one."""
    label = fold_text(premise.object)[0]
    aliases = [alias for true in premise.true_objects if fold_text(true.label)[0] == label for alias in true.aliases]
    given = [value[1] for value in question.given if value[0] == "object"]
    return list(dict.fromkeys([premise.object, *given, *aliases]))


def rejection(part: Part, premise: Premised) -> Rejection | None:
    """Find what turns against a premise; null for nothing.

    | the text | the premise is |
    |---|---|
    | names a true object where the question's is not, is denied, or is said to be something else | corrected |
    | denies the question's object | rejected |
    | calls the question, or what it takes for granted, wrong | rejected |
    | says what is asked of somebody or something else, and the object only beside it | rejected |
    | can name neither, and denies what is asked, or a name by way of contrast ("no en X") | rejected |
    | says what is asked of something else than its question, in the same language | rejected |
    """
    text, words = part.text, part.words
    assert words is not None
    own = object_names(part.question, premise)
    objects = part.places(own)
    true = [span for o in premise.true_objects if o.label not in own for span in part.upheld((o.label, *o.aliases))]
    true = [span for span in true if not any(a < span[1] and span[0] < b for a, b in objects)]
    denied = [span for span in objects if text.denies(span) and not _of_something_else(part, part.clause_of(span))]
    standing = [span for span in objects if not text.denies(span)]
    if true and (not standing or denied or _takes_its_place(part, true[0], standing)):
        return Rejection(True, (*denied[:1], true[0]))
    if denied and (not standing or part.says_what_is_asked(part.clause_of(denied[0]))):
        return Rejection(False, (denied[0],))
    wrong = part.found(words.premise)
    if wrong and len(standing) < 2:
        return Rejection(False, (wrong,))
    if not true and standing and _displaced(part, standing):
        return Rejection(False, (standing[0],))
    if objects or true:
        return None
    return _denied_unnamed(part, premise) or _of_another(part)


def _of_something_else(part: Part, clause: Clause) -> bool:
    """Tell whether a clause denies something else than what is asked, and another does not ("No nació en X, murió allí")."""
    if not part.asked or part.says_what_is_asked(clause) or not part.says_anything(clause):
        return False
    others = [other for other in part.clauses if other.start != clause.start and part.says_what_is_asked(other)]
    return bool(others) and not any(other.denied or part.names_a_place(other) for other in others)


def _takes_its_place(part: Part, true: Span, standing: list[Span]) -> bool:
    """Tell whether a true object takes the place of the question's, which stands too.

    What is asked must be said of the one and not of the other; where it is said of neither, a word between them
    must set right, or the answer begin with the true one.
    """
    words = part.words
    assert words is not None
    here, there = part.clause_of(true), [part.clause_of(span) for span in standing]
    if part.says_what_is_asked(here):
        if words.now.search(part.text.marked, here.start, here.end) and all(clause.start < here.start for clause in there):
            return True
        return not any(part.says_what_is_asked(clause) for clause in there)
    if any(part.says_what_is_asked(clause) for clause in there):
        return False
    opening = part.clauses[0].sentence
    if here.sentence == opening and all(clause.sentence > opening for clause in there):
        return True
    ends = sorted((part.text.folded(true)[0], part.text.folded(standing[0])[0]))
    return words.instead.search(part.text.marked, min(ends[0], here.start), ends[1]) is not None


def _displaced(part: Part, standing: list[Span]) -> bool:
    """Tell whether clauses without the object say what is asked, and the object stands only beside them.

    Behind a comma alone it still belongs to the clause before ("Il y est mort en 1890, à Arles").
    """
    clauses = part.text.clauses
    holding = {clauses.index(part.clause_of(span)) for span in standing}
    holding |= {n - 1 for n in holding if n and not part.begins_anew(clauses[n])}
    saying = [n for n, clause in enumerate(clauses) if part.says_what_is_asked(clause) and not clause.denied]
    if not saying or not holding.isdisjoint(saying):
        return False
    return any(part.names_anew(clauses[n]) for n in saying)


def _denied_unnamed(part: Part, premise: Premised) -> Rejection | None:
    """Find a denial where the text names no object: in its first sentence, of the subject, of what is asked, or in contrast.

    A later sentence counts too where it denies what is asked, and none upholds that.
    """
    text, words = part.text, part.words
    assert words is not None
    given = [value[1] for value in part.question.given if value[0] == "subject"]
    subjects = text.find((premise.subject, *given))
    first = [clause for clause in part.clauses if clause.sentence == part.clauses[0].sentence]
    if not any(part.says_what_is_asked(clause) and not clause.denied for clause in part.clauses):
        first += [clause for clause in part.clauses if clause not in first and part.says_what_is_asked(clause)]
    spoken_of = any(clause.start <= text.folded(span)[0] < clause.end for span in subjects for clause in first)
    for clause in first:
        if not clause.denied or _makes_way(part, clause, premise):
            continue
        named = any(clause.start <= text.folded(span)[0] < clause.end for span in subjects)
        if named or part.says_what_is_asked(clause) or (spoken_of and _contrasts(part, clause)):
            return Rejection(False, (part.within(clause),))
    return None


def _makes_way(part: Part, denied: Clause, premise: Premised) -> bool:
    """Tell whether what a clause denies makes way for another name, and neither can be told from the object.

    "夏目漱石は松山の出身ではありません。京都で生まれました" may affirm as well as deny: nothing tells how the object is called.
    """
    later = [clause for clause in part.clauses if clause.start > denied.start and not clause.denied]
    upheld = [clause for clause in later if part.says_what_is_asked(clause)]
    if part.gives_a_value(denied) and any(map(part.gives_a_value, upheld)):
        return True  # "no lo obtuvo en 1937, lo recibió en 1947"
    if part.language == "ar" and upheld and any(map(is_arabic, (n for o in premise.true_objects for n in o.aliases))):
        return True  # which has no capitals to tell a name by
    if not part.names_anew(denied) or _may_be(part, denied, premise.object):
        return False
    return any((part.says_what_is_asked(clause) or part.stands_instead(clause)) and part.names_anew(clause) for clause in later)


def _may_be(part: Part, clause: Clause, name: str) -> bool:
    """Tell whether a clause has a word with a capital that may be a name in another language ("Wien", "Vienna")."""
    start, end = part.within(clause)
    named = [word for word in WORD.findall(part.text.original[start:end]) if word[0].isupper()]
    return any(may_be_same(word, other) for word in named for other in WORD.findall(name))


def affirmed_instead(part: Part, premise: Premised) -> Span | None:
    """Return a clause that puts what may be the object in the place of something denied ("nicht in Paris, sondern in Wien")."""
    if not part.denies:
        return None
    later = part.clauses[1:]
    found = (c for c in later if not c.denied and part.stands_instead(c) and _may_be(part, c, premise.object))
    return next(map(part.within, found), None)


def _of_another(part: Part) -> Rejection | None:
    """Find a clause that says what is asked of something that the question does not name ("Il est né à Amiens")."""
    if not part.native or part.denies or part.withheld:
        return None
    other = next((clause for clause in part.clauses if part.says_what_is_asked(clause) and part.names_anew(clause)), None)
    return Rejection(False, (part.within(other),)) if other else None


def _contrasts(part: Part, clause: Clause) -> bool:
    """Tell whether a clause only denies a name ("no en Bogotá", "а не в Чёрное")."""
    start, end = part.within(clause)
    piece = part.text.original[start:end]
    names = WORD.findall(piece)
    return len(names) <= _FEW_WORDS and (any(name[0].isupper() for name in names[1:]) or len(piece) < _BESIDE)
