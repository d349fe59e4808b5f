"""A passage about one thing: what it is, then what is known of it, chapter by chapter, several facts in a sentence.

The first sentence says what the thing is ("Jaws is an American film starring …", "Ann Lee, a German painter, was born in …");
after that it is "she", "Lee", "the film" or "it", as long as nothing else could be meant.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import NamedTuple

from generators.articles import with_article
from generators.autodebug.clauses import (
    Clause,
    Thing,
    Told,
    clause_of,
    finished,
    is_counted,
    kinds_of,
    listed,
    merged,
    owner_of,
    same_deed,
    together,
    worded,
)
from generators.autodebug.lists import lists

_SHORT_ENOUGH = 16
"""Words that two clauses may have for a third to join them."""
_MOST_WORDS = 34
_TELLING = ("makers", "cast", "where", "base", "story", "works", "state", "extent")
"""Chapters that say what a thing is better than who distributed it."""
_PARTICIPLES = ("born", "set", "shot", "written", "made")
_BRINGING = ("features", "has")
"""Verbs that begin clauses of several relations."""
_APART = ("honours", "series", "name", "private")
"""Chapters whose facts stand in no sentence with those of any other."""
LONG_NAME = 3
"""Words of a name that may be said again and again."""
_STEM = 5
"""Letters by which a word is known: physics, physicist."""


class Sentence(NamedTuple):
    """A sentence, whether it says the answer, what it tells, and how it reads after something else has been told of."""

    text: str
    support: bool = False
    told: tuple[Told, ...] = ()
    again: str | None = None


@dataclass
class _Lead:
    """What the first sentence says the thing is: words before the noun, the noun, words behind it."""

    before: list[str] = field(default_factory=list)
    noun: str | None = None
    after: list[str] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    genus: str | None = None

    @property
    def telling(self) -> bool:
        """Whether it says more than the noun."""
        return self.noun is not None and bool(self.before or self.after or self.noun != self.genus)

    def before_name(self, key: int) -> str:
        """Return what of the words behind the noun may stand before the name, "Directed by Ann Lee, "; of every third thing."""
        first = self.after[0].partition(" ")[0] if self.after else ""
        fit = first in _PARTICIPLES or (first.endswith("ed") and first != "based")
        if key % 3 or not fit or not (self.before or len(self.after) > 1 or " " in (self.noun or "")):
            return ""
        return f"{self.after.pop(0)}, "

    def text(self) -> str:
        """Return it with its article."""
        assert self.noun is not None
        return with_article(" ".join([*self.before, self.noun, *joined_behind(self.after)]))


def article(
    about: Thing, told: Sequence[Told], name: str, key: int, before: str = "", noun: str | None = None
) -> list[Sentence]:
    """Write of another thing: what it is, then what is known of it.

    Parameters: `name` is what the first sentence calls it; `before` leads to it ("Lee also directed "), where anything does;
    `noun` is what was said that it is.
    """
    return _Writer(about, told, "middle", key).article(name, before, noun)


def passage(about: Thing, told: Sequence[Told], where: str, key: int) -> list[Sentence]:
    """Write what is told of a thing; the fact that is `asked` stands in the sentence that `where` says.

    Parameters: `told` are its facts, one of them asked; `where` is "first", "middle" or "last"; `key` draws the words.
    """
    return _Writer(about, told, where, key).sentences()


def enlarged(about: Thing, original: Sequence[Sentence], left: Sequence[Told], key: int) -> list[Sentence] | None:
    """Tell more of a thing within its passage, in the order of an encyclopedia; its supporting sentence stays word for word.

    None where nothing can stand between that sentence and the first one, and nothing behind it, for it tells a death.
    """
    told = [each for sentence in original for each in sentence.told]
    return _Writer(about, [*told, *left], "middle", key).enlarged(original, left)


class _Writer:
    """Writes one passage."""

    def __init__(self, about: Thing, told: Sequence[Told], where: str, key: int) -> None:
        # "Cash married Johnny Cash": who of one name is meant, the whole name tells.
        namesakes = about.short and any(about.short in thing.label.split() for each in told for thing in each.objects)
        self.about, self.where, self.key = replace(about, short=None) if namesakes else about, where, key
        kinds = [
            kind for each in told if each.wording.way(about.kind).lead == "kind" and about.person for kind in kinds_of(each)
        ]
        self.told = told
        others = (each for each in told if not each.asked and not _repeats(each, kinds))
        self.rest = sorted(others, key=self._order)
        self.before: list[Told] = []
        self.told_kind: str | None = None
        self.called: str | None = None
        self.turn = 0
        self.off = False
        self.opening: str | None = None
        self.brief = False
        self.said: list[Sentence] = []

    def _order(self, told: Told) -> tuple[int, bool, int, int]:
        """What begins with what is the subject's stands last in its chapter: "uses the euro, and its capital is Riga"."""
        owner = not told.asked and all(said.owner for said in told.wording.way(self.about.kind).say)
        return chapter_place(told.wording.chapter), owner, told.wording.place, told.key

    @cached_property
    def asked(self) -> Told:
        return next(each for each in self.told if each.asked)

    def article(self, name: str, before: str, noun: str | None) -> list[Sentence]:
        """Write of a thing that is called so at first; see the function."""
        self.opening = name
        lead = self._lead()
        kept = list(self.rest)
        if not before and lead.noun == noun:  # "Spain, one of its neighbours, is a country that …": that it is one was said
            lead.noun = None
        if lead.noun and not self.about.person:
            self._behind_the_noun(lead, [told for told in self.rest if self._behind(told)][:2])
        if before:
            what = f", {lead.text()}" if lead.telling else ""
            self._say(f"{before}{name}{what}", lead.told)
            self.off = True
        elif lead.telling and not self.about.person:
            self._say(f"{name} {self._is()} {lead.text()}", lead.told)
        else:
            self.rest = [told for told in kept if told.wording.way(self.about.kind).lead is None]
        self.brief = len(self.rest) < 3
        self._tell(self._runs(self.rest))
        return self.said

    def _lead(self) -> _Lead:
        """Choose what the first sentence says the thing is; the rest is left."""
        lead = lead_of(self.about, self.rest)
        # "It comes from Italy, France and Spain" is the beginning of no sentence that anybody would write.
        origin = "origin" if self.about.kind == "work" else None
        left = (told for told in self.rest if told.wording.way(self.about.kind).lead != (origin or ""))
        self.rest = [told for told in left if told not in lead.told]
        kinds = [kind for told in lead.told if told.wording.way(self.about.kind).lead == "kind" for kind in kinds_of(told)]
        # "The poet" of whom the passage calls a poet and novelist would be a choice.
        alone = self.about.person and len(kinds) == 1 and " of " not in kinds[0]
        self.told_kind = kinds[0].rpartition(" ")[2] if alone else None
        return lead

    def sentences(self) -> list[Sentence]:
        lead = self._lead()
        if self.where == "first":
            self._open_with_support(lead)
            self._tell(self._runs(self.rest))
            return self.said
        spare = len(self.rest) - (1 if self.where == "middle" else 0)
        self._open(lead, spare)
        own = self._support_run()
        runs = self._runs(self.rest)
        if self.where == "last":
            self._tell(runs)
            self._tell([own])
            return self.said
        self._place(runs, own)
        return self.said

    def _place(self, runs: list[list[Clause]], own: list[Clause]) -> None:
        """Tell the support where its chapter belongs, but neither first nor last; last where nothing is left to follow it."""
        if not runs:
            self._tell([own])
            return
        first = chapter_place(self.asked.wording.chapter)
        at = sum(chapter_place(run[0].told.wording.chapter) < first for run in runs)
        low = 0 if self.said else 1
        at = min(max(at, low), len(runs) - 1)
        if len(runs) - 1 < low and len(runs[0]) > 1:  # one run alone: cut it
            runs, at = [runs[0][:1], runs[0][1:]], 1
        self._tell([*runs[:at], own, *runs[at:]])

    # A passage with more in it

    def enlarged(self, original: Sequence[Sentence], left: Sequence[Told]) -> list[Sentence] | None:
        """See the function."""
        at = next(place for place, sentence in enumerate(original) if sentence.support)
        begin = at - 1 if self._leans(original[at]) else at
        opening, unit, tail = original[: min(begin, 1)], original[min(begin, 1) and begin : at + 1], original[at + 1 :]
        between = [each for sentence in original[1:begin] for each in sentence.told]
        late = chapter_place(self.asked.wording.chapter)
        early = [each for each in left if chapter_place(each.wording.chapter) <= late] if opening else []
        before = sorted([*between, *early], key=self._order)
        behind = [*(each for each in left if each not in early), *(each for sentence in tail for each in sentence.told)]
        if behind and self.asked.wording.chapter == "end":
            return None
        self._resume(opening)
        if before:
            self._tell(self._runs(before))
        if opening and self._rivalled():
            return None
        self._resume([*self.said, *unit])
        if behind:
            self._tell(self._runs(sorted(behind, key=self._order)))
        return self.said if is_fluent([sentence.text for sentence in self.said]) else None

    def _leans(self, support: Sentence) -> bool:
        """Tell whether a sentence calls the thing by a pronoun, so that the one before must stay."""
        return support.text.partition(" ")[0].lower() in ("he", "she", "it", "his", "her", "its") or ", it " in support.text

    def _resume(self, said: Sequence[Sentence]) -> None:
        """Go on after some sentences."""
        self.said = list(said)
        self.turn = len(said)
        self.before = list(said[-1].told) if said else []
        self.off = any(clause_of(each, self.about).owner for each in self.before)
        noun = f"the {self.about.noun}"
        self.called = noun if said and said[-1].text.startswith(f"The {self.about.noun}") else None

    def _rivalled(self) -> bool:
        """Tell whether "the film" could be another that was just named."""
        return not self.about.person and any(thing.noun == self.about.noun for thing in self._mentioned())

    # The first sentence

    def _open_with_support(self, lead: _Lead) -> None:
        way = self.asked.wording.way(self.about.kind)
        clause = clause_of(self.asked, self.about)
        name, verb = self._named(lead), self._is()
        # "Hampshire County is a county whose capital is …" says a word twice.
        twice = lead.noun in self.about.label.lower().split() and not lead.before
        if lead.noun and way.after and not self.about.person and not twice:
            self._behind_the_noun(lead, [*self._whereabouts(), self.asked])
            before = lead.before_name(self.key)
            self._say(f"{before}{self.about.the} {verb} {lead.text()}", lead.told, support=True)
        elif lead.telling and not clause.owner:
            self._say(f"{self.about.the}, {lead.text()}, {clause.text}", [self.asked], support=True)
        else:
            self.rest = sorted([*self.rest, *lead.told], key=self._order)
            if not clause.owner:
                self._say(f"{name} {clause.text}", [self.asked], support=True)
            else:
                self._say(f"{owner_of(self.about.the, self.about.person)}{clause.text}", [self.asked], support=True)
                self.off = True

    def _open(self, lead: _Lead, spare: int) -> None:
        """Say what the thing is, with what stands well behind that; nothing where that is not known."""
        if lead.noun:
            most = 1 if self.about.person else 2
            behind = [told for told in self.rest if self._behind(told)]
            behind = [told for told in behind if told.wording.chapter in _TELLING] or behind[:1]
            self._behind_the_noun(lead, behind[: min(most, spare)])
        spare -= len(lead.after)
        deed = self.key % 3 == 1 and not any(text.startswith("with ") for text in lead.after) and len(lead.after) < 2
        if lead.noun and not lead.telling and self.about.kind != "work" and self._open_with_deed(lead, 1):
            return
        if not lead.telling:
            self.rest = sorted([*self.rest, *(told for told in lead.told if told not in self.rest)], key=self._order)
        elif self.about.person:
            if self._open_with_birth(lead, spare) or (
                not (self.about.gone and self.about.he) and self._open_with_deed(lead, spare)
            ):
                return
            self._say(f"{self.about.the} {self._is()} {lead.text()}", lead.told)
        elif not deed or not self._open_with_deed(lead, spare):
            before = lead.before_name(self.key)
            self._say(f"{before}{self.about.the} {self._is()} {lead.text()}", lead.told)

    def _behind_the_noun(self, lead: _Lead, behind: Sequence[Told]) -> None:
        """Put facts behind the noun, as many as stand well together there."""
        firsts: list[str] = []
        for told in behind:
            after = told.wording.way(self.about.kind).after
            assert after is not None
            text = worded(after, told, self.about)
            # "That borders Austria and Hungary, whose highest point …" would be Hungary's.
            close = bool(firsts) and " and " in lead.after[0]
            if not told.asked and (
                (firsts and text.startswith("whose "))
                or (close and text.startswith("that "))
                or text.partition(" ")[0] in firsts
                or (firsts and told.wording.chapter == "where" and self.about.kind == "work")
            ):
                continue
            firsts.append(text.partition(" ")[0])
            lead.after.append(text)
            lead.told.append(told)
            if told in self.rest:
                self.rest.remove(told)

    def _whereabouts(self) -> list[Told]:
        """Return where a place lies, if that may stand before the answer: "a country in Europe whose capital is …"."""
        if self.about.kind != "place" or self.asked.wording.chapter == "where":
            return []
        ways = ((told, told.wording.way(self.about.kind).after) for told in self.rest if told.wording.chapter == "where")
        return [told for told, after in ways if after is not None and len(told.objects) == 1][:1]

    def _open_with_deed(self, lead: _Lead, spare: int) -> bool:
        """Begin with what somebody did, "Ann Lee, a painter, studied …": who is not known to be dead need not be alive."""
        deeds = (told for told in self.rest if (is_past(told, self.about) if self.about.person else self._begins(told)))
        first = next(deeds, None)
        if first is None or spare < 1 or (lead.after and self.about.person):
            return False
        # "Was born in Ulm in 1879".
        clause = clause_of(first, self.about)
        same = [told for told in self.rest if told is not first and clause_of(told, self.about).stem == clause.stem]
        run = [clause, *(clause_of(told, self.about) for told in same[: min(1, spare - 1)])]
        self.rest = [told for told in self.rest if told not in [each.told for each in run]]
        self._say(f"{self.about.the}, {lead.text()}, {together(run)}", [*lead.told, *(each.told for each in run)])
        return True

    def _begins(self, told: Told) -> bool:
        return told.wording.way(self.about.kind).lead is None and not clause_of(told, self.about).owner

    def _open_with_birth(self, lead: _Lead, spare: int) -> bool:
        """Begin with where somebody was born: "Born in Ulm, the German painter Ann Lee studied …"; of every third."""
        way = next((told for told in self.rest if self._participial(told)), None)
        deeds = (told for told in self.rest if told is not way and is_past(told, self.about))
        deed = next((told for told in deeds if told.wording.chapter not in ("origin", "end")), None)
        if self.key % 3 or way is None or deed is None or spare < 2 or lead.after:
            return False
        after = way.wording.way(self.about.kind).after
        assert after is not None
        self.rest = [told for told in self.rest if told not in (way, deed)]
        what = " ".join([*lead.before, lead.noun or ""])
        text = f"{worded(after, way, self.about)}, the {what} {self.about.the} {clause_of(deed, self.about).text}"
        self._say(text, [*lead.told, way, deed])
        return True

    def _participial(self, told: Told) -> bool:
        after = told.wording.way(self.about.kind).after
        return after is not None and told.wording.chapter == "origin" and worded(after, told, self.about).startswith("born ")

    def _behind(self, told: Told) -> bool:
        way = told.wording.way(self.about.kind)
        if way.after is None or (self.about.person and told.wording.chapter != "works"):
            return False
        return not self.about.person or told.wording.chapter in _TELLING

    def _is(self) -> str:
        return "was" if self.about.gone and self.about.kind != "work" else "is"

    def _named(self, lead: _Lead) -> str:
        """Return the name with what it is before it: "the film Jaws", "the city of Ulm"; where the name says that, alone."""
        return introduced(self.about) if lead.noun == self.about.genus else self.about.the

    # What follows

    def _support_run(self) -> list[Clause]:
        """Return the support, with a fact of its chapter where enough others are left."""
        own = clause_of(self.asked, self.about)
        chapter, last = self.asked.wording.chapter, self.where == "last"
        near = [told for told in self.rest if told.wording.chapter == chapter]
        if last:  # an answer that stands in a short sentence at the end seems left over
            near += [told for told in self.rest[::-1] if stand_together(told.wording.chapter, chapter) and told not in near]
            if not self.about.person:  # a life is told in its order
                near += [told for told in self.rest[::-1] if told not in near and told.wording.chapter not in _APART]
        if len(self.rest) <= (0 if last else 2 if self.where == "middle" else 1) or (self.key % 2 and not last):
            return [own]
        for partner in near:
            other = clause_of(partner, self.about)
            first = own.owner < other.owner or (not last and own.owner == other.owner and self._before(partner))
            both = [own, other] if first else [other, own]
            if (not both[0].owner or own.owner == other.owner) and joinable(*both):
                self.rest.remove(partner)
                return both
        return [own]

    def _before(self, told: Told) -> bool:
        """Tell whether the fact asked about is told before another."""
        return self._order(self.asked) < self._order(told)

    def _runs(self, told: Sequence[Told]) -> list[list[Clause]]:
        """Cut what is told into sentences."""
        runs: list[list[Clause]] = []
        for each in told:
            # "Features music by A. It features B" says a verb twice.
            before = runs[-1][-1].text.partition(" ")[0] if runs else self._last_verb()
            # Nor is "produced by" said of a man and then of a company.
            texts = " ".join([sentence.text for sentence in self.said] + [clause.text for run in runs for clause in run])
            clause = clause_of(each, self.about, before if before in _BRINGING else None, texts)
            if runs and self._joins(runs[-1], clause):
                runs[-1].append(clause)
            else:
                runs.append([clause])
        return runs

    def _last_verb(self) -> str | None:
        return clause_of(self.asked, self.about).text.partition(" ")[0] if self.said and self.where == "first" else None

    def _joins(self, run: list[Clause], clause: Clause) -> bool:
        if clause.stem == run[-1].stem and clause.stem != clause.text and joinable(run[-1], clause):
            return True  # "was born in Ulm in 1879"
        words = sum(len(each.text.split()) for each in run)
        lists = any(each.several for each in [*run, clause])
        if run[-1].owner and (len(run) > 1 or lists or not clause.owner):
            return False
        verbs = {each.text.partition(" ")[0] for each in [*run, clause]}
        if len(run) > 2 or (len(run) == 2 and (words > _SHORT_ENOUGH or lists or len(verbs) < 3)):
            return False
        if words + len(clause.text.split()) > _MOST_WORDS or (clause.owner and len(run) > 1):
            return False
        near = stand_together(run[-1].told.wording.chapter, clause.told.wording.chapter)
        # Where no pronoun can stand, each sentence would begin with a name.
        near = near or self.brief or (self.about.person and self.about.he is None)
        return near and joinable(run[-1], clause)

    def _tell(self, runs: Sequence[Sequence[Clause]]) -> None:
        for run in runs:
            support = any(clause.told.asked for clause in run)
            name = self._name(support) if self.said else self.opening or introduced(self.about)
            called = self.about.he or self.about.short or self.about.the
            own = owner_of(called, True) if self.about.person else "its"
            opening = self._participle(run)
            text = together(run if opening is None else run[1:], own)
            if run[0].owner and self.opening and not self.said:
                self._say(_owned_by(self.opening, text), [each.told for each in run])
            elif run[0].owner:
                name = self.about.the if not self.said else name
                again = owner_of(self.about.short or self.about.the, self.about.person) + text
                self._say(owner_of(name, self.about.person) + text, [each.told for each in run], support=support, again=again)
            else:
                before = "" if opening is None else f"{opening}, "
                again = f"{before}{self.about.short or self.about.the} {text}"
                self._say(f"{before}{name} {text}", [each.told for each in run], support=support, again=again)
            self.off = any(clause.owner for clause in run)

    def _participle(self, run: Sequence[Clause]) -> str | None:
        """Return the first of several clauses as what stands before the subject: "born in Ulm", "set in Rome"."""
        first = run[0].told
        after = first.wording.way(self.about.kind).after
        if not self.said or len(run) < 2 or first.asked or run[0].owner or run[1].owner or after is None:
            return None
        if run[1].stem == run[0].stem or same_deed(run[0], run[1]):  # "born in Ulm, she was born in 1879"
            return None
        text = worded(after, first, self.about)
        if any(f"{text.partition(' ')[0]} " in sentence.text for sentence in self.said):
            return None
        fit = text.partition(" ")[0] in _PARTICIPLES or text.partition(" ")[0].endswith("ed")
        return text if fit and (first.wording.chapter == "origin" or first.key % 3) else None

    def _name(self, support: bool) -> str:
        """Return how the next sentence calls the thing."""
        name = self._next_name(support)
        self.called = name
        return name

    def _next_name(self, support: bool) -> str:
        """A pronoun stands where the sentence before is about the subject alone and names nothing else that it could mean."""
        about = self.about
        self.turn += 1
        if about.person:
            rival = self.off or any(
                thing.person and not (about.he and thing.he and thing.he != about.he) for thing in self._mentioned()
            )
            if about.he and not rival and (self.turn % 3 or not about.short):
                return about.he
            if not about.he and self._role() and not about.short:
                return self._role() or about.the
            return about.short or (about.he if about.he and not rival else None) or about.the
        rival = any(thing.noun == about.noun and thing.kind == about.kind for thing in self._mentioned())
        alike = self.off or any(thing.kind == about.kind for thing in self._mentioned())
        if about.noun is None:
            # Nobody knows whether it is a thing at all.
            return about.the if alike or (about.kind == "other" and about.genus is None) else "it"
        if rival:
            return about.the
        if self.called in ("it", None):
            return f"the {about.noun}"
        if not alike:
            return "it"
        again = self.called == f"the {about.noun}" and len(about.the.split()) <= LONG_NAME
        return about.the if again else f"the {about.noun}"

    def _role(self) -> str | None:
        """Return "the painter" of whom the passage calls a painter."""
        return f"the {self.told_kind}" if self.told_kind and (self.turn % 2 or self.about.short) else None

    def _mentioned(self) -> list[Thing]:
        said = (told for told in self.before if told.wording.way(self.about.kind).lead is None)
        return [thing for told in said for thing in told.objects]

    def _say(self, text: str, told: list[Told], *, support: bool = False, again: str | None = None) -> None:
        self.said.append(Sentence(finished(text), support, tuple(told), None if again is None else finished(again)))
        self.before = told


