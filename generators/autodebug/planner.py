"""A passage about one thing: what it is, then what is known of it, chapter by chapter, in sentences of one theme.

The first sentence says what the thing is, where it is from, its year, and what stands behind that ("Jaws is a 1975 American
film directed by …", "Ann Lee, a painter, was born in …");
after that it is "she", "Lee", "the film" or "it", as long as nothing else could be meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
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
    together,
    worded,
)
from generators.autodebug.runs import chapter_place, joinable, joins, stand_together

_BEGIN = {
    "work": ("makers", "cast", "story"),
    "place": ("where", "extent"),
    "group": ("base",),
    "other": ("makers", "where", "base"),
}
"""Chapters whose facts stand behind the noun of the first sentence, by what the subject is."""
_AFTER_MAKERS = ("crew", "production")
_WITH_MAKERS = (*_AFTER_MAKERS, "cast")
"""Chapters whose facts stand behind the noun of a work after who made it: "directed by Ann Lee, with music by Una Hart"."""
_BRINGING = ("features", "has")
"""Verbs that begin clauses of several relations."""
LONG_NAME = 3
"""Words of a name that may be said again and again."""
_STEM = 5
"""Letters by which a word is known: physics, physicist."""


class Sentence(NamedTuple):
    """A sentence, whether it says the answer, and what it tells."""

    text: str
    support: bool = False
    told: tuple[Told, ...] = ()


def passage(about: Thing, told: Sequence[Told], where: str, key: int) -> list[Sentence]:
    """Write what is told of a thing; the fact that is `asked` stands in the sentence that `where` says, if it can.

    Parameters: `told` are its facts, one of them asked; `where` is "first", "middle" or "last"; `key` draws the words.
    Returns no sentence where the first one could not say what the thing is, in more than its noun, or would be alone.
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
        self.life, self.dates = dated(about, told)
        others = (each for each in told if not each.asked and each not in self.life and not _repeats(each, kinds))
        self.rest = sorted(others, key=self._order)
        self.before: list[Told] = []
        self.called: str | None = None
        self.turn = 0
        self.off = False
        self.begun = True
        self.said: list[Sentence] = []

    @property
    def name(self) -> str:
        """Its name at first: "Ann Lee (1879–1955)"."""
        return self.about.the + self.dates

    def _order(self, told: Told) -> tuple[int, bool, int, int]:
        """What begins with what is the subject's stands last in its chapter: "uses the euro, and its capital is Riga"."""
        owner = not told.asked and all(said.owner for said in told.wording.way(self.about.kind).say)
        return chapter_place(told.wording.chapter), owner, told.wording.place, told.key

    @cached_property
    def asked(self) -> Told:
        return next(each for each in self.told if each.asked)

    def _lead(self) -> Lead:
        """Choose what the first sentence says the thing is; the rest is left."""
        lead = lead_of(self.about, self.rest)
        # "It comes from Italy, France and Spain" is the beginning of no sentence that anybody would write.
        origin = "origin" if self.about.kind == "work" else None
        left = (told for told in self.rest if told.wording.way(self.about.kind).lead != (origin or ""))
        self.rest = [told for told in left if told not in lead.told]
        return lead

    def sentences(self) -> list[Sentence]:
        lead = self._lead()
        if self.about.person and self.asked.wording.chapter == "origin":
            self.where = "first"  # a life is told from its birth on
        # "A film directed by Ann Lee" says enough; "a 1999 film", or who distributed it, does not.
        bare = self.about.kind == "work" and not any(map(self._stands_behind, self.rest))
        if bare and not (self._stands_behind(self.asked) or (lead.telling and self.asked.wording.way("work").after)):
            return []
        if self._is_nobodys():
            return []
        if self.where == "first" and not self._can_begin():
            self.where = "middle"
        if bare:
            self.where = "first"
        if self.where == "first":
            self._open_with_support(lead)
            self._tell(self._runs(self.rest))
            return self.said if self.begun and len(self.said) > 1 else []
        # In the middle something is left to stand behind it.
        self._open(lead, max(1, len(self.rest) - (self.where == "middle" and self.about.kind == "work")))
        if not self.begun:
            return []
        if self.where == "middle" and (not self.rest or (len(self.rest) == 1 and self._partner())):
            self.where = "last"  # two sentences of one fact each would be clipped
        own = self._support_run()
        runs = self._runs(self.rest)
        if self.where == "last":
            self._tell([*runs, own])
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
        if unit[0].text.startswith(f"The {self.about.noun}"):
            self.called = f"the {self.about.noun}"
        if before:
            self._tell(self._runs(before), then=unit[0].text)
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

    def _open_with_support(self, lead: Lead) -> None:
        way = self.asked.wording.way(self.about.kind)
        clause = clause_of(self.asked, self.about)
        if lead.noun and way.after and not self.about.person:
            self._behind_the_noun(lead, [*self._before_the_answer(), self.asked])
            self._say(f"{self.name} {self._is()} {lead.text()}", lead.told, support=True)
        elif lead.telling and not clause.owner:
            run = [clause, *(clause_of(told, self.about) for told in self._years_of(clause))]
            told = [*lead.told, *(each.told for each in run)]
            self._say(f"{self.name}, {lead.text()}, {together(run)}", told, support=True)
        else:
            self.begun = False

    def _open(self, lead: Lead, spare: int) -> None:
        """Say what the thing is, with what stands well behind that."""
        if lead.noun and not self.about.person:
            behind = [told for told in self.rest if self._stands_behind(told)]
            if not behind and not lead.telling:
                behind = [told for told in self.rest if told.wording.way(self.about.kind).after][:1]
            self._behind_the_noun(lead, behind[: min(2, spare)])
        self.begun = lead.telling and (bool(lead.after) or self.about.kind != "work")
        if self.begun and not (self.about.person and self._open_with_deed(lead, spare)):
            self._say(f"{self.name} {self._is()} {lead.text()}", lead.told)

    def _behind_the_noun(self, lead: Lead, behind: Sequence[Told]) -> None:
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
            ):
                continue
            firsts.append(text.partition(" ")[0])
            lead.after.append(text)
            lead.told.append(told)
            if told in self.rest:
                self.rest.remove(told)

    def _years_of(self, clause: Clause) -> list[Told]:
        """Take the year of what a clause says: "was born in Ulm in 1879"."""
        years = [told for told in self.rest if told.year is not None and clause_of(told, self.about).stem == clause.stem][:1]
        self.rest = [told for told in self.rest if told not in years]
        return years

    def _before_the_answer(self) -> list[Told]:
        """Return what may stand before the answer: where a place lies, who made a work ("directed by A, with music by …")."""
        first = {"place": "where", "work": "makers"}.get(self.about.kind)
        chapter = self.asked.wording.chapter
        if first is None or chapter == first or (first == "makers" and chapter not in _WITH_MAKERS):
            return []
        ways = ((told, told.wording.way(self.about.kind).after) for told in self.rest if told.wording.chapter == first)
        return [told for told, after in ways if after is not None and len(told.objects) == 1][:1]

    def _is_nobodys(self) -> bool:
        """Tell whether who scored or filmed a work is asked where nothing tells who made it: nobody would write of it so."""
        late = self.about.kind == "work" and self.asked.wording.chapter in _AFTER_MAKERS
        return late and all(told.wording.chapter != "makers" for told in self.rest)

    def _can_begin(self) -> bool:
        """Tell whether the answer may stand in the first sentence: not what says little of what the subject is."""
        if self.about.person and self.asked.wording.chapter != "origin":
            return all(told.wording.chapter != "origin" for told in self.rest)
        if not self.about.person and self.asked.wording.way(self.about.kind).after is None:
            return False
        late = self.about.kind == "work" and self.asked.wording.chapter in _AFTER_MAKERS
        before = self._before_the_answer()
        # Where nothing is left to say behind it, what stands before it says enough for a sentence of its own.
        return (not late or bool(before)) and len(self.rest) > len(before)

    def _open_with_deed(self, lead: Lead, spare: int) -> bool:
        """Begin with what somebody did, "Ann Lee, a painter, studied …": who is not known to be dead need not be alive."""
        first = next((told for told in self.rest if is_past(told, self.about)), None)
        if first is None or spare < 1 or lead.after or first.wording.chapter not in ("origin", "education", "career"):
            return False
        # "Was born in Ulm in 1879".
        clause = clause_of(first, self.about)
        same = [told for told in self.rest if told is not first and clause_of(told, self.about).stem == clause.stem]
        run = [clause, *(clause_of(told, self.about) for told in same[:1])]
        self.rest = [told for told in self.rest if told not in [each.told for each in run]]
        self._say(f"{self.name}, {lead.text()}, {together(run)}", [*lead.told, *(each.told for each in run)])
        return True

    def _stands_behind(self, told: Told) -> bool:
        fit = told.wording.chapter in _BEGIN.get(self.about.kind, ())
        return fit and told.wording.way(self.about.kind).after is not None

    def _is(self) -> str:
        return "was" if self.about.gone and self.about.kind != "work" else "is"

    # What follows

    def _support_run(self) -> list[Clause]:
        """Return the support, with a fact of its theme where something is left to stand behind it."""
        own = clause_of(self.asked, self.about)
        partner = self._partner()
        if partner is None or (self.where == "middle" and len(self.rest) < 2):
            return [own]
        self.rest.remove(partner)
        return self._pair(own, partner)

    def _partner(self) -> Told | None:
        """Return the fact that goes best with the support in one sentence."""
        own, chapter = clause_of(self.asked, self.about), self.asked.wording.chapter
        near = [told for told in self.rest if told.wording.chapter == chapter]
        fit = (told for told in self.rest if told not in near)
        near += [each for each in fit if stand_together(*sorted((each.wording.chapter, chapter), key=chapter_place))]
        for partner in near:
            both = self._pair(own, partner)
            if (not both[0].owner or both[0].owner == both[1].owner) and joinable(*both):
                return partner
        return None

    def _pair(self, own: Clause, partner: Told) -> list[Clause]:
        """Order two clauses: years behind their places, what begins with what is the subject's behind the other."""
        other = clause_of(partner, self.about)
        if own.stem == other.stem:
            return [own, other]
        first = own.owner < other.owner or (own.owner == other.owner and self._before(partner))
        return [own, other] if first else [other, own]

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
            if runs and joins(runs[-1], clause):
                runs[-1].append(clause)
            else:
                runs.append([clause])
        return runs

    def _last_verb(self) -> str | None:
        return clause_of(self.asked, self.about).text.partition(" ")[0] if self.said and self.where == "first" else None

    def _tell(self, runs: Sequence[Sequence[Clause]], then: str = "") -> None:
        for place, run in enumerate(runs, start=1):
            support = any(clause.told.asked for clause in run)
            name = self._name(run)
            # "The country" begins the sentence that stands already behind the last of these.
            if place == len(runs) and then.lower().startswith(name) and name.startswith("the "):
                name = self.called = self.about.the
            called = self.about.he or self.about.short or self.about.the
            own = owner_of(called, True) if self.about.person else "its"
            told = [each.told for each in run]
            begin = owner_of(name, self.about.person) if run[0].owner else f"{name} "
            self._say(begin + together(run, own), told, support=support)
            self.off = any(clause.owner for clause in run)

    def _name(self, run: Sequence[Clause]) -> str:
        """Return how the next sentence calls the thing."""
        name = self._next_name(run)
        self.called = name
        return name

    def _next_name(self, run: Sequence[Clause]) -> str:
        """A pronoun stands where the sentence before is about the subject alone and names nothing else that it could mean."""
        about = self.about
        self.turn += 1
        if about.person:
            rival = self.off or any(
                thing.person and not (about.he and thing.he and thing.he != about.he) for thing in self._mentioned()
            )
            if about.he and not rival and (self.turn % 3 or not about.short):
                return about.he
            return about.short or (about.he if about.he and not rival else None) or about.the
        rival = any(thing.noun == about.noun and thing.kind == about.kind for thing in self._mentioned())
        # "Latvia is a country in Europe. Its capital is Riga.": what the first sentence is about is "it" in the second.
        alike = self.off or (len(self.said) > 1 and any(thing.kind == about.kind for thing in self._mentioned()))
        if about.noun is None:
            # Nobody knows whether it is a thing at all.
            return about.the if alike or (about.kind == "other" and about.genus is None) else "it"
        if rival:
            return about.the
        # Nor is it said that "the painting was painted", nor "the university" of what is a university by its name; and "its
        # capital" is shorter than "the country's".
        short = run[0].owner or about.noun[:_STEM] in run[0].text or about.noun in about.label.lower().split()
        if self.called in ("it", None) and not (short and not alike):
            return f"the {about.noun}"
        if not alike:
            return "it"
        again = self.called == f"the {about.noun}" and len(about.the.split()) <= LONG_NAME
        return about.the if again else f"the {about.noun}"

    def _mentioned(self) -> list[Thing]:
        said = (told for told in self.before if told.wording.way(self.about.kind).lead is None)
        return [thing for told in said for thing in told.objects]

    def _say(self, text: str, told: list[Told], *, support: bool = False) -> None:
        told = told if self.said else [*told, *self.life]
        self.said.append(Sentence(finished(text), support, tuple(told)))
        self.before = told


