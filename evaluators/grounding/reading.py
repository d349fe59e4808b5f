"""Which claims a text makes: names and the words around them, held against the patterns of the wordings.

A sentence becomes the forms of its words (`wordings.form`), its names and its signs. Two names and the words between them are
a claim where those words are a pattern's; around them may stand what says nothing of a relation: a description before a name
("by the British filmmaker X"), names in a row ("with X, Y and Z"), what stands between commas or brackets, the time, and a
first predicate of the same subject ("S was written by X and directed by Y"). A pronoun, and "the film", stands for what the
text is about. What is asked, supposed or reported is no claim; what is denied is a denied one.

>>> tokens_of("Alien was directed by Ridley Scott").index("direct")
1
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from operator import attrgetter
from typing import Any, NamedTuple

from evaluators.grounding.facts import Facts, Reading
from evaluators.grounding.names import Name, Names
from evaluators.grounding.wordings import POSSESSIVE, PREPOSITIONS, WHO, Pattern, Wordings, form, heads
from evaluators.verify.reading.text import Sentence, Span, Text, phrase
from evaluators.verify.reading.words import word_list

NAME = "\x01"
"""What stands for a name in the tokens of a sentence."""

_AND = frozenset(("and", "or", "but", "well", "as"))
_DENIED = frozenset(
    [
        "not",
        "no",
        "never",
        "neither",
        "nor",
        "without",
        "didnt",
        "wasnt",
        "isnt",
        "werent",
        "hasnt",
        "havent",
        "doesnt",
        "dont",
        "arent",
        "cannot",
    ]
)
_UNSURE = re.compile(
    r"\b(?:if|whether|would|could|might|may|perhaps|possibly|maybe|allegedly|reportedly|rumou?red|supposed(?:ly)?|claims?|claimed"
    r"|believed|believes?|thought|according to|unlike|instead of|rather than|confused? with|assum\w+|suppos\w+|should"
    r"|not (?:true|correct|accurate|the case|sure|aware|certain)|(?:in)?correct that|false|incorrect|untrue|unsure|uncertain"
    r"|no (?:evidence|record|film|movie|player|footballer)|there (?:is|was|are|were|has been|have been)|expected to|planned"
    r"|options? \d+:? ?\w* ?(?:stat|say|claim|mention|suggest)\w*|(?:states|says|mentions|suggests) that"
    r"|option \d+(?= ?[:)])"
    r"|(?:question|you|user) (?:is |are )?(?:ask|claim|assum|stat|say)\w*|asks? (?:about|whether|if))\b"
)
"""What makes a sentence no claim of its writer: supposed, reported, doubted, quoted, or of something else of that name.

It is held against small letters: a pattern that minds no case takes three times as long.
"""
_SHIFTED = frozenset(
    ["former", "formerly", "previously", "later", "now", "currently", "then", "once", "earlier", "subsequently"]
)
_ALONE = frozenset(["only", "exclusively", "solely", "merely", "just", "simply"])
"""Who does not only do a thing does it."""
_SPANNED = frozenset(["until", "since", "from", "before", "after"])
_FINITE = frozenset(["is", "was", "are", "were", "has", "had", "did", "does", "will", "also"])
_PERSONAL = frozenset(("he", "she", "it", "they", "him", "them", "this"))
_OWNING = frozenset(("his", "its", "their", "her"))
_PLACES = frozenset(["town", "city", "village", "country", "state", "province", "region", "island", "county", "district"])
_KINDS = frozenset(word_list("pointing")["kinds"])
_MAY_POINT_BACK = _PERSONAL | _OWNING | _KINDS
_SIGNS = re.compile(r"[,;:()\[\]–—?!]|\s-\s|\n")
_SKIPPED = frozenset(["also", "indeed", "still", "thus", "long", "best", "well", "always"])
_BEHIND = 8
_DENIED_WITHIN = 3
_JOINTS = frozenset((",", "and", "or", "not", "well", "as"))
_LONGEST, _LONGEST_DESCRIPTION = 9, 5
_FEW = 4
_FIRST = attrgetter("first")
_FARTHEST = 26
"""Tokens between two names of one claim."""


class Claim(NamedTuple):
    """What two names and the words around them claim, in every way in which it may be understood.

    `denied`: the text says that it is not so. `open`: it speaks of another time, of what may be another thing of that name,
    or of several objects of which the graph does not know one. `span` are its characters, `beside` the entities that its
    sentence names and does not deny.
    """

    readings: tuple[Reading, ...]
    denied: bool
    open: bool
    span: Span
    beside: frozenset[int] = frozenset()


class _Way(NamedTuple):
    """A way in which a pattern's words say a relation."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    subject_first: bool
    relations: tuple[int, ...]


