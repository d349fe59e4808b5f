"""Where a text names an option of a choice, and how.

| kind | in the text |
|---|---|
| `label` | a number, letter or ordinal that can only be an option's: "option 2", "statement B", "(b)", "the third", "#2"; |
| | or what an option is about: "the claim about literature" |
| `mark` | a number or letter at the beginning of a line, or before a bracket: "2. ", "B) " |
| `text` | the option itself: its words, another form of a name, number or date, "none of these" |
| `part` | words that only one option has |
| `bare` | a number or letter that is an option's where a sentence says so: "The answer is 2" |

A label with the option's own words beside it is one mention. A mark before the words of another option numbers a list of the
text's own; it names nothing.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, pairwise
from typing import Literal, NamedTuple

from evaluators.verify.reading.names import Name, everywhere
from evaluators.verify.reading.text import Span, Text, lazy, phrase, read_text
from evaluators.verify.reading.values import Wanted, dates_like, numbers_like
from evaluators.verify.reading.words import EVERYDAY, NUMERALS, alternatives, any_pattern, stem, word_list
from kg.dates import compare_dates, find_dates

Kind = Literal["label", "mark", "text", "part", "bare"]
_RANK: dict[str, int] = {"label": 0, "text": 1, "mark": 2, "part": 3, "bare": 4}

NONE = 0
"""The number of "none of these" where no option says it."""


class Mention(NamedTuple):
    """Characters that name options (by their numbers), and how."""

    start: int
    end: int
    options: tuple[int, ...]
    kind: Kind


_NONE_OPTION, _UNKNOWN_OPTION = any_pattern("choice_none_options"), any_pattern("choice_unknown_options")
_ALL_OPTION = any_pattern("choice_all_options")
_STATEMENT_WORDS = 4
"""From so many words on an option may be a statement."""
_SIGNED = re.compile(r"[+#*%$€£°&]")
_SIGNS = {"+": "plus", "#": "sharp", "*": "star", "&": "and", "%": "percent", "$": "dollar", "€": "euro", "£": "pound"}
_SHARED = 5
"""So many first letters make two words forms of one ("publication", "published")."""
_IRREGULAR = {form: first for first, forms in word_list("irregular").items() for form in forms}
_NATIONS, _SYMBOLS = word_list("nations"), word_list("symbols")


_SENTENCE = re.compile(r"(?<=[.?!:;])\s+")
_NOT = frozenset({"not", "never", "cannot", "except"})


class Options:
    """The options of a question, cut up for matching; kept from answer to answer."""

    def __init__(self, texts: tuple[str, ...], question: str = "") -> None:
        """Cut up the options of a question; `Options.of` keeps what it has cut."""
        self.texts = texts
        self.stem = _stem(question, texts)
        self.none = self._special(_NONE_OPTION)
        self.unknown = self._special(_UNKNOWN_OPTION)
        special = {self.none, self.unknown, self._special(_ALL_OPTION)}
        self.regular = tuple([n for n in range(1, len(texts) + 1) if n not in special])

    @staticmethod
    @functools.lru_cache(maxsize=4096)
    def of(texts: tuple[str, ...], question: str = "") -> Options:
        """Cut up the options of a question."""
        return Options(texts, question)

    def _special(self, pattern: re.Pattern[str]) -> int | None:
        return next((n for n, option in enumerate(self.texts, 1) if pattern.search(option)), None)

    @lazy
    def phrases(self) -> list[list[str]]:
        """The words of each option."""
        return [phrase(option) for option in self.texts]

    @lazy
    def statements(self) -> bool:
        """Whether the options are statements, not names, numbers or dates."""
        regular = [self.texts[n - 1].strip() for n in self.regular]
        long = sum(len(option.split()) >= _STATEMENT_WORDS for option in regular)
        ended = all(option.endswith(".") and " " in option for option in regular)
        return bool(regular) and (ended or (2 * long > len(regular) and not any(map(find_dates, regular[:1]))))

    @lazy
    def own(self) -> list[frozenset[str]]:
        """The keys of the words that only this option has, and that the question has not."""
        keys = [meaning(words) if n in self.regular else set() for n, words in enumerate(self.phrases, 1)]
        shared = Counter(key for of_option in keys for key in of_option)
        return [frozenset(key for key in of_option if shared[key] == 1 and key not in self.asked) for of_option in keys]

    @lazy
    def by_key(self) -> dict[str, int]:
        """The option that alone has a word, by the word's key, and by that of the people of a country."""
        found = {own: number for number, keys in enumerate(self.own, 1) for own in keys}
        for number in () if self.statements else self.regular:
            words = self.phrases[number - 1]
            for other in (*_NATIONS.get(words[-1], ()), *(_forms(words[0]) if len(words) == 1 else ())) if words else ():
                found.setdefault(key_of(other), number)
        return found

    @lazy
    def sought(self) -> frozenset[str]:
        """The keys of the words of meaning of the question proper (not of what it tells before) that no option has."""
        asking = [sentence for sentence in _SENTENCE.split(self.stem) if sentence.rstrip().endswith("?")]
        return frozenset(meaning(phrase(asking[-1] if asking else self.stem)).difference(*map(meaning, self.phrases)))

    @lazy
    def asked(self) -> frozenset[str]:
        """The keys of the words of meaning of the question."""
        return frozenset(meaning(phrase(self.stem)))

    @lazy
    def names(self) -> frozenset[str]:
        """The keys of the words of the question that are written as names, without those of options."""
        words = re.findall(r"(?<=[a-z,\"'“‘(] )[\"'“‘(]*[A-Z][^\W_]+|[\"“‘'][A-Z][^\W_]+", self.stem)
        return frozenset(meaning(word for name in words for word in phrase(name)))

    @lazy
    def denied(self) -> frozenset[str]:
        """The keys of the words that the question denies ("Which is not a planet?")."""
        words = phrase(self.stem)
        at = next((n for n, word in enumerate(words) if word in _NOT or word.endswith("nt")), len(words))
        return frozenset(meaning(words[at + 1 :]))

    @lazy
    def acronyms(self) -> dict[str, int]:
        """The initials of options of several words ("UAE"), where only one option has them."""
        found: dict[str, list[int]] = {}
        for number in () if self.statements else self.regular:
            words = self.texts[number - 1].replace("-", " ").split()
            capitals = [word[0].lower() for word in words if word[0].isupper()]
            if len(capitals) > 1:
                found.setdefault("".join(capitals), []).append(number)
        return {initials: numbers[0] for initials, numbers in found.items() if len(numbers) == 1}

    def number(self, label: str) -> int | None:
        """Turn a number, a letter, a Roman numeral or a word for a number into an option's; null where there is no such option.

        >>> options = Options(("red", "blue"))
        >>> [options.number(label) for label in ("2", "b", "II", "two", "7")]
        [2, 2, 2, 2, None]
        """
        low = label.lower()
        if low.isdigit():
            number = int(low)
        elif len(low) == 1 and ord(low) - ord("a") < len(self.texts):
            number = ord(low) - ord("a") + 1
        else:
            number = NUMERALS.get(low, 0)
        return number if 1 <= number <= len(self.texts) else None


