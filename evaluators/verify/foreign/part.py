"""What the judges of all tasks look at: the part of a text in another language that counts, its clauses, what it upholds."""

from __future__ import annotations

import re
from collections.abc import Iterable

from evaluators.verify.question import Question
from evaluators.verify.reading.foreign import Clause, ForeignText
from evaluators.verify.reading.foreign_numbers import in_digits
from evaluators.verify.reading.languages import asks_place, question_language, relations_in
from evaluators.verify.reading.lexicon import Lexicon, fold_text, marked_text
from evaluators.verify.reading.names import one_slip
from evaluators.verify.reading.text import Span, lazy
from evaluators.verify.ruling import Ruling, unscored
from kg.dates import find_dates
from kg.numbers import find_numbers
from kg.patterns import late

WORD = re.compile(r"[^\W\d_]+(?:[-'’][^\W\d_]+)*")
"""A word, as a name has it."""
WIDE = late("[\u2e80-\ufffd]")
"""A letter of a script without blanks and capitals."""
_FEW_WORDS, _FEW_LETTERS = 4, 10
_LONG = 6
"""A text of fewer words breaks off nowhere."""
"""A text of so few words, or of letters of Han or kana, is an answer and nothing else."""
_LEAD = re.compile(r"[\s\W_]*")
_NAMED = re.compile(r"\s(?=[^\W\d_])([^\W\d_a-zß-ÿа-я]\w*)|\s([\u0620-\u064a]\w+)")
_MAKING = frozenset(("wrote", "directed", "composed", "painted", "designed"))
"""What is asked of those who made something."""
_BLANK = re.compile(r"[\s:：=,、–—\-\"'“”«»()（）\[\]]*")
_SIGN = re.compile(r"\s*[:：=\n]|\s+[–—-]\s|\s*,")
_SIGNS = re.compile(r"[.!?:;,\n]")
_ARABIC = re.compile("[\u0620-\u064a]")
_PARTICLES = " ,、，かやともは\"'「」『』《》"
"""What stands between a name and an "or" in Chinese and Japanese."""
_STOPS = re.compile(r"[.!?:;\n]")
_REACH, _FEW_BEFORE = 30, 3
"""Characters before a lead-in among which its sentence begins, and the words that may stand before it."""
_PLACE = re.compile(r"[在于於](?!\s*(?:公元|大?约|西元)?\s*[\d一二三四五六七八九十])|で|(?<!年)に")
"""What stands beside the name of a place in Chinese and Japanese, which have no capitals."""
_CALLED = re.compile(r"是(?!否)|叫|は")


