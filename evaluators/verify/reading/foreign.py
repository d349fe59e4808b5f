"""A text in another language than English, as clauses, and where it names something.

A clause ends at a sign, before a conjunction of the language's `cut`, and (Japanese, whose verbs stand last) after one; what a
conjunction such as "that" begins belongs to the clause before it, whose denial it shares. A clause with a word of `negation`
denies what it names.

A name is found, by the first of these that finds it

| how | so that |
|---|---|
| word for word, or as English names are (`names`: surnames, initials, slips) | "Ana García Soler" is met by "García Soler" |
| letter for letter, without blanks, where its script has none | "夏目漱石" is met in "作者は夏目漱石です" |
| with the endings of German, Dutch and Russian nouns | "Казань" is met by "в Казани", "Goethe" by "Goethes" |
| with the clitics of Arabic (wa-, fa-, bi-, li-, ka-, al-) | "القاهرة" is met by "بالقاهرة" |
| without a last vowel, a name of one word | "Bern" is met by "Berne", "Rome" by "Roma" |
| in Latin letters for Cyrillic ones, with one letter's slip | "Igor Stravinsky" is met by "Игорь Стравинский" |
| by the surname or the pen name, in Japanese, between signs and kana | "夏目漱石" is met by "漱石の代表作" |
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from evaluators.verify.reading.foreign_numbers import joins_numbers
from evaluators.verify.reading.lexicon import OTHER, Lexicon, fold_text, lexicon, list_of, marked_text
from evaluators.verify.reading.names import Name, everywhere, one_slip
from evaluators.verify.reading.text import Span, Text, lazy
from kg.patterns import late

_WORD = re.compile(r"[^\W_]+")
# A full stop behind a day ("5. Januar"), an initial or a short abbreviation ("1873 г.", "St. Helena") ends no sentence.
_ENDS = re.compile(
    r"(?<!\b\d)(?<!\b\d\d)(?<!\b[^\W\d_])(?<!\b(?:st|dr|nr|ca|mt|gr))[.](?=[\s\"'”’»)」』]|\Z)|(?<=[^\x00-\u0fff])[.!?]|[!?؟]|\n+"
)
_SIGNS = re.compile(r"[;:؛](?!\d)|,(?!\d)|،|\s[–—-]+\s|—|…|\.\.\.")
_LAST_VOWEL = re.compile(r"[aeio]\Z")
_BETWEEN = re.compile(r"[・·･=＝‧•\s]")
_HAN_KANA = late("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff]")
_HAN = late("[\u3400-\u4dbf\u4e00-\u9fff]")
_CYRILLIC, _ARABIC = re.compile("[\u0400-\u04ff]"), re.compile("[\u0620-\u06ff]")
_ELISION = re.compile(
    r"(?<![^\W_])(?:[ldnsjmtc]|qu|jusqu|lorsqu|puisqu|un|dell|all|nell|sull|dall|quell|quest|coll)['’](?=[^\W_])", re.IGNORECASE
)
_CASES = re.compile(rf"(?:{'|'.join(list_of('ru', 'endings'))})\Z")
_IN_LATIN: dict[str, str] = list_of("ru", "latin")
_GENITIVES = ("s", "es", "n", "en", "e")
_SPELLINGS = [
    (re.compile(pattern), to)
    for pattern, to in (
        ("shch|sch|tch", "sh"), ("zh|j(?=[aeou])", "z"), ("kh|ch(?=[aeiou])|x", "h"), ("ts|tz|cz", "c"), ("ck|q", "k"),
        ("ph", "f"), ("w", "v"), ("[iyj]+", "i"), ("(?<=[aeou])i(?=[aeou])", ""), ("i(?=[aou])", ""), (r"i+\Z", ""),
        (r"(.)\1", r"\1"),
    )
]  # fmt: skip
"""How transliterations differ, brought to one form."""
_BESIDE = 20
"""Characters beside an "and" among which words for numbers are looked for."""
_NAME_WORDS = 3
"""A name has no more words."""
_LONG = 6
"""From so many letters on a transliterated word may differ in one, and a title of one word is met without its article."""


class Clause(NamedTuple):
    """The characters from `start` up to `end` of the folded text, its sentence (by index), and whether it denies."""

    start: int
    end: int
    sentence: int
    denied: bool


class ForeignText:
    """A text of another language, folded.

    >>> text = ForeignText("Il n'est pas né à Paris, mais à Lyon.", "fr")
    >>> [(text.low[c.start : c.end], c.denied) for c in text.clauses]
    [('il n est pas ne a paris,', True), ('mais a lyon.', False)]
    >>> [(text.original[slice(*span)], text.denies(span)) for span in text.find(("Paris",)) + text.find(("Lyon",))]
    [('Paris', True), ('Lyon', False)]
    """

    def __init__(self, original: str, language: str) -> None:
        """Fold a text of a language of `LANGUAGES`, or of another one (`other`)."""
        self.original, self.language = original, language
        self.low, self._places = fold_text(original)
        self.lexicon: Lexicon | None = None if language == OTHER else lexicon(language)

    def span(self, span: Span) -> Span:
        """Return the characters of the original that characters of the folded text stand for."""
        if self._places is None or span[0] >= span[1]:
            return span
        return self._places[span[0]], self._places[span[1] - 1] + 1

    @lazy
    def marked(self) -> str:
        """The folded text with the marks of Latin letters."""
        return marked_text(self.original)

    @lazy
    def words(self) -> list[tuple[str, int, int]]:
        """The words between blanks and signs, with their characters in the folded text."""
        return [(word[0], *word.span()) for word in _WORD.finditer(self.low)]

    @lazy
    def clauses(self) -> list[Clause]:
        """The clauses, in order."""
        low = self.low
        ends = [0, *(end.end() for end in _ENDS.finditer(low)), len(low)]
        cuts = sorted({*ends, *self._cuts()})
        denials = self._denied
        sentences = sorted(set(ends))
        inside = [(a, b) for a, b in pairwise(cuts) if low[a:b].strip()] or [(0, len(low))]
        denied = [bisect_left(denials, b) > bisect_left(denials, a) for a, b in inside]
        for n in range(len(inside) - 1, 0, -1):
            denied[n - 1] = denied[n - 1] or (denied[n] and self._goes_on(inside[n - 1], inside[n], denials))
        return [Clause(a, b, bisect_right(sentences, a) - 1, no) for (a, b), no in zip(inside, denied, strict=True)]

    def _goes_on(self, name: Span, clause: Span, denials: list[int]) -> bool:
        """Tell whether names before a denied clause are denied with its own ("Donau, Amazonas und Mekong fließen nicht")."""
        words = self.lexicon
        if words is None or not words.blanks or self.language == "ar":
            return False
        link = words.both.match(self.marked, name[0])
        before = _WORD.findall(self.low, link.end() if link else name[0], name[1])
        if not 0 < len(before) <= _NAME_WORDS or not words.function.isdisjoint(before):
            return False
        first = bisect_left(denials, clause[0])
        if first == len(denials) or denials[first] >= clause[1]:
            return True  # a name that goes on itself
        link = words.both.match(self.marked, clause[0])
        return link is not None and _WORD.search(self.low, link.end(), denials[first]) is not None

    def _cuts(self) -> Iterator[int]:
        words = self.lexicon
        for sign in _SIGNS.finditer(self.low):
            if not (words and words.that.match(self.marked, sign.end() + (self.low[sign.end() : sign.end() + 1] == " "))):
                yield sign.end()
        if words:
            # Japanese says "but" and "not" where a clause ends.
            for cut in words.cut.finditer(self.marked):
                before, after = self.low[max(0, cut.start() - _BESIDE) : cut.start()], self.low[cut.end() : cut.end() + _BESIDE]
                if not (words.both.fullmatch(cut[0]) and joins_numbers(before, after, self.language)):
                    yield cut.end() if self.language == "ja" else cut.start()

    def _denials(self) -> list[int]:
        words = self.lexicon
        if words is None:
            return []
        idle = [match.span() for match in words.not_negation.finditer(self.marked)]
        starts = [start for start, _ in idle]
        found = [match.span() for match in words.negation.finditer(self.marked)]
        before = [idle[n - 1] if (n := bisect_left(starts, end)) else (0, 0) for _, end in found]
        return [start for (start, _), (_, last) in zip(found, before, strict=True) if start >= last]

    def clause_of(self, at: int) -> Clause:
        """Return the clause that holds a character of the folded text."""
        return self.clauses[max(0, bisect_right(self._starts, at) - 1)]

    @lazy
    def _starts(self) -> list[int]:
        return [clause.start for clause in self.clauses]

    def denies(self, span: Span) -> bool:
        """Tell whether what stands there is denied: by a word of its clause."""
        return self.clause_of(self.folded(span)[0]).denied

    def denies_as(self, span: Span) -> bool:
        """Tell whether what stands there is what is denied: behind a denial in its clause, in Japanese before one."""
        at = self.folded(span)[0]
        clause = self.clause_of(at)
        before = bisect_left(self._denied, at) > bisect_left(self._denied, clause.start)
        return clause.denied and (before or self.language == "ja")

    @lazy
    def _denied(self) -> list[int]:
        return self._denials()

    def folded(self, span: Span) -> Span:
        """Return the characters of the folded text that stand for characters of the original."""
        if self._places is None:
            return span
        return bisect_right(self._places, span[0] - 1), bisect_right(self._places, span[1] - 1)

    # Names.

    def find(self, names: Iterable[str]) -> list[Span]:
        """Return where the text names something by one of its names, as characters of the original, in order."""
        forms = [form for name in names if name.strip() for form in self._forms(name)]
        found = self._word_for_word(forms)
        for name in forms:
            found |= {self.span(span) for span in self._otherwise(name)}
        places = sorted(found, key=lambda span: (span[0], -span[1]))
        kept: list[Span] = []
        for span in places:  # a part of a longer name is no name of its own
            if not kept or span[0] >= kept[-1][1]:
                kept.append(span)
        return kept

    def _forms(self, name: str) -> Iterator[str]:
        """Yield a name, and a title without its article, which its sentence may change ("des Dents de la mer")."""
        yield name
        words = name.replace("’", "'").replace("'", " ").split()
        if self.lexicon and len(words) > 1 and fold_text(words[0])[0] in self.lexicon.articles:
            rest = " ".join(words[1:])
            if len(words) > 2 or len(rest) >= _LONG:
                yield rest

    @lazy
    def _read(self) -> Text:
        return Text(_unelided(self.original))

    def _word_for_word(self, names: list[str]) -> set[Span]:
        if not names:
            return set()
        read = self._read
        found = everywhere(read, Name.of(_unelided(names[0]), tuple([_unelided(name) for name in names[1:]])))
        return {read.span(mention.first, mention.last) for mention in found}

    def _otherwise(self, name: str) -> Iterator[Span]:
        folded = fold_text(name)[0]
        if _HAN_KANA.search(folded):
            yield from self._without_blanks(folded)
            return
        wanted = _WORD.findall(folded)
        if self.language in ("zh", "ja"):
            yield from self._among_han(wanted)
        elif wanted and len("".join(wanted)) > 2:
            yield from self._inflected(wanted)
            if Name.of(_unelided(name)).surname and len(wanted[-1]) > 3:
                yield from self._surname(wanted[-1])
            if len(wanted) == 1 and wanted[0].isascii() and len(wanted[0]) > 3:
                yield from self._without_last_vowel(wanted[0])

    def _without_last_vowel(self, wanted: str) -> Iterator[Span]:
        """Find a name of one word, a place's as a rule, with another last vowel."""
        stem = _LAST_VOWEL.sub("", wanted)
        for word in self.words:
            if len(stem) > 2 and word[0].startswith(stem) and _LAST_VOWEL.sub("", word[0]) == stem and self._capital(word):
                yield word[1], word[2]

    @lazy
    def _compact(self) -> tuple[str, list[int]]:
        """The letters and digits alone, and where each stands in the folded text."""
        places = [n for n, character in enumerate(self.low) if character.isalnum() or character == "ー"]
        return "".join([self.low[n] for n in places]), places

    def _without_blanks(self, folded: str) -> Iterator[Span]:
        """Find a name in Han letters or kana, letter for letter."""
        letters, places = self._compact
        wanted = "".join(c for c in folded if c.isalnum() or c == "ー")
        for at in _everywhere(letters, wanted if len(wanted) > 1 or letters == wanted else ""):
            end = at + len(wanted)
            before = _KATAKANA.match(wanted[0]) and _KATAKANA.search(letters[max(0, at - 1) : at])
            after = _KATAKANA.match(wanted[-1]) and _KATAKANA.search(letters[end : end + 1])
            if not before and not after:  # "アメリカ" is not in "アメリカン"
                yield places[at], places[end - 1] + 1
        parts = [part for part in _BETWEEN.split(folded) if part]
        if len(parts) > 1 and len(parts[-1]) > 1:
            yield from self._last_part(parts[-1])
        if self.language == "ja" and len(wanted) == 4 and all(_HAN.match(c) for c in wanted):
            yield from self._by_part(wanted)

    def _last_part(self, part: str) -> Iterator[Span]:
        """Find the last part of a foreign name ("フランツ・カフカ"), where no other part stands before it."""
        for at in _everywhere(self.low, part):
            before, after = self.low[max(0, at - 1) : at], self.low[at + len(part) : at + len(part) + 1]
            inside = _KATAKANA.match(part) and (_KATAKANA.match(before) or _KATAKANA.match(after))
            if not inside and (before.isspace() or not _BETWEEN.match(before)):
                yield at, at + len(part)

    def _by_part(self, wanted: str) -> Iterator[Span]:
        """Find a person by half of a name of four letters, which no other letter of Han stands beside."""
        for part in (wanted[:2], wanted[2:]):
            for at in _everywhere(self.low, part):
                beside = self.low[max(0, at - 1) : at] + self.low[at + 2 : at + 3]
                if not _HAN.search(beside):
                    yield at, at + 2

    def _among_han(self, wanted: list[str]) -> Iterator[Span]:
        """Find a name of Latin letters between Han letters and kana, which leave no blank."""
        pattern = r"[\W_]{0,3}".join(re.escape(word) for word in wanted)
        if len("".join(wanted)) > 1:
            yield from (m.span() for m in re.finditer(rf"(?<![a-z0-9]){pattern}(?![a-z0-9])", self.low))

    def _inflected(self, wanted: list[str]) -> Iterator[Span]:
        """Find the words of a name in a row, with other endings, clitics or letters."""
        words = self.words
        forms = {word for word, _, _ in words}
        alike = [{form for form in forms if self._alike(form, part)} for part in wanted]
        if not alike[-1]:
            return
        if all(alike):
            for n in range(len(words) - len(wanted) + 1):
                if all(words[n + k][0] in same for k, same in enumerate(alike)):
                    yield words[n][1], words[n + len(wanted) - 1][2]

    def _surname(self, wanted: str) -> Iterator[Span]:
        """Find a surname alone, in another form or behind a function word with a capital ("Niet Kafka").

        In Arabic, which has no capitals, only behind function words. All German nouns have one.
        """
        words = self.words
        for n, (word, start, end) in enumerate(words):
            if not self._alike(word, wanted):
                continue
            before = words[n - 1] if n and words[n - 1][2] + 1 == start else None
            functional = before is None or (self.lexicon is not None and before[0] in self.lexicon.function)
            functional = functional or (self.language == "ar" and before is not None and before[0].endswith("ها"))
            given = before is not None and not functional and (self.language == "ar" or self._capital(before))
            if functional or (word != wanted and (not given or self.language == "de")):
                yield start, end

    def _capital(self, word: tuple[str, int, int]) -> bool:
        return self.original[self.span((word[1], word[2]))[0]].isupper()

    def _alike(self, word: str, wanted: str) -> bool:
        """Tell whether a word of the text is a word of a name, in another form."""
        if word == wanted:
            return True
        if _CYRILLIC.match(word):
            if _CYRILLIC.match(wanted):
                stem = _CASES.sub("", wanted)
                return len(stem) > 2 and _CASES.sub("", word) == stem
            return wanted.isascii() and same_in_latin(word, wanted)
        if _ARABIC.match(word):
            return not bare_arabic(word).isdisjoint(bare_arabic(wanted))
        if self.language in ("de", "nl") and len(wanted) > 3 and word.startswith(wanted):
            return word[len(wanted) :] in _GENITIVES
        return False