@dataclass(frozen=True)
class _Worded:
    """Where words of a sentence say a relation: by the token that they end at, where they begin and in which ways.

    `latest` has for each token where the last of the words begin that end there or before (-1: none do).
    """

    spans: Mapping[int, Sequence[tuple[int, Sequence[_Way]]]]
    latest: Sequence[int]


@dataclass(frozen=True)
class _End:
    """A name in a sentence: its tokens from `at` up to `end`, and what it names."""

    at: int
    end: int
    name: Name
    owning: bool = False
    points_back: bool = False


@dataclass
class _Line:
    """A sentence as tokens, with the word of each (null: a sign), and its names.

    What is worked out for a token or for a name stays: a name is held against each one behind it.
    """

    tokens: list[str] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    ends: list[_End] = field(default_factory=list)
    described: list[bool] | None = None
    leads: dict[int, _Lead] = field(default_factory=dict)

    @cached_property
    def beside(self) -> frozenset[int]:
        """The entities that are named, but those behind a denial ("not by X", "instead of X")."""
        return frozenset[int]().union(
            *[end.name.entities for end in self.ends if not end.points_back and not self._denies(end)]
        )

    def _denies(self, end: _End) -> bool:
        before = self.raw[max(end.at - _DENIED_WITHIN, 0) : end.at]
        return not _DENIED.isdisjoint(before) or before[-2:] in (["instead", "of"], ["rather", "than"])


_Headed = tuple[_End, _End, Sequence[_Way]]
"""What a text is about, as if it stood before a noun, the name behind that, and the ways in which the noun joins them."""


class _Lead(NamedTuple):
    """The places before a name, and before what describes it, where words of a way may end, and the ways whose words do."""

    places: Sequence[int]
    ways: Sequence[_Way]