class Part:
    """A question, a text, and the part of it that counts: what it declares, or what follows a correction, or all of it.

    >>> part = Part("Firenze... no, aspetta, era Ravenna.", Question("In quale città?", "open", ("Ravenna",)), "it")
    >>> part.text.low[slice(*part.span)]
    ', era ravenna.'
    """

    def __init__(self, text: str, question: Question, language: str, declared: Span | None = None) -> None:
        """Read a text of a language of `LANGUAGES`, or of another one (`other`).

        Parameters: `declared` are the characters that its markup calls the answer.
        """
        self.question, self.language, self.text = question, language, ForeignText(text, language)
        self.words: Lexicon | None = self.text.lexicon
        self.span = self.text.folded(declared) if declared else self._decisive()

    def _decisive(self) -> Span:
        low, words = self.text.low, self.words
        if words is not None:
            declared = [m for m in words.declared.finditer(low) if self._opens(m.start()) and self._introduces(m)]
            if declared:
                start = declared[-1].end()
                blank = _BLANK.match(low, start)
                end = low.find("\n", blank.end() if blank else start)
                return start, len(low) if end < 0 else end
            turns = [m for m in words.correction.finditer(self.text.marked) if m.start() and WORD.search(low, m.end())]
            if turns:  # "no, espera" itself says no
                said = self.question.task in ("yes_no", "probe")
                return turns[-1].start() if said else turns[-1].end(), len(low)
        return 0, len(low)

    def _opens(self, at: int) -> bool:
        """Tell whether a sentence, or what a sign introduces, begins there, but for a few words ("somit bleibt nur")."""
        before = self.text.low[max(0, at - _REACH) : at].rstrip(" \"'“«(-•#")
        since = _SIGNS.split(before)[-1] if before else ""
        return len(WORD.findall(since)) <= _FEW_BEFORE and (len(before) < _REACH or since != before)

    def _introduces(self, lead: re.Match[str]) -> bool:
        """Tell whether an answer follows a lead-in: behind a sign, or behind its own verb."""
        words, low = self.words, self.text.low
        assert words is not None
        if not low[lead.end() :].strip():
            return False
        return bool(_SIGN.match(low, lead.end())) or words.copula.search(low, lead.start(), lead.end()) is not None

    @lazy
    def clauses(self) -> list[Clause]:
        """The clauses of the part that counts."""
        start, end = self.span
        inside = [clause for clause in self.text.clauses if clause.start < end and clause.end > start] or self.text.clauses
        return [clause._replace(start=max(start, clause.start), end=min(end, clause.end)) for clause in inside]

    def counts(self, span: Span) -> bool:
        """Tell whether characters of the original stand in the part that counts."""
        start, end = self.text.folded(span)
        return self.span[0] <= start and end <= self.span[1]

    def clause_of(self, span: Span) -> Clause:
        """Return the clause that holds characters of the original."""
        return self.text.clause_of(self.text.folded(span)[0])

    def within(self, clause: Clause) -> Span:
        """Return the characters of the original that a clause is."""
        return self.text.span((clause.start, clause.end))

    def found(self, pattern: re.Pattern[str]) -> Span | None:
        """Return the first characters of the original that a list has."""
        match = pattern.search(self.text.low)
        return self.text.span(match.span()) if match else None

    def places(self, names: Iterable[str]) -> list[Span]:
        """Return where the part that counts names something."""
        return [span for span in self.text.find(names) if self.counts(span)]

    def upheld(self, names: Iterable[str]) -> list[Span]:
        """Return where the part that counts names something and does not deny it."""
        return [span for span in self.places(names) if not self.text.denies(span)]

    def only_small(self, between: Span) -> bool:
        """Tell whether nothing but a few function words stands between two places of the folded text."""
        start, end = between
        if end - start > _REACH or _STOPS.search(self.text.low, start, end):
            return False
        if self.language in ("zh", "ja"):
            return not self.text.low[start:end].strip(_PARTICLES)
        known = self.words.function if self.words else frozenset()
        return all(word in known for word in WORD.findall(self.text.low[start:end]))

    @lazy
    def denies(self) -> bool:
        """Whether anything is denied."""
        return any(clause.denied for clause in self.clauses)

    @lazy
    def withheld(self) -> Ruling | None:
        """The ruling on a text that knows nothing or declines; null for any other."""
        if self.words is None:
            return None
        policy = self.found(self.words.policy)
        if policy:
            return unscored("refused", (policy,))
        refused, unsure = self.found(self.words.refused), self.found(self.words.unsure) or self._knows_nothing()
        if refused and not (unsure and unsure[0] < refused[0]):
            return unscored("refused", (refused,))
        return Ruling("abstained", "unsure", None, (unsure,)) if unsure else None

    def _knows_nothing(self) -> Span | None:
        """Return a clause that denies knowing, finding or saying something."""
        words, marked = self.words, self.text.marked
        assert words is not None
        clauses = (clause for clause in self.clauses if clause.denied and words.know.search(marked, clause.start, clause.end))
        return next((self.within(clause) for clause in clauses), None)

    def not_understood(self) -> Ruling:
        """Return the ruling on a text in which no rule finds an answer."""
        return self.withheld or unscored("language")

    @lazy
    def asked(self) -> frozenset[str]:
        """What the question is about: `born`, `capital` ..."""
        premise = self.question.premise
        return relations_in(self.question.text) | (relations_in(premise.relation) if premise else frozenset())

    @lazy
    def _asked(self) -> frozenset[str]:
        """What is asked, as a text may say it: who made a work; where something is, if nothing else is asked of a place."""
        if self.asked & _MAKING:
            return self.asked | {"made"}
        return self.asked or (frozenset({"located"}) if self.asks_place else frozenset())

    @lazy
    def native(self) -> bool:
        """Whether the question is in the language of the text, so that names have the same form in both."""
        return question_language(self.question.text) == self.language

    def says_what_is_asked(self, clause: Clause) -> bool:
        """Tell whether a clause has a word of what the question is about."""
        words = self.words
        if words is None:
            return False
        patterns = [words.relations[name] for name in self._asked if name in words.relations]
        return any(pattern.search(self.text.low, clause.start, clause.end) for pattern in patterns)

    def says_anything(self, clause: Clause) -> bool:
        """Tell whether a clause has a word of anything that questions are about."""
        patterns = self.words.relations.values() if self.words else ()
        return any(pattern.search(self.text.low, clause.start, clause.end) for pattern in patterns)

    def stands_instead(self, clause: Clause) -> bool:
        """Tell whether a clause has a word that puts something in the place of what stands before."""
        return self.words is not None and self.words.instead.search(self.text.marked, clause.start, clause.end) is not None

    def contrasts(self, clause: Clause) -> bool:
        """Tell whether a clause begins with a word that sets it against what stands before."""
        lead = _LEAD.match(self.text.marked, clause.start)
        return self.words is not None and self.words.instead.match(self.text.marked, lead.end() if lead else 0) is not None

    @lazy
    def asks_place(self) -> bool:
        """Whether the question asks for a place."""
        return asks_place(self.question.text)

    def names_a_place(self, clause: Clause) -> bool:
        """Tell whether a clause names a place that the question does not: behind a preposition of places."""
        start, end = self.within(clause)
        piece = self.text.original[start:end]
        if self.words is None or WIDE.search(piece):
            return self.names_anew(clause)
        behind = (_NAMED.match(piece, at.end()) for at in self.words.place.finditer(marked_text(piece)))
        known = self.given_words | self.words.function
        return any(match is not None and fold_text(match[1])[0] not in known for match in behind)

    @lazy
    def within_counted(self) -> str:
        """The part that counts, as it was written."""
        return self.text.original[slice(*self.text.span(self.span))]

    @lazy
    def breaks_off(self) -> bool:
        """Whether the text ends in the middle of a sentence: in a function word that something must follow."""
        written = self.text.original.rstrip()
        words = WORD.findall(written)
        if self.words is None or len(words) < _LONG or not written[-1].isalpha():
            return False
        last = fold_text(words[-1])[0]
        return last in self.words.articles or self.words.leading_on.fullmatch(last) is not None

    def new_names(self, written: str | None = None) -> list[str]:
        """Return the words with a capital that the question has not, but for function words.

        Parameters: `written` is the part of the text to look at, else all of it.
        """
        known = self.given_words | (self.words.function if self.words else frozenset())
        written = self.text.original if written is None else written
        named = [m[0] for m in WORD.finditer(written) if m[0][0].isupper()]
        return [name for name in named if known.isdisjoint((folded := fold_text(name)[0], *folded.split()))]

    def gives_a_value(self, clause: Clause) -> bool:
        """Tell whether a clause has a number or a date."""
        start, end = self.within(clause)
        digits = in_digits(self.text.original[start:end], self.language)
        return bool(find_numbers(digits) or find_dates(digits))

    def begins_anew(self, clause: Clause) -> bool:
        """Tell whether a clause begins a sentence, or with a conjunction."""
        before = self.text.low[: clause.start].rstrip()
        conjunction = self.words is not None and self.words.cut.match(self.text.marked, clause.start) is not None
        return conjunction or not before.endswith((",", "،"))

    @lazy
    def given_words(self) -> frozenset[str]:
        """The words of the question and of what it gives, folded."""
        given = (self.question.text, *(value[1] for value in self.question.given))
        return frozenset(word for text in given for word in WORD.findall(fold_text(text)[0]))

    def names_anew(self, clause: Clause) -> bool:
        """Tell whether a clause names something that the question does not; without capitals, words beside names tell."""
        start, end = self.within(clause)
        piece = self.text.original[start:end]
        if WIDE.search(piece):
            return bool(_PLACE.search(piece) or _CALLED.search(piece))
        known = self.given_words | (self.words.function if self.words else frozenset())
        named = [fold_text(m[0])[0] for m in WORD.finditer(piece) if m[0][0].isupper()]
        return any(known.isdisjoint((name, *name.split())) for name in named)


