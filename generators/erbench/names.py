"""What the tables and columns of a database are called: one row in the singular, cut words spelled out.

A name is read with the schema around it: `ap_nm` of a table Airport is its name, `mfr_ctry_cd`, which leads to a table Country,
the manufacturer country. What is no word even then is told, so that nobody is asked about it.

```
>>> schema = Words(["AircraftType", "Country", "AllianceCodes"])
>>> schema.table("AllianceCodes"), schema.table("tbl_countries"), schema.table("staff")
(Called('alliance'), Called('country'), Called('staff member'))
>>> schema.column("num_eng", "AircraftType"), schema.column("act_nm", "AircraftType"), schema.column("dt_xq", "Country")
(Called('number of engines'), Called('name'), Called('date xq', unsaid='xq'))
>>> schema.reference("alli_cd", "AircraftType", "AllianceCodes"), schema.reference("mfr_ctry_cd", "AircraftType", "Country")
(Called('alliance'), Called('manufacturer country'))

```
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from generators.column_names import WordLists, ends_in_participle, in_words, split, unit_of
from generators.erbench.sure import Sure
from generators.inflections import base, is_known, is_participle
from generators.nouns import is_noun, is_plural, is_word, plural, singular, uncut
from generators.vocabulary import foreign_language, vocabulary


@dataclass(frozen=True)
class Called:
    """How a table or column is said, and the first part of it that is no word."""

    name: str
    unsaid: str | None = None

    def __repr__(self) -> str:
        """Show the name, and what of it is no word."""
        return f"Called({self.name!r}" + (f", unsaid={self.unsaid!r})" if self.unsaid else ")")


_DEATHS = frozenset({"death", "died", "dod", "deathdate", "killer"})
_LIVES = frozenset({"birth", "born", "dob", "birthdate", "killer"})
"""Of whom a table says both somebody's cause is that of death; of a fire and a ship `died` says how many."""
_ENGLISH = "en"
"""What a column ends in that holds what is said in English, beside others."""
_LEAST_OF_MEASURE = 3
_COINED = frozenset(
    {"booker", "emmy", "grammy", "michelin", "nobel", "oscar", "paralympic", "pulitzer", "olympic", "wimbledon"}
)
"""What is written with a capital in a table's name, though no name of a row."""
_EDITION = re.compile(r"(?:1[89]|20)\d\d")
"""The year that a table was published in, behind its noun."""
_SUPERLATIVES = frozenset(
    {
        "biggest", "busiest", "deepest", "fastest", "heaviest", "highest", "largest", "longest", "oldest", "richest",
        "smallest", "tallest", "youngest",
    }
)  # fmt: skip
"""What says which rows a table has, and not what they are; the best are somebody's opinion."""
_OWNER = 5
"""So many letters at most stand before a table's noun for who keeps it."""
_AIMS = frozenset({"target", "goal", "destination", "source"})
_ANY_THING = (["body"], ["object"], ["place"], ["location"])
_ORIGINS = frozenset({"country", "nation", "region"})
_OWN_NAMES = frozenset(
    {
        "first",
        "last",
        "given",
        "family",
        "middle",
        "maiden",
        "former",
        "previous",
        "original",
        "old",
        "brand",
        "trade",
        "nick",
        "full",
        "short",
        "long",
        "display",
        "user",
        "file",
        "host",
        "common",
        "native",
        "stage",
        "birth",
        "real",
        "scientific",
        "latin",
        "other",
    }
)
"""What stands before "name" and makes it another name of the row, no other thing."""