def is_fluent(texts: Sequence[str]) -> bool:
    """Tell whether few sentences begin with the same name: a short one may be said twice again, a whole one once.

    >>> is_fluent(["Lou Reed", "Reed", "Reed", "The", "The"]), is_fluent(["Lou", "He", "He", "He"])
    (True, True)
    >>> is_fluent(["Lou Reed", "Reed", "Reed", "Reed"]), is_fluent(["Clara Schumann", "Clara Schumann", "Clara Schumann"])
    (False, False)
    """
    first = texts[0].split()[:2]
    names = Counter(text.partition(" ")[0].removesuffix("’s") for text in texts[1:])
    most = max((count for name, count in names.items() if name.lower() not in _PLAIN), default=0)
    return most < _NAMED and sum(text.split()[:2] == first for text in texts[1:]) < _NAMED - 1


_NAMED = 3
"""So many sentences behind the first that begin with the same name are too many."""
_PLAIN = ("the", "it", "he", "she", "its", "his", "her")


def _owned_by(name: str, text: str) -> str:
    """Say what is a thing's where its name has something behind it.

    >>> _owned_by("Peru, one of its neighbours,", " capital is Lima, and the currency is the sol")
    'the capital of Peru, one of its neighbours, is Lima, and the currency is the sol'
    """
    parts = _OWNED.fullmatch(text)
    return f"{owner_of(name.rstrip(','), False)}{text}" if parts is None else f"the {parts[1]} of {name} {parts[2]} {parts[3]}"