def is_fluent(texts: Sequence[str]) -> bool:
    """Tell whether no name begins two sentences one after the other, and the whole one of two words none but the first.

    Nor does "the country" begin two.

    >>> is_fluent(["Lou Reed", "Reed", "He", "Reed"]), is_fluent(["Lou", "He", "He", "He"])
    (True, True)
    >>> is_fluent(["Lou Reed", "Reed", "Reed"]), is_fluent(["Clara Schumann", "She", "Clara Schumann"])
    (False, False)
    """
    names = [text.partition(" ")[0].removesuffix("’s") for text in texts]
    nouns = [re.match(r"The [a-z]\w+", text) for text in texts]
    if any(one and other and one[0] == other[0] for one, other in pairwise(nouns)):
        return False
    again = any(name == other and name.lower() not in _PLAIN for name, other in pairwise(names))
    whole = texts[0].split()[:2]
    return not again and (len(whole) < 2 or all(text.split()[:2] != whole for text in texts[1:]))


_PLAIN = ("the", "it", "he", "she", "its", "his", "her")


def _repeats(told: Told, kinds: Sequence[str]) -> bool:
    """Tell whether a fact says no more than what somebody is: a physicist worked in physics."""
    stems = {kind[:_STEM] for kind in kinds}
    return (
        told.wording.way("person").lead is None
        and bool(told.objects)
        and all(thing.label.islower() and thing.label[:_STEM] in stems for thing in told.objects)
    )