def _stem(question: str, texts: tuple[str, ...]) -> str:
    """Return a question without the options that it lists."""
    at = question.find(texts[0]) if texts and "\n" in question else -1
    return question[: question.rfind("\n", 0, at)] if at > 0 and "\n" in question[:at] else question


@functools.lru_cache(maxsize=65536)
def key_of(word: str) -> str:
    """Return what words share that may be forms of one: their first letters, of irregular verbs the first form.

    >>> key_of("publication") == key_of("published"), key_of("sang") == key_of("sung"), key_of("highest") == key_of("higher")
    (True, True, True)
    """
    word = _IRREGULAR.get(word, word)
    if len(word) > _SHARED - 1 and word[-1] == "s" and word[-2] not in "su":
        word = word[:-1]
    if len(word) == _SHARED and word.endswith("ed"):
        word = word[:-2]  # "ended"
    return stem(word.removesuffix("est") if len(word) > _SHARED + 1 else word)[:_SHARED]


def meaning(words: Iterable[str]) -> set[str]:
    """Return the keys of the words that carry meaning."""
    return {key_of(word) for word in words if word not in EVERYDAY and word not in NUMERALS}


# --- labels -----------------------------------------------------------------------------------------------------------
# All patterns are over small letters; whether a letter is a capital is looked up in the text.