_OWNED = re.compile(r" (.+?) (is|was|are|were|includes?|included) (.+)")


def _repeats(told: Told, kinds: Sequence[str]) -> bool:
    """Tell whether a fact says no more than what somebody is: a physicist worked in physics."""
    stems = {kind[:_STEM] for kind in kinds}
    return (
        told.wording.way("person").lead is None
        and bool(told.objects)
        and all(thing.label.islower() and thing.label[:_STEM] in stems for thing in told.objects)
    )


def lead_of(about: Thing, told: Sequence[Told]) -> _Lead:
    """Choose what the first sentence says a thing is: its kind, where it is from, its year."""
    genus = None if about.person else about.genus
    lead = _Lead(noun=genus, genus=genus)
    roles = [(each.wording.way(about.kind).lead, each) for each in told]
    for role, each in roles:
        if role == "kind":
            _add_kind(lead, about, each)
    if lead.noun is None:
        return lead
    for role, each in roles:
        if role == "year" and each.year:
            lead.before.insert(0, each.year)
            lead.told.append(each)
        elif role == "origin":
            adjectives = list(dict.fromkeys(thing.demonym for thing in each.objects))
            if len(adjectives) <= 2 and all(adjectives):
                lead.before.append((" and " if about.person else "-").join(filter(None, adjectives)))
                lead.told.append(each)
    return lead


