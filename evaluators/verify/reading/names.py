"""Where a text names an entity, and by which of its names.

A name is met whole ("exact", or "alias" for another name of the entity), in another spelling or order ("normalised": initials,
middle names, "Surname, Given", numerals, a title's subtitle, one letter's slip in a long word), or by its surname alone
("partial"), which counts only where nobody else of that name is meant.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from evaluators.verify.reading.text import Span, Text, lazy, phrase, phrase_once
from evaluators.verify.reading.words import ARTICLES, COMMON, EVERYDAY, HONORIFICS, NUMERALS, in_digits, word_list

How = Literal["exact", "alias", "normalised", "partial"]

_AFFIXES, _PARTICLES, _SERIES, _INSTITUTIONS = map(word_list, ("affixes", "particles", "series", "institutions"))
_NICKNAMES = {short: full for full, row in word_list("nicknames").items() for short in row}
_NOT_GIVEN = frozenset([*COMMON, *HONORIFICS, *ARTICLES])
"""Words with a capital before a surname that are no given names."""
_SUBTITLE = re.compile(r"\s*(?::|;|\s[-–—]\s|\()\s*|,\s+or,?\s+", re.IGNORECASE)
_SUBTITLE_SIGNS = frozenset(":;(,-–—")
_INVERTED = re.compile(r"\A([^,]+), ([^,]+)\Z")
_CONTINUED = re.compile(r"[\"'”’*]*\s?(?::|[-–—]\s)\s?[^\W_]")
_IN_TWO_LETTERS = str.maketrans(
    {"ø": "oe", "Ø": "Oe", "ö": "oe", "Ö": "Oe", "ü": "ue", "Ü": "Ue", "ä": "ae", "Ä": "Ae", "å": "aa", "Å": "Aa"}
)
_OF_TWO_LETTERS = frozenset(map(chr, _IN_TWO_LETTERS))
_LONG = 6
"""From this length on a word may differ in a letter, and a single word is a main title."""


class Mention(NamedTuple):
    """The words from `first` up to `last` name the entity, in this way."""

    first: int
    last: int
    how: How


class Name:
    """An entity's name, cut up for matching.

    `whole` are its words, without a leading article, `others` those of its other names (aliases, and a person's names in the
    other order); `line`, `other_lines` and `surname_line` are the whole, these, and the surname's last word as a text's line
    has them. `given` and `surname` are empty where it is no person's name.

    `letters` are its short forms in capitals that are function words otherwise ("IT"). `everyday`: it is made of function words
    ("The Who"). `ends_in_surname`: its last word is that of a surname, if it has one (it is not inverted, and has no title
    behind it). `only_reordered`: the other names have no other words; with a title behind it ("Ann Lowe PhD") the other order
    has, for it is left out there.
    """

    def __init__(self, value: str, aliases: Sequence[str] = ()) -> None:
        """Cut up a name and its aliases; `Name.of` keeps what it has cut."""
        self._value = value
        odd = [known for known in (value, *aliases) if not (known.isascii() or _OF_TWO_LETTERS.isdisjoint(known))]
        aliases = [*aliases, *[known.translate(_IN_TWO_LETTERS) for known in odd]]
        self.whole = _without_article(phrase_once(value))
        inverted = _INVERTED.match(value.strip()) if ", " in value else None
        upright = phrase_once(f"{inverted[2]} {inverted[1]}") if inverted else []  # "Moss, Ada" in the other order
        self.given, self.surname = _given_and_surname(upright or self.whole)
        self.ends_in_surname = not upright and self.whole != [] and self.whole[-1] not in HONORIFICS
        self.only_reordered = self.ends_in_surname and not aliases
        others = [*[_without_article(phrase_once(alias)) for alias in aliases], upright]
        if self.given and not upright and len(self.given[0]) > 1:
            others.append([*self.surname, *self.given])
        self.others = [other for other in others if other]
        self.everyday = EVERYDAY.issuperset(self.whole)
        self.letters = frozenset(word for known in (value, *aliases) if known.isupper() and (word := known.lower()) in EVERYDAY)
        self.line = _line(self.whole)
        self.other_lines = [_line(other) for other in self.others]
        self.surname_line = f" {self.surname[-1]} " if self.surname else ""

    @staticmethod
    @functools.lru_cache(maxsize=65536)
    def of(value: str, aliases: tuple[str, ...] = ()) -> Name:
        """Cut up a name and its aliases."""
        return Name(value, aliases)

    @lazy
    def form(self) -> Form:
        """The name itself, for other spellings."""
        return Form(self.whole)

    @lazy
    def forms(self) -> list[Form]:
        """The name and its other names, for other spellings."""
        return [self.form, *[Form(words) for words in self.others]]

    @lazy
    def titles(self) -> list[list[str]]:
        """The words of the main title, where there is a subtitle too."""
        return [] if _SUBTITLE_SIGNS.isdisjoint(self._value) else _main_titles(self._value)

    @property
    def initialled(self) -> bool:
        """Whether the name's first part is an initial ("Z. Ibrahimović")."""
        return bool(self.given) and all(len(part) <= 3 for part in self.given) and len(self.given[0]) < 2