_LABEL = (
    r"(?:(?P<number>\d{1,2})(?![\w%°]|[.,:]\d)|(?P<word>one|two|three|four|five|six|seven|eight|nine|ten)\b"
    r"|(?P<roman>i{1,3}|i?v|vi{1,3}|ix)(?![\w'])|(?P<letter>[a-z])(?![\w'&+]))"
)
_OPEN, _CLOSE = r"[\"'“‘(\[]*", r"[\"'”’)\]]*"
_AS_OPTION = re.compile(
    rf"(?<![^\W_])(?:(?P<option>{alternatives('choice_nouns')})|(?P<loose>{alternatives('choice_number_nouns')}))[ _]*"
    rf"(?:(?:number|no\.?|nr\.?|n°)(?![^\W\d_])|#)?[ ]*{_OPEN}{_LABEL}{_CLOSE}"
)
_ONE_MORE = re.compile(
    rf"\s*(?P<between>,\s*(?:and\s|or\s)?|\band\b|&|\bor\b|/|\bto\b|\bthrough\b|[-–—])\s*{_OPEN}{_LABEL}{_CLOSE}"
    r"(?=\s*(?:[,.;:!?)\n—–-]|\Z|[a-z]))"
)
_BRACKETED = re.compile(
    r"(?<![\w)-])(?:\((?P<a>\d{1,2}|[a-z])\)|\[(?P<b>[a-z]|\d{1,2})\]|(?P<c>\d{1,2}|[a-z])\)(?=\s|\Z|[\"'“]))"
)
_MARK = re.compile(
    r"(?:\A|\n)[ \t\"'“(\[]*(?:(?P<a>\d{1,2}|[a-z])(?:[.):\]]|\s+[-–—:]\s)(?!\d))"
    r"|(?<=[.;:,!?] )(?P<b>\d{1,2}|[a-z])(?::|\s[–—]\s)"
)
_ORDINALS = {int(number): "|".join(patterns) for number, patterns in word_list("choice_ordinals").items()}
_ORDINAL = re.compile(
    r"(?:(?<!\w)(?P<article>the)\s+)?(?:(?:option|statement|answer|choice)\s+)?\b(?:"
    + "|".join(f"(?P<o{number}>{patterns})" for number, patterns in _ORDINALS.items())
    + r")\b(?P<several>\s+(?:two|three|four|2|3|4)\b)?(?:\s+of\s+(?:the(?:se|m)?|those|all)\b)?"
    rf"(?P<noun>\s+(?:{alternatives('choice_nouns')}|one|answer|item|sentence|number|candidate)\b)?"
)
_FOLLOWER = re.compile(
    rf"\s*(?:\([^()\n]{{1,80}}\)\s*(?:[.,;:!?\n]|\Z)|[.,;:!?)\]\"'”=>—–\n✓✔✅☑❌✗✘✖✕-]|\Z|(?:{alternatives('choice_label_followers')})\b)"
)
_BARE = re.compile(
    r"(?<![\w.,$€£%°/+'&-])(?:(?P<number>\d{1,2})(?![\w%°/+]|[.,:]\d)|(?P<letter>[a-z])(?![\w'’&+#°-]|\.[a-z])"
    r"|(?P<roman>ii|iii|iv|vi)\b|(?P<word>two|three|four|five|six|one)\b)"
)
_SAID_BEFORE = re.compile(
    r"(?:\A|[\n:.=]|\b(?:is|are|be|was|choose|pick|say|select|with|answer|option|number|it's|for|and|or|not))[\s\"'(]*\Z"
)
_DECLARED_BEFORE = re.compile(r"(?:\A[\W_]*|\b(?:answer|choice|option|pick|letter)(?: is)?\s*[:=]?\s*[\"'(]*)\Z")
_THINGS = re.compile(rf"\b(?:{alternatives('choice_numbered_things')})\s+\Z")
_NONE_OF = re.compile(r"\b(?:is|are|was|were|has|have|had|with|of|say|says|said)\s+\Z")
_NEAR = 24
"""So many characters before a number say whether it is an option's."""