def is_arabic(name: str) -> bool:
    """Tell whether a name is in Arabic letters.

    >>> is_arabic("القاهرة"), is_arabic("Cairo")
    (True, False)
    """
    return _ARABIC.search(name) is not None


def is_short(text: str) -> bool:
    """Tell whether a text is an answer and nothing else.

    >>> is_short("森鷗外"), is_short("Das war Johann Wolfgang von Goethe.")
    (True, False)
    """
    return len(WORD.findall(text)) <= _FEW_WORDS and (not WIDE.search(text) or len(text) <= _FEW_LETTERS)


_ALIKE = str.maketrans({"w": "v", "k": "c", "q": "c", "z": "s", "y": "i", "f": "v", "j": "g", "b": "p", "t": "d"})


def may_be_same(name: str, other: str) -> bool:
    """Tell whether two names may be one in two languages: their consonants are the same, but for one.

    >>> may_be_same("Wien", "Vienna"), may_be_same("München", "Munich"), may_be_same("Firenze", "Ravenna")
    (True, True, False)
    """
    one, two = (re.sub(r"[aeiouh]|(.)(?=\1)", "", fold_text(n)[0].translate(_ALIKE)) for n in (name, other))
    begin = {*(fold_text(n)[0].translate(_ALIKE)[:1] for n in (name, other))}
    alike = len(begin) == 1 or begin <= set("aeiou")
    return alike and min(len(one), len(two)) > 1 and one[0] == two[0] and (one == two or one_slip(one, two))