def _everywhere(text: str, wanted: str) -> Iterator[int]:
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield at
        at = text.find(wanted, at + 1)


def _unelided(text: str) -> str:
    """Put a blank where an article or pronoun leaves its vowel out ("l'Aquila"); every character keeps its place.

    >>> _unelided("all'Aquila")
    'all Aquila'
    """
    return _ELISION.sub(lambda elided: elided[0][:-1] + " ", text) if "'" in text or "’" in text else text


def bare_arabic(word: str) -> set[str]:
    """Return an Arabic word without its clitics, in all ways that leave three letters.

    >>> sorted(bare_arabic("بالقاهره"))[-1] in bare_arabic("القاهره")
    True
    """
    forms = {word}
    for first in ("و", "ف"):
        forms |= {form[1:] for form in forms if form.startswith(first)}
    forms |= {"ال" + form[2:] for form in forms if form.startswith("لل")}
    for preposition in ("ب", "ل", "ك"):
        forms |= {form[1:] for form in forms if form.startswith(preposition)}
    forms |= {form[2:] for form in forms if form.startswith("ال")}
    return {form for form in forms if len(form) > 2} | {word}


def same_in_latin(cyrillic: str, latin: str) -> bool:
    """Tell whether a Cyrillic word is one in Latin letters, with a Russian ending or without.

    >>> same_in_latin("стравинскии", "stravinsky"), same_in_latin("шостакович", "prokofiev")
    (True, False)
    """
    wanted = _spelt(latin)
    for form in {cyrillic, _CASES.sub("", cyrillic)}:
        written = _spelt("".join(_IN_LATIN.get(c, c) for c in form))
        if len(written) > 2 and (
            written in (wanted, wanted.removesuffix("e"))
            or (min(len(written), len(wanted)) >= _LONG and one_slip(written, wanted))
        ):
            return True
    return False


def _spelt(latin: str) -> str:
    for pattern, to in _SPELLINGS:
        latin = pattern.sub(to, latin)
    return latin