def _labels(text: str, low: str, options: Options) -> Iterator[Mention]:
    for match in _AS_OPTION.finditer(low):
        if _is_label(text, low, match):
            yield from _sequence(low, match, options)
    for match in chain(_BRACKETED.finditer(low), _MARK.finditer(low)):
        group = match.lastgroup or "a"
        number = options.number(match[group])
        if number and not (_is_initial(text, match.end(group), options) or _is_article(text, match.start(group), match.end())):
            surely = match.re is _BRACKETED and group == "a"
            yield Mention(match.start(group) - surely, match.end(), (number,), "label" if surely else "mark")
    for match in _ORDINAL.finditer(low):
        yield from _ordinal(text, low, match, options)


def _is_article(text: str, at: int, end: int) -> bool:
    """Tell whether an "a" or "I" before a dash is a word ("A – rather good – film")."""
    return text[at] in "aAI" and text[end - 1 : end].isspace()


_NOT_ARTICLE = re.compile(r"\s+(?!is\b|was\b|and\b|or\b|because\b|as\b|since\b|seems\b|has\b|isn|cannot\b|can't\b)[a-z']")


def _is_label(text: str, low: str, match: re.Match[str]) -> bool:
    """Tell whether what follows a noun is a label: not "a number 1 hit", "option a person has", "choice I made"."""
    letter, loose, bare = match["letter"], match["loose"], low[match.end() - 1].isalnum()
    if letter and bare and text[match.start("letter")] in "aAiI":
        return not _NOT_ARTICLE.match(low, match.end())
    if letter and bare and loose:
        return text[match.start("letter")].isupper()
    if loose and (match["roman"] == "i" or (match["word"] and not loose.startswith(("number", "answer")))):
        return False
    if loose and loose.startswith(("number", "no", "nr")):
        before = low[max(0, match.start() - _NEAR) : match.start()]
        return not (_THINGS.search(before) or (loose == "no" and _NONE_OF.search(before)))
    return not (match["roman"] and text[match.start("roman")].islower())


def _sequence(low: str, match: re.Match[str], options: Options) -> Iterator[Mention]:
    """Yield what follows a noun: one label, or several ("options 1, 2 and 4", "statements 1-3")."""
    number = options.number(_label_of(match))
    if number is None:
        return
    numbers, end = [number], match.end()
    while (match["option"] or match["loose"]).endswith("s") and (more := _ONE_MORE.match(low, end)):
        following = options.number(_label_of(more))
        if following is None:
            break
        spans = more["between"].strip() in ("to", "through", "-", "–", "—") and numbers[-1] < following
        numbers += range(numbers[-1] + 1, following + 1) if spans else (following,)
        end = more.end()
    yield Mention(match.start(), end, tuple(dict.fromkeys(numbers)), "label")


def _label_of(match: re.Match[str]) -> str:
    return next(match[name] for name in ("number", "word", "roman", "letter") if match[name])


def _ordinal(text: str, low: str, match: re.Match[str], options: Options) -> Iterator[Mention]:
    """Yield what an ordinal names, where an option's noun follows, or the article and no noun at all."""
    rank, own = next((rank, match[f"o{rank}"]) for rank in _ORDINALS if match[f"o{rank}"])
    if rank > len(options.texts) or (own in ("final", "bottom") and "answer" in (match["noun"] or "answer")):
        return
    alone = _FOLLOWER.match(low, match.end()) is not None
    if match["several"]:
        word = match["several"].strip()
        count = int(word) if word.isdigit() else NUMERALS[word]
        if rank in (0, 1) and count <= len(options.regular) and (match["noun"] or alone):
            yield Mention(*match.span(), options.regular[:count] if rank else options.regular[-count:], "label")
    elif match["noun"] or (alone and (_uncapitalised(text, match, rank) or _alone(low, match.span()))):
        yield Mention(*match.span(), (rank or len(options.texts),), "label")