def is_past(told: Told, about: Thing) -> bool:
    """Tell whether a fact is said of the living in the words in which it is said of the dead."""
    if told.wording.way(about.kind).lead is not None or clause_of(told, about).owner:
        return False
    return clause_of(told, about).text == clause_of(told, replace(about, gone=True)).text


@dataclass
class Lead:
    """What the first sentence says the thing is: words before the noun, the noun, words behind it."""

    before: list[str] = field(default_factory=list)
    noun: str | None = None
    after: list[str] = field(default_factory=list)
    told: list[Told] = field(default_factory=list)
    genus: str | None = None
    named: bool = False
    """Whether the name has the noun: "Yale University is a university"."""

    @property
    def telling(self) -> bool:
        """Whether it says more than the noun."""
        return self.noun is not None and bool(self.before or self.noun != self.genus or (self.after and not self.named))

    def text(self) -> str:
        """Return it with its article."""
        assert self.noun is not None
        # "An American American football player" says a word twice.
        before = [word for word in self.before if not self.noun.startswith(f"{word} ")]
        return with_article(" ".join([*before, self.noun, *joined_behind(self.after)]))


def lead_of(about: Thing, told: Sequence[Told]) -> Lead:
    """Choose what the first sentence says a thing is: its kind, where it is from, its year."""
    genus = None if about.person else about.genus
    if genus is not None and " " in genus and genus in about.label.lower():  # the national football team of England is a "team"
        genus = about.noun
    lead = Lead(noun=genus, genus=genus, named=genus is not None and genus.split()[-1] in about.label.lower().split())
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
            # Of several countries that paid for a film none is what anybody would call it.
            if len(adjectives) <= (2 if about.person else 1) and all(adjectives):
                lead.before.append(" and ".join(filter(None, adjectives)))
                lead.told.append(each)
    return lead