def is_past(told: Told, about: Thing) -> bool:
    """Tell whether a fact is said of the living in the words in which it is said of the dead."""
    if told.wording.way(about.kind).lead is not None or clause_of(told, about).owner:
        return False
    return clause_of(told, about).text == clause_of(told, replace(about, gone=True)).text


def _add_kind(lead: _Lead, about: Thing, told: Told) -> None:
    if about.person:
        lead.noun = listed(merged(kinds_of(told)))
        lead.told.append(told)
        return
    # "A crime film", or "a comedy-drama"; what is neither, as "a work of science fiction", is left unsaid.
    kinds = [thing.label.removesuffix(f" {lead.noun}") for thing in told.objects if thing.label.endswith(f" {lead.noun}")]
    counted = [thing.label for thing in told.objects if thing.label[:1].islower() and is_counted(thing.label)]
    if kinds and lead.noun:
        lead.noun = f"{kinds[0]} {lead.noun}"
    elif counted:
        lead.noun = counted[0]
    lead.told.append(told)


def joined_behind(texts: Sequence[str]) -> list[str]:
    """Join what stands behind a noun: "directed by A and starring B", "by A, set in Rome", "in Germany, on the Rhine".

    >>> " ".join(joined_behind(["directed by A", "starring B"])), " ".join(joined_behind(["by A", "set in Rome"]))
    ('directed by A and starring B', 'by A, set in Rome')
    """
    if len(texts) < 2:
        return list(texts)
    first, second = sorted(texts, key=lambda text: text.startswith("with "))
    verbs = all(text.partition(" ")[0].endswith(("ed", "ing", "set", "shot", "written", "born")) for text in texts)
    link = " and " if verbs else " "
    if " and " in first or second.startswith("with ") or (first.startswith("by ") and link == " "):
        link = f",{link}"
    return [f"{first}{link}{second}"]