def _uncapitalised(text: str, match: re.Match[str], rank: int) -> bool:
    """Tell whether an ordinal behind an article is no part of a title ("The Last Stand")."""
    return bool(match["article"]) and not text[match.start(f"o{rank}")].isupper()


def _alone(low: str, span: Span) -> bool:
    """Tell whether nothing else stands in a sentence or line."""
    before, after = low[max(0, span[0] - 3) : span[0]].strip(" \"'(*"), low[span[1] : span[1] + 3].strip(" \"')*")
    return before[-1:] in ("", ".", "\n", ":", "!", "?") and after[:1] in ("", ".", "\n", "!", ",", ":")


def _bare(text: str, low: str, options: Options) -> Iterator[Mention]:
    for match in _BARE.finditer(low):
        kind = match.lastgroup or "number"
        number = options.number(match[kind])
        if number is None or not _FOLLOWER.match(low, match.end()):
            continue
        before = low[max(0, match.start() - _NEAR) : match.start()]
        if kind == "letter" and not _is_letter(text, match.span(), before, options):
            continue
        if kind == "word" and not _SAID_BEFORE.search(before):
            continue
        if kind == "roman" and not (text[match.start() : match.end()].isupper() and _alone(low, match.span())):
            continue
        yield Mention(*match.span(), (number,), "bare")


_INITIAL = re.compile(r"\.\s?(?P<surname>[A-Z][^\W\d_]+)")
_AFTER_A = re.compile(
    r"\s*(?:[.,;:!)\]\"'\n✓✔✅☑❌✗✘✖✕]|\Z)"
    r"|\s+(?:is|isn't|was|and|or|because|since|as|has|can't|cannot|doesn't|holds|fails)\b"
)


def _is_letter(text: str, span: Span, before: str, options: Options) -> bool:
    """Tell whether a letter stands for an option: no initial, article or pronoun; a small one only where it is declared."""
    letter = text[span[0]]
    if letter.islower():
        return _DECLARED_BEFORE.search(before) is not None and _alone(text, (span[0], span[1]))
    if letter == "I" or _is_initial(text, span[1], options):
        return False
    return letter != "A" or _AFTER_A.match(text, span[1]) is not None


def _is_initial(text: str, end: int, options: Options) -> bool:
    """Tell whether a letter is somebody's initial: of whom the question names ("B. Dočkal"), or within a sentence."""
    name = _INITIAL.match(text, end) if text[end - 1].isalpha() else None
    if name is None:
        return False
    return name["surname"] in options.stem or not _SAID_BEFORE.search(text[max(0, end - _NEAR) : end - 1].lower())


# --- words ------------------------------------------------------------------------------------------------------------


def _worded(read: Text, options: Options) -> Iterator[Mention]:
    """Yield where options are named by their own words, or as a name, a number or a date in another form."""
    for number, words in enumerate(options.phrases, 1):
        option = options.texts[number - 1]
        signed = _SIGNED.search(option) is not None
        if signed or (len(words) == 1 and len(words[0]) < 3 and not words[0].isdigit()):
            places = [*_signed(read, option)]
        else:
            places = [at for at in read.find(words) if not _in_number(read, at)] if words else []
        if number in options.regular and options.statements:
            places += _tail(read, words)
        elif number in options.regular:
            places += _by_value(read, option, options) if any(c.isdigit() for c in option) else ()
            named = () if signed else _by_name(read, option, number, options)
            # Digits alone are a label, also where an option is called "third".
            places += [at for at in named if not all(word.isdigit() for word in read.words[slice(*at)])]
        for first, last in sorted(set(places)):
            yield Mention(*read.span(first, last), (number,), "text")
    for number in options.regular:
        for symbol in () if options.statements else _SYMBOLS.get(options.texts[number - 1].lower(), ()):
            for match in re.finditer(rf"(?<![\w$]){re.escape(symbol)}(?![\w$])", read.original):
                yield Mention(*match.span(), (number,), "text")
    for at, word in enumerate(read.words) if options.acronyms else ():
        if word in options.acronyms and read.original[slice(*read.span(at, at + 1))].replace(".", "").isupper():
            yield Mention(*read.span(at, at + 1), (options.acronyms[word],), "text")