def _add_kind(lead: Lead, about: Thing, told: Told) -> None:
    if about.person:
        lead.noun = listed(merged(kinds_of(told)))
        lead.told.append(told)
        return
    # "A crime film", or "a comedy-drama"; what is neither, as "a work of science fiction", is left unsaid.
    kinds = [thing.label.removesuffix(f" {lead.noun}") for thing in told.objects if thing.label.endswith(f" {lead.noun}")]
    # A series is no "comedy film", whatever the graph says.
    counted = [thing.label for thing in told.objects if thing.label[:1].islower() and is_counted(thing.label, lead.noun or "")]
    if kinds and lead.noun:
        lead.noun = f"{kinds[0]} {lead.noun}"
    elif counted:
        plain = about.noun == "series" and counted[0].endswith(_OF_SERIES)
        lead.noun = f"{counted[0]} series" if plain else counted[0]
    lead.told.append(told)


_OF_SERIES = ("comedy", "drama", "thriller", "western", "satire")
"""Genres of which a series is called a series: "a legal drama series"."""


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


def dated(about: Thing, told: Sequence[Told]) -> tuple[list[Told], str]:
    """Return the years of a life that are told, and how they stand behind the name: " (1879–1955)"; of one alone nothing."""
    years = {each.wording.topic: each for each in told if each.year is not None and not each.asked}
    life = [years[topic] for topic in ("birth", "death") if topic in years]
    if not about.person or len(life) < 2:
        return [], ""
    return life, f" ({life[0].year}–{life[1].year})"