def _line(words: Sequence[str]) -> str:
    return f" {' '.join(words)} "


def _without_article(name: list[str]) -> list[str]:
    """Drop a leading article, unless only function words are left ("the who")."""
    return name[1:] if name[0:1] and name[0] in ARTICLES and set(name[1:]) - EVERYDAY else name


def _main_titles(value: str) -> list[list[str]]:
    """Return a title without its subtitle, where what is left is a title of some length."""
    main = _SUBTITLE.split(value.strip())[0]
    words = phrase(main) if main != value.strip() else []
    title = _without_article(words) if len(words) > 1 or len(main) >= _LONG else []
    return [title] if title else []


def _given_and_surname(parts: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Cut a person's name into given names and surname; particles ("van", "de") belong to the surname."""
    if len(parts) > 2 and not HONORIFICS.isdisjoint(parts):
        untitled = [part for part in parts if part not in HONORIFICS]
        parts = untitled if len(untitled) > 1 else parts
    # A function word or a number makes it a title or a place, but for a first initial ("A. Moss" is not "a moss").
    if not 2 <= len(parts) <= 5:
        return (), ()
    telling = parts[len(parts[0]) == 1 :]
    if not COMMON.isdisjoint(telling) or [part for part in telling if part[0].isdigit()]:
        return (), ()
    if not _INSTITUTIONS.isdisjoint(parts[1:]):  # "University", of "Yale University", is nobody's surname
        return (), ()
    at = 1
    if len(parts) > 2 and len(parts[0]) > 1:
        at = next((n for n, part in enumerate(parts[1:], 1) if part in _PARTICLES), len(parts) - 1)
    return tuple(parts[:at]), tuple(parts[at:])


def mentions(text: Text, name: Name) -> list[Mention]:
    """Find where a text names an entity, by the strictest rule that finds anything.

    >>> mentions(Text("He was Luka Modric."), Name.of("L. Modrić"))
    [Mention(first=2, last=4, how='normalised')]
    >>> mentions(Text("The Theory of Everything"), Name.of("Theo"))
    []
    """
    line = text.line
    whole = _in_whole(text, name) if name.line in line and name.whole else []
    surnamed = name.surname_line in line  # as every text is, where there is no surname
    # What is only reordered has the surname in it.
    if not whole and (surnamed or not name.only_reordered) and [other for other in name.other_lines if other in line]:
        whole = _in_a_row(text, name.others, "alias")
    if name.letters:
        whole = [
            m
            for m in whole
            if name.letters.isdisjoint(text.words[m.first : m.last])
            or text.original[slice(*text.span(m.first, m.last))].isupper()
        ]
    if whole:
        return whole
    loose = [*_by_surname(text, name)] if surnamed and name.surname_line else []
    loose = loose or ([*_by_title(text, name)] if name.titles else []) or _respelt(text, name)
    return loose and [
        m for m in loose if not _everyday(text, m.first, m.last) and not is_namesake(text, m.first, m.last, [name])
    ]


def _in_whole(text: Text, name: Name) -> list[Mention]:
    """Find where the words of a name stand in a row."""
    places = text.places(name.line, len(name.whole))
    if name.everyday:
        return _as_names(text, places, "exact")
    return [Mention(first, last, "exact") for first, last in places]


def is_namesake(text: Text, first: int, last: int, names: Sequence[Name]) -> bool:
    """Tell whether words name somebody else who shares a name with the one of these names.

    >>> names = [Name.of("Johann Strauss II")]
    >>> is_namesake(Text("Johann Strauss I"), 0, 2, names), is_namesake(Text("Johann Strauss"), 0, 2, names)
    (True, False)
    >>> is_namesake(Text("Ivan Chekhov"), 1, 2, [Name.of("Anton Chekhov"), Name.of("Chekhov")])
    True
    """
    follows = [word for word in text.words[last - 1 : last + 2] if word not in ARTICLES]
    said = next((_GENERATIONS[word] for word in follows if word in _GENERATIONS), None)
    forms = [words for name in names for words in (name.whole, *name.others)]
    wanted = {_GENERATIONS[words[-1]] for words in forms if words and words[-1] in _GENERATIONS}
    return (said is not None and bool(wanted) and said not in wanted) or _has_other_given(text, first, last, names)


def _has_other_given(text: Text, first: int, last: int, names: Sequence[Name]) -> bool:
    """Tell whether a surname stands with given names that are not those of the preferred name, nor of another one in full."""
    preferred = names[0]
    if not preferred.given or text.words[last - 1] != preferred.surname[-1] or not _capital(text, last - 1):
        return False
    alone = last - first == 1
    if not alone and any(text.words[first:last] == words for name in names for words in (name.whole, *name.others)):
        return False
    if alone and not given_before(text, first) and _is_followed_by_given(text, last, preferred):
        return True
    given = given_before(text, first) if alone else text.words[first : last - len(preferred.surname)]
    given = [word for word in given if word not in HONORIFICS]
    if not given or any(tuple(given) == name.given for name in names) or one_slip(given[0], preferred.given[0]):
        return False
    return not same_given(given, preferred.given)


def _is_followed_by_given(text: Text, at: int, name: Name) -> bool:
    """Tell whether another's given name stands behind a surname ("Kurosawa Kiyoshi", of Akira Kurosawa)."""
    if at >= len(text.words) or text.original[text.ends[at - 1] : text.starts[at]] != " " or not _capital(text, at):
        return False
    word = text.words[at]
    behind = text.original[text.starts[at] : text.ends[at]]
    return (
        word not in _NOT_GIVEN
        and word not in name.given
        and behind[1:].islower()
        and word.isalpha()
        and not same_given([word], name.given)
    )


_GENERATIONS = {word: number for number, row in enumerate(word_list("generations").values(), 1) for word in row}
"""Words behind a name that tell apart who bears it."""


def everywhere(text: Text, name: Name) -> list[Mention]:
    """Find all places where a text names an entity: by the strictest rule, and by the surname elsewhere.

    >>> everywhere(Text("Sam Mendes came. Mendes left."), Name.of("Sam Mendes"))
    [Mention(first=0, last=2, how='exact'), Mention(first=3, last=4, how='partial')]
    """
    strictest = mentions(text, name)
    if not strictest or strictest[0].how in ("normalised", "partial"):
        return strictest
    # Most often the surname, which is the last word where there is one, stands nowhere else.
    if strictest[0].how == "exact" and name.ends_in_surname and text.words.count(name.whole[-1]) == len(strictest):
        return strictest
    if not name.surname or (strictest[0].how == "exact" and text.words.count(name.surname[-1]) == len(strictest)):
        return strictest
    taken = {n for mention in strictest for n in range(mention.first, mention.last)}
    return sorted([*strictest, *(m for m in _by_surname(text, name) if taken.isdisjoint(range(m.first, m.last)))])


def _in_a_row(text: Text, names: Iterable[list[str]], how: How) -> list[Mention]:
    """Find where the words of one of these names stand in a row."""
    places: list[Span] = []
    for name in names:
        places += text.find(name)
    return _as_names(text, sorted(set(places)), how)


def _as_names(text: Text, places: list[Span], how: How) -> list[Mention]:
    """Return the mentions at these places, without function words in lower case."""
    return [Mention(first, last, how) for first, last in places if not _everyday(text, first, last)]


def _everyday(text: Text, first: int, last: int) -> bool:
    """Tell whether words that look like a name ("the who", "It") are function words: in lower case, or with a verb behind."""
    if not EVERYDAY.issuperset(text.words[first:last]):
        return False
    return text.words[last : last + 1] in _BEHIND_A_PRONOUN or not all(_capital(text, n) for n in range(first, last))


_BEHIND_A_PRONOUN = [
    [word] for word in ("is", "was", "has", "had", "will", "would", "may", "might", "must", "could", "does", "did", "took")
]


def _capital(text: Text, word: int) -> bool:
    return text.original[text.starts[word]].isupper()


def _by_title(text: Text, name: Name) -> Iterator[Mention]:
    """Find a title without its subtitle, unless another subtitle or a word for a series follows."""
    for mention in _in_a_row(text, name.titles, "normalised"):
        after = text.original[text.ends[mention.last - 1] :]
        if not _CONTINUED.match(after) and not _same_series(text, mention.last):
            yield mention


def _same_series(text: Text, at: int) -> bool:
    """Tell whether what follows makes a title that of a series or of another part ("Silver Harbour trilogy", "... 2")."""
    return any(word in _SERIES or (word.isdigit() and len(word) < 3) for word in text.words[at : at + 2])


def _by_surname(text: Text, name: Name) -> Iterator[Mention]:
    """Find a person by initials, without middle names, or by the surname alone."""
    if not name.surname_line or name.surname_line not in text.line:
        return
    others: bool | None = None  # looked for once, or many surnames would take their number squared
    for first, last in text.find([*name.surname]) or text.find([*name.surname[-1:]]):
        given = given_before(text, first) or _given_after(text, last, name)
        if given and same_given(given, name.given):
            inverted = text.words[last : last + 1] == given
            yield Mention(first - len(given) * (not inverted), last + inverted, "normalised")
        elif not given and _stands_alone(text, first, last):
            others = _somebody_else(text, name) if others is None else others
            if not others:
                yield Mention(first, last, "partial")


def _stands_alone(text: Text, first: int, last: int) -> bool:
    """Tell whether a surname is written as a name of its own, not as a part of a longer one."""
    if text.ends[last - 1] - text.starts[first] < 3 or not _capital(text, last - 1):
        return False
    follows = last < len(text.words) and _capital(text, last) and text.words[last] not in _NOT_GIVEN
    return not (follows and text.original[text.ends[last - 1] : text.starts[last]] in (" ", "-"))


def given_before(text: Text, at: int) -> list[str]:
    """Return the capitalised words right before a word: the given names that the text uses."""
    start = at
    while start > 0 and at - start < 4:
        initial, gap = text.original[text.starts[start - 1]], text.original[text.ends[start - 1] : text.starts[start]]
        if not initial.isupper() or gap.strip(" .-'’") or text.words[start - 1] in _NOT_GIVEN:
            break
        start -= 1
    return text.words[start:at]


def _given_after(text: Text, at: int, name: Name) -> list[str]:
    """Return the word after a surname where it is the given name ("Son Heung-min")."""
    if not name.initialled or at >= len(text.words) or not _capital(text, at) or text.words[at] in _NOT_GIVEN:
        return []
    gap = text.original[text.ends[at - 1] : text.starts[at]]
    return [text.words[at]] if gap in (" ", ", ") and text.words[at][0] == name.given[0] else []


def same_given(given: list[str], wanted: tuple[str, ...]) -> bool:
    """Tell whether given names may be one person's: the same, short for the other, or its initials.

    >>> same_given(["harry", "j"], ("harry",)), same_given(["zlatan"], ("z",)), same_given(["juan", "antonio"], ("ja",))
    (True, True, True)
    """
    first, other = given[0], wanted[0]
    several = len(given) > 1 and len(wanted) > 1 and given[1] not in wanted
    if several and _begin_alike(first, other) and not _begin_alike(given[1], wanted[1]):
        return False  # "George W." is not "George H. W.", nor "Santa Clara" "Santa Cruz"
    if first == other or first in wanted:
        return True
    if _NICKNAMES.get(first, first) == _NICKNAMES.get(other, other):
        return True
    # Initials, and forms cut short ("Will", "Chris"); two letters are initials of two names ("ja"), not a beginning.
    if min(len(first), len(other)) in (1, 3, 4, 5, 6) and (first.startswith(other) or other.startswith(first)):
        return True
    if first == "".join(part[0] for part in wanted) or other == "".join(part[0] for part in given):
        return True
    # "M. A. Moss", of Mary Moss: the initials of a name that is not given.
    return len(given) == len(wanted) == 1 and len(first) in (2, 3) and first[0] == other[0] and len(other) > _INITIALLED


def _begin_alike(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)


_INITIALLED = 3
"""A given name of more letters is no row of initials."""


def _somebody_else(text: Text, name: Name) -> bool:
    """Tell whether the text gives the surname to another person."""
    places = text.find(list(name.surname))
    given_names = [given_before(text, first) for first, _ in places]
    return any(given and not same_given(given, name.given) for given in given_names)


_AS_WRITTEN = frozenset(NUMERALS).union(_AFFIXES)
"""Words that may be written otherwise, or left out."""


class Spelling(NamedTuple):
    """A name for loose matching: the words that count, all in one, and its longest word with what stands around it.

    What has no such form is empty.
    """

    core: list[str]
    joined: str
    longest: str
    before: list[str]
    after: list[str]

    @classmethod
    def of(cls, name: list[str]) -> Spelling:
        """Cut up the words of a name."""
        core = name if _AS_WRITTEN.isdisjoint(name) else [word for word in in_digits(name) if word not in _AFFIXES] or name
        joined = "".join(name)
        # So few letters stand in too many other words by chance, unless figures are among them ("C22").
        short = len(joined) < 3 or (len(joined) < 5 and max(map(len, name)) > 1 and not _is_code(joined))
        longest = max(name, key=len, default="")
        at = name.index(longest) if longest else 0
        slips = len(longest) >= _LONG and not longest.isdigit()
        return cls(
            core if core != name and len("".join(core)) >= 4 and not _INSTITUTIONS.issuperset(core) else [],
            "" if short else joined,
            longest if slips else "",
            name[:at],
            name[at + 1 :],
        )


def _is_code(word: str) -> bool:
    """Tell whether a word is made of letters and figures."""
    return word.isalnum() and not word.isalpha() and not word.isdigit()


def _respelt(text: Text, name: Name) -> list[Mention]:
    """Find a name with other numerals, without a club's or firm's affixes, or with one letter's slip."""
    joined = text.joined
    if name.only_reordered and not name.form.may_stand_in(joined):
        return []
    for form in name.forms:
        if form.may_stand_in(joined) and (matches := _loosely(text, form.spelling)):
            return matches
    return []


class Form:
    """The words of a name in one order, and whether it is worth looking for other spellings of them in a text."""

    def __init__(self, words: Sequence[str]) -> None:
        """Take the words; what may stand in their place is looked up once."""
        self.words = list(words)

    @lazy
    def _flexible(self) -> bool:
        return not _AS_WRITTEN.isdisjoint(self.words)

    @lazy
    def spelling(self) -> Spelling:
        """The words for loose matching."""
        return Spelling.of(self.words)

    def may_stand_in(self, joined: str) -> bool:
        """Tell whether the words of a text, all in one, may hold the name in another spelling.

        All words must be there but one that has a slip, unless numerals or affixes are written otherwise. Most names are in
        no spelling in most texts; short answers take a quarter longer without this look.

        >>> Form(["steven", "spielberg"]).may_stand_in("stevenspielburg"), Form(["sam", "mendes"]).may_stand_in("jaws")
        (True, False)
        """
        slipped = False
        for word in self.words:
            if word not in joined:
                half = len(word) // 2  # one letter's slip leaves what is before the middle as it is, or what is behind
                if slipped or len(word) < _LONG or (word[:half] not in joined and word[half + 1 :] not in joined):
                    return self._flexible
                if len(word) < max(map(len, self.words)):
                    return self._flexible
                slipped = True
        return True


def _loosely(text: Text, name: Spelling) -> list[Mention]:
    """Find a name by its words that count, written in one, or with one letter's slip."""
    if name.core and all(word.isdigit() or word in text.line for word in name.core):
        words, core = in_digits(text.words), name.core
        places = [n for n in range(len(words) - len(core) + 1) if words[n : n + len(core)] == core]
        places = [n for n in places if not _goes_on(text, n + len(core), name)]
        if places:
            return [Mention(n, n + len(core), "normalised") for n in places]
    joined = [*_joined(text, name.joined)] if name.joined and name.joined in text.joined else []
    return [*joined, *_slipped(text, name)] if name.longest else joined


def _goes_on(text: Text, last: int, name: Spelling) -> bool:
    """Tell whether a name goes on otherwise behind the words that count: "Manchester United" is not Manchester City."""
    if last >= len(text.words) or text.original[text.ends[last - 1] : text.starts[last]] != " " or not _capital(text, last):
        return False
    return text.words[last] not in _AFFIXES | _NOT_GIVEN and text.words[last] not in name.joined


def _joined(text: Text, whole: str) -> Iterator[Mention]:
    """Find a name that is written in more or fewer words ("Spiderman", "Spider-Man")."""
    for first, word in enumerate(text.words):
        last = first + 1
        while len(word) < len(whole) and whole.startswith(word) and last < len(text.words):
            word, last = word + text.words[last], last + 1
        if word == whole:
            yield Mention(first, last, "normalised")


def _slipped(text: Text, name: Spelling) -> Iterator[Mention]:
    """Find a name with one letter's slip in one long word; the other words must stand as they are."""
    longest = name.longest
    if any(f" {word} " not in text.line for word in (*name.before, *name.after)):
        return
    size = len(longest)
    alike = {word for word in text.words if word[0] == longest[0] and -1 <= len(word) - size <= 1 and word.isalnum()}
    for word in sorted(alike - {longest}):
        if one_slip(word, longest):
            yield from (Mention(*place, "normalised") for place in text.find([*name.before, word, *name.after]))


def one_slip(one: str, other: str) -> bool:
    """Tell whether two words differ by one letter: another, one more, one less, or two swapped.

    >>> one_slip("spielburg", "spielberg"), one_slip("austria", "australia"), one_slip("kaftan", "kaftan")
    (True, False, False)
    """
    if one == other or abs(len(one) - len(other)) > 1:
        return False
    start = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, tail = one[start:], other[start:]
    if len(one) == len(other):
        return rest[1:] == tail[1:] or (rest[:2] == tail[1::-1] and rest[2:] == tail[2:])
    return rest[1:] == tail or rest == tail[1:]