def _signed(read: Text, option: str) -> Iterator[Span]:
    """Find a short option, or one with a sign, as it is written ("C++"), or with the sign in words ("C plus plus")."""
    short = len(phrase(option)) == 1 and len(phrase(option)[0]) < 3
    pattern = re.compile(rf"(?<![\w+#]){re.escape(option)}(?![\w+#])", 0 if short else re.IGNORECASE)
    for match in pattern.finditer(read.original):
        yield read.words_of(*match.span())
    spelled = phrase("".join(f" {_SIGNS[c]} " if c in _SIGNS else c for c in option))
    if spelled != phrase(option):
        yield from read.find(spelled)


_BEFORE_DIGITS, _AFTER_DIGITS = re.compile(r"\d[.,]\Z|[-−/]\Z"), re.compile(r"[.,]\d|/\d")


def _in_number(read: Text, at: Span) -> bool:
    """Tell whether digits belong to a longer number ("5" in "3.5" or "5,000")."""
    start, end = read.span(*at)
    original = read.original
    left = original[start : start + 1].isdigit() and _BEFORE_DIGITS.search(original[max(0, start - 2) : start])
    right = original[end - 1 : end].isdigit() and _AFTER_DIGITS.match(original[end : end + 2])
    return bool(left or right)


def _by_value(read: Text, option: str, options: Options) -> Iterator[Span]:
    """Find a number or a date in another form; a date that leaves the year out where only one option has that day."""
    wanted = Wanted(option, "number" if option.isdigit() else None)
    yield from numbers_like(read, wanted)
    yield from dates_like(read, Wanted(option))
    day = find_dates(option)
    for date in find_dates(read.original) if len(day) == 1 else ():
        if date.precision == "yearless" and compare_dates(day[0], date) == "coarser":
            others = [each for other in options.texts if other != option for each in find_dates(other)]
            if all(compare_dates(other, date) == "other" for other in others):
                yield read.words_of(date.start, date.end)


_PRONOUNS = frozenset(
    [
        "it",
        "he",
        "she",
        "they",
        "its",
        "his",
        "her",
        "their",
        "the",
        "this",
        "was",
        "is",
        "were",
        "are",
        "has",
        "had",
        "have",
        "in",
    ]
)


def _tail(read: Text, words: list[str]) -> list[Span]:
    """Find a statement without its pronoun and auxiliary ("made in Japan" for "It was made in Japan.")."""
    at = next((n for n, word in enumerate(words) if word not in _PRONOUNS and word not in EVERYDAY), len(words))
    return read.find(words[at:]) if at > 0 and len(words) - at > 1 else []


def _by_name(read: Text, option: str, number: int, options: Options) -> list[Span]:
    name = Name.of(option)
    others = {word for n, words in enumerate(options.phrases, 1) if n != number for word in words}
    return [(m.first, m.last) for m in everywhere(read, name) if m.how != "partial" or others.isdisjoint(name.surname)]


_NONE_SAID = re.compile(alternatives("choice_none_said"))
_ALL_SAID = re.compile(alternatives("choice_all_said"))
_BY_CONTENT = re.compile(alternatives("choice_by_content"))
# Most texts have none of these: a search for letters alone is quick.
_NEGATIVE = re.compile(r"none|neither|nothing|no one|not (?:one|any|listed|offered|given|included|among|in|on)|no [a-z]+ |n't ")
_UNIVERSAL = re.compile(r"all |both|each|every")
_EXCEPT = re.compile(
    r"[^.;!?\n]*?\b(?:except|but (?:for|not|the|number|option|statement|\d)|apart from|other than|save for"
    r"|with the exception)\b"
)
_CONTENT_END = re.compile(
    r"\s(?:is|are|was|were|must be|seems|would be)(?:n't| not)? (?:\w+ly |therefore |also )?(?:not )?(?:the |an? )?"
    rf"(?:{alternatives('choice_so')}|{alternatives('choice_not_so')}|{alternatives('choice_the_one')})\b"
    rf"|\s(?:{alternatives('choice_holds')}|{alternatives('choice_fails')}|cannot|can't|does not|doesn't|isn't)\b"
    r"|[.;:!?\n,)]|\s[–—-]\s"
)
_CONTENT = 160
"""So many characters say what a claim is about."""