class Reader:
    """Reads claims by the wordings of a graph's relations."""

    def __init__(self, facts: Facts, wordings: Wordings | None = None) -> None:
        self.facts = facts
        wordings = wordings or Wordings.shipped()
        self._ways: dict[str, Any] = {}
        """Ways by the words between two names, word after word; "" ends them."""
        self._heads: dict[tuple[str, ...], list[int]] = defaultdict(list)
        ways: dict[Pattern, list[int]] = defaultdict(list)
        for number, relation in enumerate(facts.relations):
            for pattern in sorted(wordings.patterns(relation.label)):
                ways[pattern].append(number)
            if head := heads(relation.label):
                self._heads[head].append(number)
        self._nouns = frozenset(head[0] for head in self._heads if len(head) == 1)
        self._before: dict[tuple[str, ...], list[tuple[int, _Way]]] = defaultdict(list)
        self._behind: dict[str, list[_Way]] = defaultdict(list)
        for n, ((before, between, after, subject_first), numbers) in enumerate(ways.items()):
            way = _Way(before, after, subject_first, tuple(numbers))
            if between:
                node = self._ways
                for word in between:
                    node = node.setdefault(word, {})
                node.setdefault("", []).append(way)
            elif before:
                self._before[before].append((n, way))
            elif len(after) > 1:
                self._behind[after[0]].append(way)
        self._sizes, self._leading = {*map(len, self._before)}, {before[-1] for before in self._before}
        self._verbs = frozenset(word for _, between, *_ in ways for word in between) - PREPOSITIONS - _AND
        self._not_describing = PREPOSITIONS | _AND | _DENIED | {WHO}
        vocabulary = self._verbs | {word for before, _, after, _ in ways for word in (*before, *after)}
        self.names = Names(facts, frozenset(vocabulary))

    def claims(
        self, text: Text, near: Set[int], topic: frozenset[int] = frozenset(), years: Set[str] = frozenset()
    ) -> list[Claim]:
        """Return the claims of a text.

        Parameters: `near` is the neighbourhood of its item, `topic` what its question is about, `years` those that it names.
        """
        self._years = years
        found: dict[tuple[object, ...], Claim] = {}
        names = self.names.in_text(text, near)
        if not names:
            return []
        at = 0
        for sentence in text.sentences:
            while at < len(names) and names[at].last <= sentence.first:
                at += 1
            own = names[at : bisect_left(names, sentence.last, at, key=_FIRST)]
            if not own and not topic:
                continue  # nobody is named, nor pointed back to
            line = _line(text, sentence, own, topic, self._nouns)
            piece = text.original[sentence.start : sentence.end]
            pairs, headed = self._pairs(line), [*self._headed(line, text, topic)]
            if (pairs or headed) and not piece.rstrip().endswith("?") and not _UNSURE.search(piece.lower()):
                for claim in self._of_line(line, text, pairs, headed):
                    found.setdefault(claim[:2], claim)
            topic = _next_topic(line, topic)
        return list(found.values())

    def _pairs(self, line: _Line) -> list[tuple[_End, _End]]:
        """Return the names of which one may be the subject and the other the object of some relation."""
        known = [end for end in line.ends if end.name.entities or end.name.value is not None]
        roles, pairs = [(end, *self._roles(end.name)) for end in known], list[tuple[_End, _End]]()
        for n, (first, says, told) in enumerate(roles):
            for second, other_says, other_told in roles[n + 1 :]:
                if second.at - first.end > _FARTHEST:
                    break
                if second.at >= first.end and not (says.isdisjoint(other_told) and told.isdisjoint(other_says)):
                    pairs.append((first, second))
        return pairs

    def _roles(self, name: Name) -> tuple[Set[int], Set[int]]:
        """Return the relations that may have a name as a subject, and those that may have it as an object."""
        facts, entities = self.facts, name.entities
        if name.value is not None:
            return frozenset(), facts.valued_by(name.value)
        says, told = (_all_of(entities, of) for of in (facts.subject_of, facts.object_of))
        return frozenset() if name.is_small else says, told

    def _of_line(
        self, line: _Line, text: Text, pairs: Sequence[tuple[_End, _End]], headed: Sequence[_Headed]
    ) -> Iterator[Claim]:
        worded = self._worded(line)
        for first, second in pairs:
            bare = self._bare(line, first, second)
            if bare or worded.latest[second.at] >= first.end:  # or no words say a relation between them
                yield from self._between(line, text, first, second, worded, bare)
        for first, second, ways in headed:
            yield from self._claimed(line, text, first, second, ways, (first.at, second.end))

    def _between(
        self, line: _Line, text: Text, first: _End, second: _End, worded: _Worded, bare: Sequence[_Way]
    ) -> Iterator[Claim]:
        """Yield the claim that two names make: by the words nearest to the second one, and of these by the most."""
        tokens, described, joints, names = line.tokens, self._described(line), 0, 0
        for stop in range(second.at, first.end - 1, -1):
            if stop < second.at:  # what stands from here up to the second name has to lead to it
                token = tokens[stop]
                if token in _JOINTS:
                    joints += 1
                elif token == NAME:
                    names += 1
                    if not joints:
                        return
                elif not described[stop]:
                    return
            if (joints and not names) or (not names and second.at - stop > _LONGEST_DESCRIPTION):
                continue
            spans = worded.spans.get(stop, ())
            for start, known in (*spans, (stop, bare)) if stop == second.at and bare else spans:
                if start < first.end or not (_opens(line, first, start) or self._is_kind(line, first.end, start)):
                    continue
                ways = self._fitting(line, known, first, second)
                if ways and not (names and (self._begins_anew(text, second) or not _is_listed(tokens, stop, second))):
                    before, after = (max(len(words) for words in side) for side in zip(*[way[:2] for way in ways], strict=True))
                    reach = (first.at - before, second.end + after)
                    yield from self._claimed(line, text, first, second, ways, reach)
                    return

    def _worded(self, line: _Line) -> _Worded:
        """Return where words stand that say a relation."""
        tokens, spans = line.tokens, defaultdict[int, list[tuple[int, Sequence[_Way]]]](list)
        latest = [-1] * (len(tokens) + 1)
        for start in [n for n, token in enumerate(tokens) if token in self._ways]:
            node, stop = self._ways[tokens[start]], start + 1
            while node and stop <= start + _LONGEST:
                if "" in node:
                    spans[stop].append((start, node[""]))
                    latest[stop] = start
                node, stop = node.get(tokens[stop]) if stop < len(tokens) else None, stop + 1
        return _Worded(spans, list(accumulate(latest, max)))

    def _bare(self, line: _Line, first: _End, second: _End) -> Sequence[_Way]:
        """Return the ways in which nothing stands between two names: by the word before the first, or behind the second."""
        tokens, ways = line.tokens, self._lead(line, first).ways
        if first.end == second.at and second.end < len(tokens):
            ways = [*self._behind.get(tokens[second.end], ()), *ways]
        if not ways:
            return ()
        described = self._described(line)
        return ways if all(described[n] or tokens[n] in ",:" for n in range(first.end, second.at)) else ()

    def _lead(self, line: _Line, first: _End) -> _Lead:
        """Return what stands before a name, by itself or before what describes it."""
        if first.at not in line.leads:
            tokens, places, described = line.tokens, [first.at], self._described(line)
            while places[-1] > 0 and len(places) <= _FEW and described[places[-1] - 1]:
                places.append(places[-1] - 1)
            likely = [at for at in places if at > 0 and tokens[at - 1] in self._leading]
            stand = {tuple(tokens[max(at - size, 0) : at]) for at in likely for size in self._sizes} & self._before.keys()
            last = [tokens[at - 1] for at in places[:_FEW] if at > 0] if stand else []
            found = [sorted(w for before in stand if before[-1] == word for w in self._before[before]) for word in last]
            ways = [way for some in found for _, way in some]
            line.leads[first.at] = _Lead(places, ways)
        return line.leads[first.at]

    def _begins_anew(self, text: Text, end: _End) -> bool:
        """Tell whether a verb follows a name: behind "and" it begins a clause of its own ("… by X, and Y starred in it")."""
        words = text.words[end.name.last : end.name.last + 1]
        return bool(words) and (words[0] in _FINITE or form(words[0]) in self._verbs)

    def _is_kind(self, line: _Line, start: int, stop: int) -> bool:
        """Tell whether a name is called something before a pattern's words: "S is a 1982 film directed by …"."""
        return stop > start and line.raw[stop - 1] in _KINDS and all(self._describes(line, n) for n in range(start, stop))

    def _fitting(self, line: _Line, ways: Iterable[_Way], first: _End, second: _End) -> list[_Way]:
        """Return the ways of which the words before and after the two names are there, with the names standing free."""
        fitting, behind, places = list[_Way](), line.tokens[second.end :], self._lead(line, first).places
        next_to, free = behind[0] if behind else "", self._is_free(line, first)
        for way in ways:
            before, after = way.before, way.after
            if not (_stand_before(before, line.tokens, places) if before else free):
                continue
            if after[0] == next_to and after == tuple(behind[: len(after)]) if after else next_to != POSSESSIVE:
                fitting.append(way)
        return fitting

    def _is_free(self, line: _Line, first: _End) -> bool:
        """Tell whether the words behind the first name speak of it, not of what it is a part of ("the sequel to S")."""
        tokens, at = line.tokens, first.at
        while at > 0 and self._describes(line, at - 1):
            at -= 1
        if at == 1 < first.at and tokens[0] in PREPOSITIONS:
            return True  # "As a young man S …"
        if at == 0 or tokens[at - 1] not in PREPOSITIONS:
            return at == 0 or tokens[at - 1] != POSSESSIVE or tokens[first.end : first.end + 1] == [","]
        behind = tokens[first.end : first.end + 1]
        return behind in ([","], [WHO], ["("], [POSSESSIVE]) or _is_reduced(line, first)

    def _describes(self, line: _Line, n: int) -> bool:
        """Tell whether a token may stand before a name and describe it: a noun or adjective, no verb of a wording."""
        return self._described(line)[n]

    def _described(self, line: _Line) -> list[bool]:
        if line.described is None:
            never, verbs = self._not_describing, self._verbs
            line.described = [
                token.isalnum() and token not in never and (token not in verbs or word in _KINDS)
                for token, word in zip(line.tokens, line.raw, strict=True)
            ]
        return line.described

    def _headed(self, line: _Line, text: Text, topic: frozenset[int]) -> Iterator[_Headed]:
        """Yield what may be said of the topic by a noun and its value: "Director: X", "The director was X"."""
        if not topic:
            return
        tokens = line.tokens
        for end in line.ends:
            stop = end.at
            linked = stop > 0 and tokens[stop - 1] in (":", ",")
            noun = stop - 1 if linked else stop
            lead = line.words[end.at] - 1 if end.at < len(line.words) else -1
            if not linked and not (
                lead >= 0
                and text.words[max(lead - 1, 0) : lead + 1]
                and {"is", "was", "were", "are"} & set(text.words[max(lead - 1, 0) : lead + 1])
            ):
                continue
            for start in range(max(0, noun - 5), noun):
                numbers = self._heads.get(tuple(tokens[start:noun]))
                if numbers and (start == 0 or tokens[start - 1] in (";", "\n", "-")):
                    yield _End(start, start, Name(0, 0, "", topic)), end, [_Way((), (), True, tuple(numbers))]

    def _claimed(
        self, line: _Line, text: Text, first: _End, second: _End, ways: Sequence[_Way], reach: tuple[int, int]
    ) -> Iterator[Claim]:
        """Make a claim of two names and the ways that join them, so far as they go together."""
        said = line.raw[first.at : second.end]
        denied = [n for n, word in enumerate(said) if word in _DENIED]
        denials = sum("but" not in said[n:] for n in denied)
        if any("," in said[n:] and said[n - 1 : n] != [","] for n in denied):
            return
        said_of = dict.fromkeys((way.subject_first, way.relations) for way in ways)
        readings = list(dict.fromkeys(reading for one in said_of for reading in self._readings(*one, first.name, second.name)))
        if not readings or denials > 1 or (denials and not _ALONE.isdisjoint(_words_between(line, text, first, second))):
            return
        left_open = (
            not _SHIFTED.isdisjoint(_words_between(line, text, first, second))
            or self._is_of_another_time(line.raw[second.end : second.end + _BEHIND])
            or self._may_be_another(ways, first.name, second.name, readings)
            or _is_beside_unknown(line, second)
        )
        span = _span(line, text, first, second, reach)
        yield Claim(tuple(readings[:_READINGS]), bool(denials), left_open, span, line.beside)

    def _may_be_another(self, ways: Sequence[_Way], first: Name, second: Name, readings: Sequence[Reading]) -> bool:
        """Tell whether what is spoken of may be something of that label of which the graph has no such facts.

        A film is of some country, and the graph says of which; a town of the same name is in one, of which it says nothing.
        """
        read = {end for reading in readings for end in reading[::2]}
        spoken_of = {first if way.subject_first else second for way in ways}
        return any(
            entity not in read and self.facts.is_label(entity, name.text)
            for name in spoken_of
            if len(name.entities) > 1
            for entity in name.entities
        )

    def _is_of_another_time(self, behind: list[str]) -> bool:
        """Tell whether what follows a claim puts it into another time than the question's."""
        clause = behind[: behind.index(",")] if "," in behind else behind
        if clause[:1] in (["while"], ["when"]):
            return True
        if "during" in clause and "time" in clause[clause.index("during") :][2:4]:  # "during his time at X"
            return True
        return any(word.isdigit() and len(word) == 4 and word not in self._years for word in clause)

    def readings(self, relations: Iterable[int], subject: str, claimed: str, near: Set[int]) -> tuple[Reading, ...]:
        """Return the ways to understand two names in full that some relation joins; an object may be a date or a number.

        Parameters: of what a name may stand for, what is `near` goes before the rest.
        """
        facts = self.facts
        subjects = Name(0, 0, " ".join(phrase(subject)), self.names.narrowed(frozenset(facts.labels.bearers(subject)), near))
        objects = Name(0, 0, " ".join(phrase(claimed)), self.names.narrowed(frozenset(facts.labels.bearers(claimed)), near))
        value = next((name for name in self.names.in_text(Text(claimed), near) if name.value is not None), None)
        told = tuple(relations)
        pairs = [(subjects, objects)] + ([] if value is None else [(subjects, value)])
        return tuple(dict.fromkeys(reading for pair in pairs for reading in self._readings(True, told, *pair)))[:_READINGS]

    def _readings(self, subject_first: bool, relations: Sequence[int], first: Name, second: Name) -> Iterator[Reading]:
        facts = self.facts
        subject, claimed = (first, second) if subject_first else (second, first)
        if subject.is_small:
            return
        bearers, objects = (facts.by_label(name.entities, name.text) for name in (subject, claimed))
        for relation in relations:
            subjects = [entity for entity in bearers if relation in facts.subject_of[entity]]
            if claimed.value is not None:
                if relation in facts.valued_by(claimed.value):
                    yield from (Reading(s, relation, None, claimed.value) for s in subjects)
            elif subjects:
                fitting = [entity for entity in objects if relation in facts.object_of[entity]]
                yield from (Reading(s, relation, o, None) for s in subjects for o in fitting if s != o)