class Words:
    """The words of a schema: its tables' names spell out the cut words of its columns."""

    def __init__(
        self,
        tables: Iterable[str],
        columns: Iterable[str] = (),
        database: str = "",
        of: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Read the names of a schema: tables, columns (`of` each table), database; they tell what letters are short for."""
        self._of = of or {}
        lists, tables = (WordLists.load(), [*tables])
        self._lists, self._prefix, self._areas = lists, _shared_beginning(tables), _areas(tables)
        self._editions = Counter(tuple(split(name)[:-1]) for name in tables)
        self._learnt: dict[str, str] = {}
        self._named = {word for name in [*tables, database] for word in split(name)}
        self._met = Counter(word for name in [*tables, *columns, database] for word in {*split(name)})
        self._met += Counter(singular(word) for word in [*self._met] if singular(word) != word)
        # What the lists name is refused or said by them.
        units = [word for unit in lists.units for word in unit.split()]
        self._listed = {*lists.contact, *lists.technical, *lists.units, *units, "id", "has", "hex", "url"}
        named = [word for table in tables for word in self._noun(table)]
        about = [singular(word) for word in split(database) if database]
        self._known = list(dict.fromkeys(word for word in [*named, *about] if is_word(word)))

    @cached_property
    def language(self) -> str | None:
        """The language that the names are in, where that is not English: a word that both have may mean something else."""
        return foreign_language([word for word in self._met if word not in self._lists.cut_words])

    def learn(self, letters: str, noun: str) -> None:
        """Take some letters for a noun from now on, as something else than names of tables and columns told."""
        self._learnt[letters] = noun

    def table(self, raw: str) -> Called:
        """Say what one row of a table is."""
        spelled = [self._of_row(word, raw) or word for word in self._noun(raw)]
        # Who stands on a waiting list is no "wait": what is done there is no name of a row.
        if split(raw)[-1] == "list" and spelled[-1:] and _is_done(spelled[-1]):
            return Called(singular(" ".join(spelled)), spelled[-1])
        spelled = [self._learnt.get(word, word) for word in spelled]
        measured = self._lists.cut_words.get(spelled[-1]) in (*self._lists.quantities, *self._lists.with_units)
        if guessed := next((word for word in spelled if self._is_guessed(word)), None):
            return Called(singular(" ".join(spelled)), guessed)
        words, unsaid = self._spelled(spelled, [])
        if measured and not is_word(spelled[-1]):
            unsaid = spelled[-1]  # a row of `circ` is no circumference
        said = " ".join(words).split()
        if said[-1:] == ["show"] and said[-2:-1] and said[-2] in Sure.load().staged:
            said = said[:-1]  # a musical, which is a show
        said = [word for word, last in zip(said, ["", *said], strict=False) if word != last]  # no "opera opera house"
        said = [word.capitalize() if word in _COINED else word for word in singular(" ".join(said)).split()]
        return Called(" ".join(said), unsaid)

    def _is_guessed(self, word: str) -> bool:
        """Tell whether only a lexicon has a word that letters may be short for: `cstm` is as well custom as costume."""
        known = {*self._lists.cut_words, *self._lists.senses, *self._lists.acronyms, *self._listed}
        if word in self._lists.senses and not is_word(word):
            return True  # nothing told for which of them it is
        if " " in word or is_word(word) or is_participle(word) or word in known:
            return False  # an opera house is told by what else the schema has
        full = self._elsewhere(word, [])
        if full is None or full in self._met or full in self._known:
            return False
        nearly = full.startswith(word) or len(full) - len(word) <= _A_FEW
        return not nearly or (len(word) < _TELLING and not full.startswith(word))

    def kinds_beside(self, raw: str) -> list[str]:
        """Return what else a row may be by its table's name, which is no plain noun: one of `countries_official_languages`.

        >>> Words([]).kinds_beside("countries_official_languages"), Words([]).kinds_beside("sports_clubs")
        (['country'], [])
        """
        *before, head = split(raw)
        lists = self._lists
        kinds = {*lists.areas, *lists.persons, *lists.places, *lists.works, *lists.companies, *lists.institutions}
        several = [singular(word) for word in before if is_plural(word)] if is_plural(head) else []
        return [word for word in several if word in kinds]

    def _of_row(self, word: str, raw: str) -> str | None:
        """Spell out what a list has as something that was done: a row is a thing, and `fnd` no "founded"."""
        full = self._lists.cut_words.get(word)
        if word in self._lists.senses:
            if is_word(word):
                return self._sense(word, [], [])
            # Each table has names and codes, whatever its rows are.
            own = [other for other in self._columns(raw) if self._lists.cut_words.get(other, other) not in _KEYS]
            return self._sense(word, [other for other in self._noun(raw) if other != word], own, _SEVERAL_CLUES)
        if full and not is_word(word) and (table := self._table_begun(word)):
            return table
        if full and ends_in_participle(full):
            return self._elsewhere(word, [])
        return uncut(word, kinds) if not full and not is_word(word) and (kinds := self._kinds(raw)) else None

    def _columns(self, raw: str) -> list[str]:
        """The words of a table's columns."""
        return [word for name in self._of.get(raw, ()) for word in split(name)]

    def _table_begun(self, letters: str) -> str | None:
        """Return the table whose name letters begin: `min_class`, of a schema with a table of minerals, is of no minimum."""
        found = {word for word in self._known if len(letters) > 2 and word != letters and word.startswith(letters)}
        return min(found) if len(found) == 1 else None

    def _kinds(self, raw: str) -> frozenset[str]:
        """Tell by its columns what the rows of a table are, whatever it is called: people with two names, places in a town."""
        words = {self._lists.cut_words.get(word, word) for word in self._columns(raw)}
        if (
            words & {"surname", "forename", "birth", "born", "nationality", "date of birth", "last name"}
            or {"first", "last"} <= words
        ):
            return frozenset(self._lists.persons)
        if not words & {*self._lists.areas, "latitude", "address", "elevation"}:
            return frozenset()
        # What has a city may be a firm, or have been held there.
        held = [] if words & {"latitude", "elevation"} else [*self._lists.companies, *self._lists.groups, *Sure.load().held]
        return frozenset([*self._lists.places, *held])

    def column(self, raw: str, table: str) -> Called:
        """Say a column of a table."""
        own = self._noun(table)
        raw = raw.split("/")[0].strip() if re.search(r"[^\W\d_]{3,}\s*/\s*[^\W\d_]{3,}", raw) else raw  # `Town / City`
        said = split(raw)
        said = said[:-1] if len(said) > 1 and said[-1] == _ENGLISH else said
        words, unsaid = self._spelled(_estimated(self._done(said, table) or _without_owner(said, own)), own)
        if words[1:] == ["of", "origin"] and words[0] in _ORIGINS:
            words = words[:1]
        if len(words) > 2 and words[1] == "of" and words[2:] == [*own]:
            words = words[:1]  # the `Type of Castle` of a castle, which says its table again
        if len(words) == 2 and words[0] in ("original", "origin") and words[1] in _ORIGINS:
            words = words[1:]  # the country that a cultivar is from
        words = _without_owner(words, own)  # a cut word may say it, too: `stn_cd` of Station
        if len(words) > 1 and words[-1] == "name" and words[-2] not in _OWN_NAMES:
            words = words[:-1]  # the name of a city is the city
        if len(words) > 1 and words[-1] in ("flag", "yn", "tf"):
            words = words[:-1]  # a column of yes and no is one whether or not it says so
        if len(words) > 1 and words[-1] == "capacity":
            words = [*(singular(word) for word in words[:-1]), words[-1]]  # `pax_cap`
        if words[-1:] == ["by"] and len(words) == 2 and ends_in_participle(verb := self._lists.events.get(words[0], "")):
            words = [verb, "by"]  # `discovery_by`
        if words == ["national"]:
            words = ["nationality"]  # an adjective is no column
        if words == ["cause"] and (beside := {*self._columns(table)}) & _DEATHS and beside & _LIVES:
            words = ["cause", "of", "death"]
        words = self._measured(words)
        return Called(_counted(words), unsaid or _hanging(words))

    def _measured(self, words: list[str]) -> list[str]:
        """Spell out what may be a word, but is no measure, by the one measure that begins so: `dens_g_cm3`, `prom_m`."""
        what, unit = unit_of(" ".join(words))
        measures = Sure.load().measures
        if (
            unit in (None, "per cent")
            or " " in what
            or what in measures
            or what in self._lists.with_units
            or len(what) < _LEAST_OF_MEASURE
        ):
            return words
        found = [measure for measure in measures if measure.startswith(what) and " " not in measure]
        return [found[0], *words[1:]] if len(found) == 1 else words

    def _done(self, words: Sequence[str], table: str) -> list[str] | None:
        """Say of rows that are what was done who did it, and when: `find_by`, and `fnd_dt` of a table of finds."""
        own, *rest = words
        done = self._lists.done_to.get(self.table(table).name)
        named = done and own in (*self._noun(table), self.table(table).name)
        return [str(done), *rest] if named and rest in (["by"], ["dt"], ["date"], ["yr"], ["year"], ["on"]) else None

    def reference(self, raw: str, table: str, to: str, key: str = "") -> Called:
        """Say a foreign key: by its column's words or, where they are a code or cut words, by the table that it leads to.

        `key` is what the other table calls its key: what stands before it says which row is meant.

        >>> schema = Words(["tblDog", "tblBreed"])
        >>> schema.reference("BreedXqNo", "tblDog", "tblBreed", "XqNo"), schema.reference("XqNo", "tblDog", "tblBreed", "XqNo")
        (Called('breed'), Called('breed'))
        >>> schema.reference("DamRegNo", "tblDog", "tblDog", "RegNo")
        Called('dam')
        """
        said = self._reference(raw, table, to)
        if said.name.split()[0] in _AIMS and said.name.split()[1:] in _ANY_THING:
            said = replace(said, name=said.name.split()[0])  # the target of a mission is a body, whatever else it is
        words, of_key, row = split(raw), split(key) if key else [], self.table(to)
        if words == of_key and row.unsaid is None and not is_noun(said.name):
            return row  # `cc`, the key of countries
        if said.unsaid is None or not of_key or words[-len(of_key) :] != of_key or row.unsaid:
            return said
        which, noun = words[: -len(of_key)], row.name.split()
        if which == noun[-len(which) :]:
            return row
        first, unsaid = self._spelled(which, [])
        return Called(" ".join(first if self._noun(table) == self._noun(to) else [*first, *noun]), unsaid)

    def _reference(self, raw: str, table: str, to: str) -> Called:
        target, own = self._noun(to), self._noun(table)
        said = split(raw)
        if done := self._done(said, table):
            return Called(" ".join(done))
        words = said[1:] if len(said) > 1 and said[0] == "fk" else said
        while len(words) > 1 and (
            words[-1] in self._lists.key_words or self._lists.cut_words.get(words[-1], words[-1]) == "name"
        ):
            words = words[:-1]
        head = words[-1]
        if (not is_word(head) or words != said or head in self._lists.key_words) and (noun := self._of_target(head, target)):
            first, unsaid = self._spelled(_without_owner([*words[:-1], noun[0]], own)[:-1], [*target, *own])
            full, unknown = self._spelled([self._of_row(word, to) or word for word in noun], [])
            first = [] if full[-1:] and full[-1] in _ORIGINS and first in (["original"], ["origin"]) else first
            return Called(" ".join([*first, singular(" ".join(full))]), unsaid or unknown)
        spelled, unsaid = self._spelled(_without_owner(words, own), [*target, *own])
        if (
            (unsaid or spelled in (["national"], ["nationality"]))
            and len(words) == 1
            and (row := self.table(to)).unsaid is None
        ):
            return row  # `iso3`, or `nat`, which leads to a country
        return Called(" ".join(_without_owner(spelled, own)), unsaid or _hanging(spelled))

    def _of_target(self, head: str, target: Sequence[str]) -> list[str]:
        """Find the words of a table that the last word of a column is short for: all, or those from it on."""
        initial = len(head) == 1 and target[0].startswith(head)
        if head in self._lists.key_words or initial or is_short_for(head, "".join(target)):
            return next((list(target[i:]) for i, word in enumerate(target) if word.startswith(head)), list(target))
        at = next((i for i, word in enumerate(target) if is_short_for(head, word)), None)
        return list(target[at:]) if at is not None else []

    def _noun(self, raw: str) -> list[str]:
        """The words of a table's name, but for remarks in brackets and those that say that it is a table or a list of codes."""
        words = split(_REMARK.sub("", raw)) or split(raw)
        begun = len(self._prefix)
        words = words[begun:] if begun and words[:begun] == self._prefix and len(words) > begun else words
        words = words[1:] if len(words) > 1 and words[0] in self._areas else words
        while len(words) > 1 and words[0] in self._lists.table_first:
            words = words[1:]
        while len(words) > 1 and words[-1] in self._lists.table_last:
            words = words[:-1]
        if len(words) > 1 and _EDITION.fullmatch(words[-1]) and self._editions[tuple(words[:-1])] == 1:
            words = words[:-1]  # the sites as they were in 2019
        if len(words) > 1 and words[0] in _SUPERLATIVES:
            words = words[1:]  # the tallest buildings, of which each is a building
        if len(words) > 1 and words[0] in _NUMBERS:
            words = words[1:]  # the Seven Summits, of which each is one
        if len(words) == 2 and is_plural(words[1]) and is_word(words[1]) and self._says_nothing(words[0]):
            words = words[1:]  # whose sites they are, `whc`, no row needs to say
        if len(words) > 1 and is_participle(words[-1]) and is_plural(words[-2]):
            words = words[:-1]  # the `festivals held`
        if not is_word(words[-1]) and words[-1].endswith("s") and self._is_cut(words[-1]):
            return words  # `spcs` is species, and no plural of "spc"; nor is `pers` one of "per"
        return singular(" ".join(words)).split(" ")

    def _says_nothing(self, word: str) -> bool:
        """Tell whether letters are no word, nor short for one that a list has: who keeps the table."""
        lists = self._lists
        known = word in lists.cut_words or word in lists.senses or word in lists.acronyms or word in self._listed
        letters = not re.search("[aeiouy]", word)  # `inca` is no keeper's letters
        return letters and len(word) <= _OWNER and not known and not is_word(word)

    def _is_cut(self, word: str) -> bool:
        """Tell whether letters that end as a plural does are short for one word."""
        return uncut(word) in self._lists.no_plurals or not is_plural(self._lists.cut_words.get(word, "words"))

    def _spelled(self, words: Sequence[str], near: Sequence[str]) -> tuple[list[str], str | None]:
        """Spell out cut words: by the list, the tables nearby, the other tables; return what could not be, too."""
        spelled, unsaid, last = list[str](), None, len(words) - 1
        for at, word in enumerate(words):
            # What is short for a unit as well is one at the end: `duration_min`, but `min_temp`.
            inner = at < last and word in self._lists.units and word in self._lists.cut_words
            full = self._lists.cut_words[word] if inner else self._in_full(word, near, words)
            full = _DEGREES.get(word, full) if at == last and words[at - 1] in _WARM else full
            unsaid = unsaid or (word if full is None else None)
            spelled += (full or word).split(" ")
        return spelled, unsaid

    def _in_full(self, word: str, near: Sequence[str], beside: Sequence[str] = ()) -> str | None:
        if " " in word:
            return word  # spelled out before: an opera house
        if word in self._learnt:
            return self._learnt[word]
        if word in self._lists.senses:
            return self._sense(word, [other for other in beside if other != word], near)
        if word in self._lists.acronyms and word not in self._lists.cut_words:
            return word.upper()
        if word in self._listed or ((is_word(word) or is_participle(word)) and word not in self._lists.cut_words):
            return word
        if word in self._lists.cut_words:
            return self._lists.cut_words[word]
        return self._elsewhere(word, near)

    def _elsewhere(self, word: str, near: Sequence[str]) -> str | None:
        """Find the word that letters are short for among those nearby, of the other tables, and of all nouns."""
        known = [*(full for full in near if is_word(full)), *(self._known if len(word) > 2 else [])]
        return next((full for full in known if word != full and is_short_for(word, full)), None) or uncut(word)

    def _sense(self, word: str, beside: Sequence[str], near: Sequence[str], least: int = 1) -> str | None:
        """Tell for which of several words letters are short: by words beside them, of their table, or elsewhere.

        `least`: so much more than for the next sense must speak for it.
        """
        weights = {
            sense: sum(
                _BESIDE * (clue in beside) + _NEAR * (clue in near) + (clue in self._met) + (clue in self._named)
                for clue in clues
            )
            for sense, clues in self._lists.senses[word].items()
        }
        best, second, *_ = [*sorted(weights.values(), reverse=True), 0]
        return max(weights, key=weights.__getitem__) if best - second >= least else self._lists.cut_words.get(word)


_REMARK = re.compile(r"\s*[(\[][^)\]]*[)\]]")
"""What a table's name says beside what it is the table of: `Sales (old list)`."""
_TELLING, _A_FEW = 5, 2
"""So many letters tell a word that begins with them, or of which they leave out so few: `breedr`."""
_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve")
_DEGREES, _WARM = {"c": "celsius", "f": "fahrenheit"}, ("temp", "temperature", "point", "mp", "bp")
"""Letters that are degrees behind what is measured in them: `melting_point_c`."""
_SEVERAL_CLUES = 2
"""What a table is called is told by another table, or by more than one column somewhere in a schema."""
_BESIDE, _NEAR = 6, 3
"""So much more than one elsewhere in a schema says a word beside letters what they are short for; one of their table, less."""


def _shared_beginning(tables: Sequence[str]) -> list[str]:
    """Return the words that all tables of a schema begin with: the name of a program, and of no row.

    >>> _shared_beginning(["shop_order", "shop_customer", "shop_item"]), _shared_beginning(["film", "film_actor", "film_set"])
    (['shop'], [])
    >>> _shared_beginning(["parkservice_states", "parkservice_parks", "parkservice_trails"])
    ['park', 'service']
    """
    names = [split(name) for name in tables]
    shared = 0
    while (
        len(names) >= _SEVERAL and all(len(name) > shared + 1 for name in names) and len({name[shared] for name in names}) == 1
    ):
        shared += 1
    return names[0][:shared] if shared else []


def _areas(tables: Sequence[str]) -> frozenset[str]:
    """Return the words by which a schema groups its tables, where nearly all begin with one: they name no row.

    A word that is a table itself is none: a `film_set` is of a film. Nor are there any where tables would share a name without.

    >>> sorted(_areas(["gov_person", "gov_office", "elec_poll", "elec_seat"]))
    ['elec', 'gov']
    >>> sorted(_areas(["home_team", "home_cup", "away_team", "away_cup"]))
    []
    >>> sorted(_areas(["film_set", "film_prize", "city_hall", "city_park", "film", "city"]))
    []
    """
    names = [split(name) for name in tables]
    begin = Counter(name[0] for name in names if len(name) > 1)
    whole = {singular(name[0]) for name in names if len(name) == 1}
    shared = {word for word, count in begin.items() if count > 1 and singular(word) not in whole}
    rest = [tuple(name[1:] if name[0] in shared else name) for name in names]
    if len(shared) < _PARTS or sum(begin[word] for word in shared) < _NEARLY * len(names) or len({*rest}) < len(rest):
        return frozenset()
    return frozenset(shared)


_PARTS, _NEARLY = 2, 0.8
"""A schema is grouped where so many words at least begin so large a share of its tables."""
_SEVERAL = 3
"""So many tables begin with one word before it is that of a program."""


def is_short_for(cut: str, full: str) -> bool:
    """Tell whether letters are those of a word, in their order, from its first on.

    >>> is_short_for("ctry", "country"), is_short_for("avtr", "aviator"), is_short_for("hub", "airport")
    (True, True, False)
    """
    if len(cut) < 2 or not full.startswith(cut[0]):
        return False
    letters = iter(full)
    return all(letter in letters for letter in cut)


def _is_done(word: str) -> bool:
    """Tell whether a word is rather a verb than what a row may be.

    >>> [word for word in ("wait", "waiting", "plant", "member") if _is_done(word)]
    ['wait', 'waiting']
    """
    if word.endswith("ing") and is_participle(f"{word[:-3]}ed"):
        return True
    return base(f"{word}ed") == word and not is_noun(word)


def _without_owner(words: list[str], own: Sequence[str]) -> list[str]:
    """Leave out what says again of which table a column is: `ap_nm` of Airport, `film_title` of films."""
    first, *rest = words
    if rest and rest[0] in ("of", "by", "in"):
        return words
    repeats = first in own and first == own[-1]
    cut = not is_word(first) and first not in WordLists.load().cut_words and is_short_for(first, "".join(own))
    # `cult_no` of `cultv`: a word of its own that stands for its table before what says that it is a key, or a name.
    keyed = bool(rest) and WordLists.load().cut_words.get(rest[0], rest[0]) in _KEYS
    short = not is_word(first) and is_short_for(first, own[-1])  # `dt_cd` of diets is their code, and no date
    begun = keyed and ((len(first) > 2 and own[-1].startswith(first)) or short)
    initials = len(first) == 1 and first == own[-1][0] if len(own) == 1 else first == "".join(word[0] for word in own)
    return rest if rest and (repeats or cut or begun or initials) else words


_KEYS = frozenset({"name", "number", "code", "id", "description"})


def _hanging(words: Sequence[str]) -> str | None:
    """Return the end of a name that says nothing by itself: a letter alone, or "of" behind a noun, which tells not whose.

    >>> _hanging(["connects", "a"]), _hanging(["sister", "of"]), _hanging(["composed", "of"]), _hanging(["capital"])
    ('a', 'of', None, None)
    >>> _hanging(["beam", "m"]) is None
    True
    """
    *before, last = words
    letter = len(last) == 1 and last.isalpha() and last not in WordLists.load().units
    return last if before and (letter or (last == "of" and not ends_in_participle(before[-1]))) else None


_DATED = frozenset({"year", "yr", "yrs", "date", "dt", "on", "in", "month", "day", "est", "estd", "time"})


def _estimated(words: list[str]) -> list[str]:
    """Tell an estimate from a foundation: `pop_est` is one of a quantity, `est_year` and `est` say when something began.

    >>> _estimated(["pop", "est"]), _estimated(["est", "yr"]), _estimated(["est", "total", "cost"])
    (['estimated', 'pop'], ['est', 'yr'], ['estimated', 'total', 'cost'])
    """
    rest = [word for word in words if word not in ("est", "estim")]
    return ["estimated", *rest] if len(rest) < len(words) and {*rest} - _DATED and not {*rest} & _DATED else words


def _counted(words: Sequence[str]) -> str:
    """Say a column of counts as one: "number of engines"; "year established" for "established year" stays to the forms."""
    if len(words) == 2 and words[1] in ("quantity", "count", "number") and ends_in_participle(words[0]):
        return f"{words[1]} {words[0]}".replace("count", "number")
    if len(words) == 2 and words[0] in ("quantity", "number", "count") and ends_in_participle(words[1]):
        return f"number {words[1]}"
    if len(words) > 1 and words[-1] in ("count", "quantity"):
        return f"number of {plural(' '.join(words[:-1]))}"
    if len(words) > 1 and words[0] == "number" and words[1] != "of":
        return f"number of {plural(' '.join(words[1:]))}"
    return re.sub(r"^count of ", "number of ", " ".join(words))


def database_called(name: str) -> str:
    """Say what database it is by the name of its file; one that holds what is no word says nothing to anybody.

    >>> [database_called(name) for name in ("kennel_club", "d_libraryops", "SHOP2024", "northwind")]
    ['the kennel club database', 'the database', 'the database', 'the Northwind database']
    """
    words = [word for word in in_words(name).split() if word not in ("db", "data", "database")]
    if len(words) == 1 and _is_coined(words[0]):
        return f"the {words[0].capitalize()} database"
    known = bool(words) and all(len(word) > 2 and (is_known(word) or vocabulary().get(word)) for word in words)
    return f"the {' '.join(words)} database" if known else "the database"


def _is_coined(word: str) -> bool:
    """Tell whether a name is no word of the language and can be said: Northwind, Sakila; no letters for several words.

    >>> [_is_coined(word) for word in ("northwind", "sakila", "shopdb", "hrms", "shop")]
    [True, True, False, False, False]
    """
    said = re.fullmatch(r"(?:[^aeiouy]{0,2}[aeiouy]{1,2})+[^aeiouy]{0,2}", word) is not None
    two = any(is_known(word[:at]) and is_known(word[at:]) for at in range(4, len(word) - 3))
    return word.isalpha() and len(word) > 4 and not is_known(word) and (said or two) and not word.endswith(("db", "data"))


_SAID = frozenset({"at", "in", "on", "within", "among", "according", "for", "from", "by", "of", "under", "aboard"})


def by_records(about: str) -> str:
    """Say that those who keep a database know something of what is elsewhere: who supplies them, whose dog died.

    >>> by_records("the Slaney clinic"), by_records("on the railways of Veldania")
    ('according to the records of the Slaney clinic', 'on the railways of Veldania')
    """
    said = setting(about)
    return said if said.endswith(about[1:]) and len(said) == len(about) else f"according to the records of {about}"


def setting(about: str) -> str:
    """Say where the rows of a database are; what begins with a preposition stays as it is.

    >>> setting("Marlow University"), setting("the Chinook shop"), setting("on the railways of Veldania")
    ('at Marlow University', 'in the Chinook shop', 'on the railways of Veldania')
    >>> setting("the Lindome surgery")
    'at the Lindome surgery'
    """
    text = " ".join(about.split())
    words = text.split()
    if not words or words[0].lower() in _SAID:
        return f"{text[:1].lower()}{text[1:]}"
    head = text.lower().split(" of ")[0].split()[-1]
    return f"{'at' if head in {*WordLists.load().institutions, *_AT_WORK} else 'in'} {text}"


_AT_WORK = ("nursery", "surgery", "practice", "garage", "kennel", "kennels", "stables", "stud", "bakery", "farm", "zoo", "club")