def _said_of_all(low: str, options: Options) -> Iterator[Mention]:
    """Yield "none of them" and "all three statements"."""
    if _NEGATIVE.search(low):
        for match in _NONE_SAID.finditer(low):
            yield Mention(*match.span(), (options.none or NONE,), "text")
    for match in _ALL_SAID.finditer(low) if _UNIVERSAL.search(low) else ():
        if _EXCEPT.match(low, match.end(), match.end() + _CONTENT):
            continue
        count = match["count"] or ("two" if match[0].startswith("both") else "")  # null for "everything"
        many = int(count) if count.isdigit() else NUMERALS.get(count, len(options.regular))
        if many == len(options.regular):
            yield Mention(*match.span(), options.regular, "text")


def _by_content(low: str, options: Options) -> Iterator[Mention]:
    """Yield "the claim about literature": an option by what it is about."""
    for match in _BY_CONTENT.finditer(low):
        end = _CONTENT_END.search(low, match.end(), match.end() + _CONTENT)
        last = end.start() if end else min(len(low), match.end() + _CONTENT)
        number = about(low[match.end() : last], options)
        if number:
            yield Mention(match.start(), last, (number,), "label")


def about(text: str, options: Options) -> int | None:
    """Tell which option a few words are about: the only one with which they share words that no other has.

    >>> about("the date of publication", Options(("It was published in 1985.", "It was written in Spanish.")))
    1
    """
    keys = meaning(phrase(text))
    met = [len(keys & own) for own in options.own]
    best = max(met, default=0)
    return met.index(best) + 1 if best and met.count(best) == 1 else None


_SHORT_FORM = 4
"""So many letters has a name that is cut short ("Rafa")."""


def _parts(read: Text, options: Options) -> Iterator[Mention]:
    """Yield words that only one option has."""
    by_key = options.by_key
    for at, word in enumerate(read.words) if by_key else ():
        number = by_key.get(key_of(word))
        if number is None or word in EVERYDAY or word in NUMERALS:
            number = _short_form(read, at, by_key) if len(word) == _SHORT_FORM else None
        if number:
            whole = not options.statements and _is_whole(read, at, options, number)
            yield Mention(*read.span(at, at + 1), (number,), "text" if whole else "part")


def _forms(word: str) -> set[str]:
    """Return a word and what may be its plural."""
    return {word, f"{word}s", f"{word}es", f"{word[:-1]}ies"}


def _is_whole(read: Text, at: int, options: Options, number: int) -> bool:
    """Tell whether a word says all of an option: another form of its only word, or its only word that others have not."""
    words, word = options.phrases[number - 1], read.words[at]
    if len(words) == 1:
        return word in _forms(words[0]) or stem(word) == stem(words[0])
    if not read.original[read.starts[at]].isupper():
        return False
    if len(options.own[number - 1]) > 1:  # a surname that begins a sentence
        return (word,) == Name.of(options.texts[number - 1]).surname and read.sentences[read.sentence_of(at)].first == at
    after = read.original[read.ends[at] : read.ends[at] + 2].strip()
    goes_on = after[:1].isupper() and read.words[at + 1] not in EVERYDAY  # a part of somebody else's name
    return not goes_on or key_of(read.words[at + 1]) in options.asked


def _short_form(read: Text, at: int, by_key: dict[str, int]) -> int | None:
    """Return the option one of whose words begins with a word that is written as a name."""
    word = read.words[at]
    if not read.original[read.starts[at]].isupper() or word in EVERYDAY:
        return None
    found = {number for own, number in by_key.items() if own.startswith(word)}
    return found.pop() if len(found) == 1 else None


# --- all together -----------------------------------------------------------------------------------------------------