def _all_of(entities: frozenset[int], of: Sequence[Set[int]]) -> Set[int]:
    """Return all that is there for some entities."""
    if len(entities) == 1:  # most names
        return of[next(iter(entities))]
    return frozenset[int]().union(*[of[entity] for entity in entities])


_READINGS = 64
"""So many readings of one claim are kept."""


def _stand_before(words: tuple[str, ...], tokens: list[str], places: Iterable[int]) -> bool:
    """Tell whether words end at one of some places."""
    size, last = len(words), words[-1]
    return any(at >= size and tokens[at - 1] == last and tuple(tokens[at - size : at]) == words for at in places)


def _is_listed(tokens: list[str], start: int, last: _End) -> bool:
    """Tell whether names are a list: an "and" is among them, or follows. ("In X, Y" is a place within another.)"""
    if any(token in ("and", "or", "not") for token in tokens[start : last.at]):
        return True
    rest = tokens[last.end : last.end + 12]
    joint = next((n for n, token in enumerate(rest) if token in ("and", "or")), None)
    return (
        joint is not None
        and rest[0] in (",", "and", "or")
        and all(token in (NAME, ",") or token.isalnum() for token in rest[:joint])
    )


def _is_beside_unknown(line: _Line, end: _End) -> bool:
    """Tell whether a name that the graph does not know is joined to another: "with X and Y"."""
    tokens, known = line.tokens, {other.at: bool(other.name.entities or other.name.value) for other in line.ends}
    joined = [at for at in (end.at - 2, end.end + 1) if 0 <= at < len(tokens) and tokens[(at + end.at) // 2] == "and"]
    return end.name.value is None and any(not known.get(at, True) for at in joined)


def _opens(line: _Line, first: _End, start: int) -> bool:
    """Tell whether what stands between the first name and a pattern's words leaves it their subject."""
    tokens = line.tokens[first.end : start]
    if not tokens or tokens == [","] or tokens == [WHO] or tokens == [",", WHO]:
        return True
    if all(token in _SKIPPED or token in ("not", "never", "didnt", "wasnt", "isnt", "werent") for token in tokens):
        return True
    if tokens[0] in ",(" and tokens[-1] in ",)" and len(tokens) > 1:
        return True
    begins = first.at == 0 or not any(token == NAME for token in line.tokens[: first.at])
    if tokens[-1] == NAME and begins and "and" in tokens:  # S, T and U were …
        return all(token in (NAME, ",", "and") for token in tokens)
    if (
        tokens[-1] in ("and", "but", ",", ";") and begins and tokens[0] not in ("and", "or", POSSESSIVE)
    ):  # S was written by X and …
        return True
    if tokens[-2:] == [form("known"), "for"]:  # S is known for having …
        return True
    if tokens[-1] == WHO and len(tokens) > 1 and tokens[-2] == "and":
        return True
    return len(tokens) >= 2 and tokens[0] in ("in", "on") and all(t.isdigit() or t in (*_MONTHS, ",") for t in tokens[1:])


_MONTHS = tuple(
    form(month)
    for month in [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ]
)


def _is_reduced(line: _Line, first: _End) -> bool:
    """Tell whether a participle with "by" follows a name at once: "in S directed by X", not "in S was directed by X"."""
    at = first.end
    return line.tokens[at + 1 : at + 2] == ["by"] and line.words[at] == first.name.last


def _line(text: Text, sentence: Sentence, names: list[Name], topic: frozenset[int], nouns: Set[str] = frozenset()) -> _Line:
    """Turn a sentence into tokens; `nouns` are those of relations, which do not point back ("the director was X")."""
    original, words, starts, stops = text.original, text.words, text.starts, text.ends
    line, n, last = _Line(), sentence.first, starts[sentence.first]
    tokens, places, raw = line.tokens, line.words, line.raw
    by_first = {name.first: name for name in names}
    while n < sentence.last:
        if starts[n] > last and (between := original[last : starts[n]]) != " ":
            for sign in _SIGNS.findall(between):
                _put(line, sign.strip() or "\n", n, sign.strip())
        name, word, end = by_first.get(n), words[n], n + 1
        if name is None and word not in _MAY_POINT_BACK:  # most words
            if shape := form(word):
                tokens.append(shape)
                places.append(n)
                raw.append(word)
        elif name is not None and not name.is_small and name.value is None:
            end = min(name.last, sentence.last)
            _put_name(line, name, text, end)
        elif topic and (_owns_or_stands_for(line, word) or _is_the_kind(text, n, sentence.first, by_first, nouns)):
            _put_pointer(line, topic, text, n)
        else:
            if name is not None:
                _overlay(line, name, text, n)
            if shape := form(word):
                _put(line, shape, n, word)
        last, n = stops[end - 1], end
    return line


def _put_name(line: _Line, name: Name, text: Text, end: int) -> None:
    """Put a name as one token, without the words for its kind before it ("in the town of X"), with its possessive."""
    if _is_called_a_place(line, text):
        del line.tokens[-2:], line.words[-2:], line.raw[-2:]
    line.ends.append(_End(len(line.tokens), len(line.tokens) + 1, name))
    _put(line, NAME, name.first, NAME)
    start, stop = text.starts[end - 1], text.ends[end - 1]
    if text.original[start:stop].endswith(("'s", "s'", "’s")) or text.original[stop : stop + 2] in ("' ", "’ "):
        _put(line, POSSESSIVE, name.first, POSSESSIVE)


def _is_called_a_place(line: _Line, text: Text) -> bool:
    """Tell whether the latest words only say what kind of place a name is: "in the town of"."""
    return (
        line.raw[-1:] == ["of"]
        and line.raw[-2:-1] != []
        and line.raw[-2] in _PLACES
        and text.words[max(line.words[-2] - 1, 0)] == "the"
        and line.tokens[-3:-2] != []
        and line.tokens[-3] in PREPOSITIONS
    )


def _owns_or_stands_for(line: _Line, word: str) -> bool:
    """Tell whether a pronoun points back to what the text is about."""
    return (word in _PERSONAL or word in _OWNING) and not _bound(line)


def _is_the_kind(text: Text, n: int, first: int, by_first: Mapping[int, Name], nouns: Set[str]) -> bool:
    """Tell whether a word is the noun of "the film" or "this city", which points back to what the text is about."""
    word = text.words[n]
    return (
        word in _KINDS
        and form(word) not in nouns
        and n > first
        and text.words[n - 1] in ("the", "this")
        and _ends_there(text, n, by_first)
    )


def _put_pointer(line: _Line, topic: frozenset[int], text: Text, n: int) -> None:
    """Put a word that points back as the name of what the text is about, with its possessive."""
    word, end = text.words[n], len(line.tokens)
    line.ends.append(_End(end, end + 1, Name(n, n + 1, "", topic), points_back=True))
    _put(line, NAME, n, word)
    if word in _OWNING or (word in _KINDS and text.original[text.starts[n] : text.ends[n]].endswith(("'s", "’s"))):
        _put(line, POSSESSIVE, n, POSSESSIVE)


def _overlay(line: _Line, name: Name, text: Text, n: int) -> None:
    """Note a small name or a value, whose words stay words."""
    size = sum(1 for word in text.words[n : name.last] if form(word))
    if size:
        line.ends.append(_End(len(line.tokens), len(line.tokens) + size, name))


def _bound(line: _Line) -> bool:
    """Tell whether "its" stands behind "as" or "with", where it points to a name of the same sentence."""
    return bool(line.tokens) and line.tokens[-1] in ("as", "with") and bool(line.ends)


def _ends_there(text: Text, n: int, by_first: Mapping[int, Name]) -> bool:
    """Tell whether "the film" stands alone: no name and no noun's "of" follows."""
    return n + 1 not in by_first and (n + 1 >= len(text.words) or text.words[n + 1] not in ("of", "s"))


def _put(line: _Line, token: str, word: int, raw: str) -> None:
    line.tokens.append(token)
    line.words.append(word)
    line.raw.append(raw)


def _words_between(line: _Line, text: Text, first: _End, second: _End) -> Sequence[str]:
    """Return all words between two names, those too that say nothing of a relation."""
    return text.words[line.words[first.at] : line.words[second.at]]


def _span(line: _Line, text: Text, first: _End, second: _End, reach: tuple[int, int]) -> Span:
    words = line.words[reach[0] : reach[1]]
    return text.span(words[0], max(words[-1] + 1, first.name.last, second.name.last))


def _next_topic(line: _Line, topic: frozenset[int]) -> frozenset[int]:
    """Return what the next sentence's "it" stands for: what this one began with."""
    for end in line.ends:
        if end.points_back:
            return topic
        if not end.name.entities and end.name.value is None:
            return topic  # led by a name that the graph does not know: what it says beside that is not what it is about
        if end.name.entities and not end.name.is_small:
            leads = end.at < _LEAD and _NOT_LEADING.isdisjoint(line.tokens[: end.at])
            return end.name.entities if leads else topic
    return topic


_LEAD, _NOT_LEADING = 6, PREPOSITIONS | _DENIED
"""Within so many tokens, and behind none of these, stands the name that a sentence is about."""


def tokens_of(sentence: str) -> list[str]:
    """Return the tokens of a sentence without its names; for tests."""
    text = Text(sentence)
    return _line(text, text.sentences[0], [], frozenset()).tokens