def introduced(about: Thing) -> str:
    """Return the name of a thing with what it is: "the film Jaws", "the city of Ulm"; where the name says it, alone.

    >>> jaws = Thing(1, "Jaws", "Jaws", "Jaws", False, None, "film", None, "work", "film", False, None)
    >>> introduced(jaws)
    'the film Jaws'
    """
    noun = about.noun
    if about.person or noun is None or about.the != about.label or noun in about.label.lower().split():
        return about.the
    if about.kind == "place":
        return (
            f"the {noun} of {about.label}" if noun in ("city", "town", "village", "island", "state", "province") else about.the
        )
    return f"the {noun} {about.label}" if about.kind == "work" or noun in ("band",) else about.the


def joinable(first: Clause, second: Clause) -> bool:
    """Tell whether two clauses read well in one sentence: not "received … and received …", not two lists."""
    if first.stem == second.stem:
        return (first.year != second.year) or not (first.several or second.several)
    if first.owner and second.owner:
        return True
    verb, other = first.text.partition(" ")[0], second.text.partition(" ")[0]
    return verb != other or same_deed(first, second) or verb in ("was", "is", "has", "had")


@cache
def _chapters() -> dict[str, int]:
    return {chapter: place for place, chapter in enumerate(lists()["chapters"]["order"])}


def chapter_place(chapter: str) -> int:
    """Return the place of a chapter among the others."""
    return _chapters()[chapter]


@cache
def stand_together(first: str, second: str) -> bool:
    """Tell whether facts of two chapters may stand in one sentence."""
    return first == second or [first, second] in lists()["chapters"]["together"]