_MOST = 1500
"""So many mentions of one kind are looked at; nobody names more in earnest."""
_BESIDE = re.compile(
    r"[\s.:),;(\"'“”‘’=>–—-]*(?:(?:option|choice|answer|number|no\.|statement|i\.e\.|namely|that is),?\s*)?[\s(\"'“:]*\Z"
)
_HEAD = 4
"""So many characters at most stand between the mark of a list and the words that it numbers."""
_GAP = 14
"""So many characters at most stand between a label and the option's words."""


def small(text: str) -> str:
    """Write a text in small letters; every character keeps its place.

    >>> small("İ Ab")
    'İ ab'
    """
    low = text.lower()
    return low if len(low) == len(text) else "".join([c.lower() if len(c.lower()) == 1 else c for c in text])


def mentions(text: str, options: Options) -> list[Mention]:
    """Find where a text names options, in order; no two overlap.

    >>> hues = Options(("red", "blue"), "Which hue is it?")
    >>> [(m.options, m.kind) for m in mentions("Not the first (red), but option B.", hues)]
    [((1,), 'label'), ((2,), 'label')]
    """
    read, low = read_text(text), small(text)
    finders = [_labels(text, low, options), _worded(read, options), _said_of_all(low, options), _parts(read, options)]
    finders += [_bare(text, low, options), *([_by_content(low, options)] if options.statements else [])]
    found = [mention for finder in finders for mention in islice(finder, _MOST)]
    kept = _without_overlaps(found)
    return _joined(low, _own_numbering(low, kept), statements=options.statements)


def _without_overlaps(found: Sequence[Mention]) -> list[Mention]:
    """Keep of mentions that overlap the longer one, and of equal ones the surer one."""
    kept: list[Mention] = []
    for mention in sorted(found, key=lambda m: (m.start, m.start - m.end, _RANK[m.kind])):
        last = kept[-1] if kept else None
        if last is None or mention.start >= last.end:
            kept.append(mention)
        elif _stronger(mention, last):
            kept[-1] = mention
    return kept


def _stronger(mention: Mention, last: Mention) -> bool:
    if last.kind in ("part", "bare") and mention.kind not in ("part", "bare"):
        return True
    if (last.kind, mention.kind) == ("mark", "text"):
        return True  # where the options are numbers, "4." is one of them
    return mention.end - mention.start > last.end - last.start and _RANK[mention.kind] <= _RANK[last.kind]


def _joined(low: str, found: Sequence[Mention], *, statements: bool) -> list[Mention]:
    """Make one of a label and the option's own words beside it."""
    joined: list[Mention] = []
    for mention in found:
        last = joined[-1] if joined else None
        if last and _belong(low, last, mention):
            end = mention.end + (low[mention.end : mention.end + 1] == ")" and "(" in low[last.end : mention.start])
            joined[-1] = Mention(last.start, end, last.options, _joined_kind(last, mention, statements=statements))
        else:
            joined.append(mention)
    return joined


def _belong(low: str, last: Mention, mention: Mention) -> bool:
    """Tell whether one of two mentions of an option is its label, the other its words, and nothing stands between."""
    if last.options != mention.options or len(mention.options) > 1 or mention.start - last.end >= _GAP:
        return False
    if _side(last) == _side(mention) or {last.kind, mention.kind} == {"bare", "part"}:
        return False
    return _BESIDE.match(low[last.end : mention.start]) is not None


def _joined_kind(first: Mention, then: Mention, *, statements: bool) -> Kind:
    """Return the kind of a label with the option's words: a statement before its label ("he was born in Rome (1)") is made."""
    if _side(first) == "text" and statements:
        return "text"
    kind = then.kind if _side(first) == "text" else first.kind
    return "label" if kind == "bare" else kind


def _side(mention: Mention) -> str:
    return "text" if mention.kind in ("text", "part") else "label"


def _own_numbering(low: str, found: list[Mention]) -> list[Mention]:
    """Leave out the marks of a list of the text's own: one of them stands before the words of another option."""
    strange = any(
        mark.kind == "mark"
        and then.kind == "text"
        and mark.options != then.options
        and _BESIDE.match(low[mark.end : then.start])
        for mark, then in pairwise(found)
        if then.start - mark.end < _HEAD
    )
    return [mention for mention in found if not strange or mention.kind != "mark"]
