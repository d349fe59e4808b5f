"""How much of what a question asks a text says of each answer that it names, and which answers it only mentions.

| an answer is only mentioned where | like |
|---|---|
| it is handed to others, or expected | "You may come across 193 km", "One might think Paris" |
| what follows hands it to others or to something else | "193 km, or so the brochures say", "Paris. That is a common mistake." |
| it was left for another, where something happened | "She left Lund for Ulm and died there" |
| it says whose relative, successor or pupil another is | "Karl Ruud, the nephew of Agnes Tarrow" |

Of the others that one is the text's answer of which it says clearly more of what is asked: "In 1962 he visited Sweden; he won
the prize in 1963". What is said of an answer is what stands around it, up to the next one. Something else is said where another
number or ordinal stands ("the second woman"), another name ("the prize in Chemistry"), or what was so once. Where the question
has a verb for it ("Where did she *die*?"), only an answer counts of which it is said ("He worked in Rome. He *died* in Ulm").
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from itertools import compress, pairwise

from evaluators.verify.question import Question, steps_of
from evaluators.verify.reading.text import Sentence, Text, lazy, phrase
from evaluators.verify.reading.words import (
    ARTICLES,
    EVERYDAY,
    FIRST_FORMS,
    NUMERALS,
    any_pattern,
    content_stems,
    kin_stem,
    tells_doing,
    verb_stems,
    word_list,
)

WordRange = tuple[int, int]

_HANDED_BEFORE, _HANDED_AFTER = any_pattern("handed_before"), any_pattern("handed_after")
_RELATED = any_pattern("related")
_LEFT, _LEFT_FOR = re.compile(r"\b(?:left|from)\s\Z"), re.compile(r",?\s(?:for|to)\s[^.;:!?]{0,60}\b(?:where|there)\b")
_ATTRIBUTED = any_pattern("attributed")
_IN_FACT = re.compile(r"[^.;!?\n]{0,60}[.;]\s+(?:but |yet )?(?:in (?:fact|reality|truth)|actually)\b", re.IGNORECASE)
_STRONG = re.compile(r"[;:()]|\s[–—-]\s|—|[.!?]\s")
_WEAK = re.compile(r",?\s+(?:but|and|while|whereas|though|although|which|who|when|where)\b", re.IGNORECASE)
TOTAL = re.compile(r"[\s*]{1,3}(?:in (?:total|all)|altogether|overall)\b", re.IGNORECASE)
_THE_ONE = re.compile(
    r"\b(?:the|that|this) (?:city|town|village|place|country|year|date|day|person|man|woman) (?:is|was)\s+\Z", re.IGNORECASE
)
"""What leads from a clause to what is asked ("She died in Skåne. *The town was* Lund")."""
_PARTING = frozenset(",;:(")
_ASIDE = re.compile(r", wh(?:o|om|ose|ich|ere|en)\b[^,.;]*,")
_CLAUSE = re.compile(rf"{_STRONG.pattern}|,?\s+(?:but|and|while|whereas|though|although)\b", re.IGNORECASE)
_COMMA = re.compile(r",\s")
_PAST = frozenset(
    {
        "until",
        "till",
        "formerly",
        "previously",
        "former",
        "originally",
        "initially",
        "once",
        "used",
        "earlier",
        "previous",
        "prior",
    }
)
_PRONOUNS = frozenset(
    {"it", "this", "that", "he", "she", "they", "his", "her", "its", "their", "him", "them", "so", "one", "there", "here"}
)
_ORDINALS = frozenset(rank for patterns in word_list("choice_ordinals").values() for rank in patterns) - {"final", "bottom"}
_COUNTS = frozenset(word for word in NUMERALS if len(word) > 2 and word != "one" and not set(word) <= set("ivx")) | _ORDINALS
_FURTHER = (_ORDINALS - {"first", "1st", "last"}) | {"another", "other", "new"}
_FILLERS = frozenset(
    {
        "now",
        "today",
        "currently",
        "actually",
        "really",
        "simply",
        "answer",
        "yes",
        "think",
        "believe",
        "say",
        "guess",
        "since",
        "then",
        "probably",
        "exact",
        "precise",
        "precisely",
        "exactly",
        "specifically",
    }
)
_QUESTION_WORDS = word_list("question_words")
_RELATIVES = frozenset(word_list("relatives"))
_NAMELESS = EVERYDAY | frozenset(word_list("no_names")["words"])
_ROOT = 5
"""Words of kin that begin with so many letters alike are of one root."""
_BE = frozenset({"is", "are", "was", "were"})
_SOUGHT = any_pattern("sought")
_REACH = 120
"""So many characters before and behind an answer tell whose it is."""
_NAME = 0.25
"""What a word of the question that is written as a name counts, beside its other words."""
_YEAR = re.compile(r"(?:1\d|20)\d\d\Z")
_LONG_NUMBER = 3
"""A number of so many digits tells apart what it is the number of."""
_CLEARLY = 1
"""So much more is said of the answer that a text stands by."""


def is_mentioned(text: Text, place: WordRange, asked: Set[str] = frozenset()) -> bool:
    """Tell whether an answer is only mentioned: handed to others, or to say whose relative another is.

    Parameters: `asked` are the stems of what the question asks, which may be whose successor somebody is.

    >>> is_mentioned(Text("You may come across 193 km."), (4, 6)), is_mentioned(Text("It is 193 km long."), (2, 4))
    (True, False)
    """
    start, end = text.span(*place)
    sentence = text.sentences[text.sentence_of(place[0])]
    before, after = text.original[max(sentence.start, start - _REACH) : start], text.original[end : end + _REACH]
    if _HANDED_BEFORE.search(before) or _HANDED_AFTER.match(after) or (_LEFT.search(before) and _LEFT_FOR.match(after)):
        return True
    if _IN_FACT.match(after) and _ATTRIBUTED.search(before):
        return True
    return _RELATIVES.isdisjoint(asked) and _RELATED.search(before) is not None


class Support:
    """What a question asks, and how much of it a text says of each answer."""

    def __init__(self, text: Text, question: Question, accepted: Sequence[WordRange], others: Sequence[WordRange]) -> None:
        """Take up a text with the places of the accepted answers and of others in it."""
        self.text, self.others = text, others
        self.answers = sorted({*accepted, *others})
        asked = Text(question.text)
        written = [asked.original[asked.starts[n]].isupper() and n > 0 for n in range(len(asked.words))]
        units = set(content_stems(phrase(question.unit or "")))
        self.words = {
            stem
            for word, name in zip(asked.words, written, strict=True)
            if not name and word not in _QUESTION_WORDS and word not in EVERYDAY
            for stem in verb_stems([word])
        } - units
        self.names = {stem for word, name in zip(asked.words, written, strict=True) if name for stem in verb_stems([word])}
        self.names |= {stem for step in steps_of(question) for stem in verb_stems(phrase(step))}
        self.asked_verb = verb_of(asked) or ""
        self.verb = next(iter(verb_stems([self.asked_verb])), None) or None
        behind = asked.words.index(self.asked_verb) if self.verb else len(written)
        self.objects = set(verb_stems(compress(asked.words[behind:], written[behind:])))
        # Of how many it holds "600 are displayed" says nothing.
        self.kin = "" if "how" in asked.words else kin_stem(self.asked_verb)
        self.counts = _COUNTS.intersection(asked.words) | {word for word in asked.words if word.isdigit()}
        self.when = {year for lead, year in pairwise(asked.words) if lead == "in" and _YEAR.match(year)}
        self.is_past = not {"was", "were", "did", "had"}.isdisjoint(asked.words)

    def around(self, place: WordRange) -> WordRange:
        """Return the words that are said of an answer: around it, within its sentence, up to the next answer's."""
        sentence = self.text.sentences[self.text.sentence_of(place[0])]
        first, last = sentence.first, sentence.last
        inside = [other for other in self.answers if sentence.first <= other[0] < sentence.last]
        before = [cut for other in inside if other < place and (cut := self._cut(other, place)) is not None]
        behind = [cut for other in inside if other > place and (cut := self._cut(place, other)) is not None]
        first, last = max([first, *before[-1:]]), min([last, *behind[:1]])
        return min(first, place[0]), max(last, place[1])

    def _inside(self, place: WordRange) -> list[str]:
        """Return the words that are said of an answer, without its own."""
        first, last = self.around(place)
        return self.text.words[first : place[0]] + self.text.words[place[1] : last]

    def _cut(self, one: WordRange, other: WordRange) -> int | None:
        """Return the word at which what is said of one answer ends, and what is said of the next begins; null for none."""
        text = self.text
        start, end = text.ends[one[1] - 1], text.starts[other[0]]
        match = next((match for sign in (_STRONG, _WEAK, _COMMA) if (match := sign.search(text.original, start, end))), None)
        return text.word_at(match.start() + 1) if match else None

    def is_bare(self, place: WordRange) -> bool:
        """Tell whether an answer stands alone: nothing but everyday words in its clause."""
        text, (start, end) = self.text, self.text.span(*place)
        sentence = text.sentences[text.sentence_of(place[0])]
        if text.original[sentence.start : start].rstrip(" \"'(~")[-1:] in ("=", "≈", "→"):
            return True  # the result of a calculation
        if TOTAL.match(text.original, end) or _THE_ONE.search(text.original, sentence.start, start):
            return True
        *_, before = (sentence.start, *[cut.end() for cut in _CLAUSE.finditer(text.original, sentence.start, start)])
        cut = _CLAUSE.search(text.original, end, sentence.end)
        after = cut.start() if cut else sentence.end
        words = {*text.words[text.word_at(before) : place[0]], *text.words[place[1] : max(place[1], text.word_at(after))]}
        return all(word in EVERYDAY or word in _FILLERS for word in words)

    def of(self, place: WordRange) -> float:
        """Tell how much of what is asked is said of an answer; of one that is not accepted the subject must be the same."""
        first, last = self.around(place)
        inside = self._inside(place)
        stems = set(verb_stems(inside))
        past = not self.is_past and not _PAST.isdisjoint(inside)
        if place in self.others and past:
            return 0
        if self._of_another_number(inside):
            return 0  # "she approved 5583", where 5582 is asked for
        counts = _COUNTS.intersection(inside)
        if self.counts & _COUNTS and counts and not counts & self.counts:
            return 0  # "the second woman", where the first is asked for
        if any(one in _FURTHER and not self.words.isdisjoint(verb_stems([thing])) for one, thing in pairwise(inside)):
            return 0  # "a second school", where the school is asked about
        points = len(self.words & stems) + _NAME * len(self.names & stems) + len({c for c in self.counts if c in inside})
        points += self.verb in self.words - stems and self._verb(place) is not None
        points -= _CLEARLY * is_of_relative(self.text, (first, self._verb(place) or first), self.words)
        if _SOUGHT.search(self.text.original, *self.text.span(first, last)):
            return points + 2 * _CLEARLY
        if past and place not in self.others and any(count.isdigit() and count not in inside for count in self.counts):
            points -= 2 * _CLEARLY  # "taught by her in earlier terms", where that of 2023 is asked for
        defined = "the" in inside and not _BE.isdisjoint(inside)  # "Almaty is the capital"
        lead = self.text.words[first]
        goes_on = lead in _GOING_ON or self._is_verb(lead) or bool(_label(self.text, place))  # "... but married in Linz"
        defined = defined or (goes_on and self.does(place, in_other_words=True))
        if place in self.others and self.names and not self.names & stems and _PRONOUNS.isdisjoint(inside) and not defined:
            points -= _CLEARLY
        another = self._names_another(place, first, last)
        if place not in self.others:  # "the capital of Peru is", where that of Chile is asked for
            another = another and bool(self.names) and self.names.isdisjoint(stems)
            return points - _CLEARLY * another
        return points - _CLEARLY * another

    @lazy
    def literal(self) -> bool:
        """Whether the verb of the question is said of any answer; elsewhere words of its kin stand for it."""
        return any(map(self.does, self.answers))

    def does(self, place: WordRange, *, in_other_words: bool = False) -> bool:
        """Tell whether the verb of the question is said of an answer ("She *was born* in Ghent", where it is asked where).

        Parameters: `in_other_words` for words of its kin, too ("Her *birthplace* is Ghent").
        """
        text, at, inside = self.text, self._verb(place, in_other_words=in_other_words), self._inside(place)
        years = set(filter(_YEAR.match, inside)) if self.when else set()  # "she won it in 2013", where 2016 is asked for
        if at is None or (years and years.isdisjoint(self.when)) or (not self.is_past and not _PAST.isdisjoint(inside)):
            return False
        cleft = text.words[place[1] : place[1] + 1] in _CLEFT  # "Ulm is where he died"
        related = text.words[place[1] + 1 + cleft : at] + text.words[at : place[0]]
        return _RELATIVE.isdisjoint(related) and not is_of_relative(text, (self.around(place)[0], at), self.words)

    def _verb(self, place: WordRange, *, in_other_words: bool = False) -> int | None:
        """Return where the verb of the question stands beside an answer, or a word of its kin in the same clause."""
        words, around = self.text.words, range(*self.around(place))
        if not in_other_words:
            return next((n for n in around if self._is_verb(words[n])), None)
        return next((n for n in around if self._is_kin(words[n]) and self._in_clause(n, place)), None)

    def _in_clause(self, at: int, place: WordRange) -> bool:
        """Tell whether no colon parts a word from an answer that it does not label."""
        starts = self.text.starts
        between = self.text.original[slice(*sorted((starts[at], starts[place[0]])))]
        return ":" not in between or bool(_label(self.text, place))

    def _is_verb(self, word: str) -> bool:
        """Tell whether a word is the verb of the question, or of its root ("director" beside "directed")."""
        return verb_stems([word]) == [self.verb] or (word[:_ROOT] == self.asked_verb[:_ROOT] and self._is_kin(word))

    def _is_kin(self, word: str) -> bool:
        return (self.kin != "" and kin_stem(word) == self.kin) or verb_stems([word]) == [self.verb]

    def _of_another_number(self, inside: Sequence[str]) -> bool:
        """Tell whether words hold a number as long as one that the question names, and not that one."""
        asked = {count for count in self.counts if count.isdigit() and len(count) >= _LONG_NUMBER and not _YEAR.match(count)}
        told = {word for word in inside if word.isdigit() and not _YEAR.match(word) and word not in asked}
        return asked.isdisjoint(inside) and any(len(word) == len(count) for word in told for count in asked)

    def _names_another(self, place: WordRange, first: int, last: int) -> bool:
        """Tell whether another name stands beside an answer, which the question has not ("the prize in Chemistry in 1954")."""
        text = self.text
        taken = {n for each in self.answers for n in range(*each)}
        for n in range(first, last):
            if n in taken or n == text.sentences[text.sentence_of(n)].first or text.words[n] in _NAMELESS:
                continue
            foreign = (self.names | self.words).isdisjoint(verb_stems([text.words[n]]))
            between = _ASIDE.sub("", text.original[slice(*sorted((text.starts[n], text.starts[place[0]])))])
            if foreign and text.original[text.starts[n]].isupper() and _PARTING.isdisjoint(between):
                return True
        return False

    def displacing(self, standing: Sequence[WordRange]) -> WordRange | None:
        """Return the answer that the text stands by instead of the accepted ones; null where it stands by one of these."""
        others = [place for place in self.others if not is_mentioned(self.text, place, self.words)]
        plain = [place for place in standing if not is_mentioned(self.text, place, self.words)]
        best = max(map(self.of, plain or standing))
        if not plain:
            return next((o for o in others if self.is_bare(o) or self.of(o) >= best), None)
        if not self.words or any(self.is_bare(place) and not self._does_another(place) for place in plain):
            return None
        doing = self._doing()
        if doing:
            others = [o for o in others if o in doing]
            if doing.isdisjoint(plain) and (self.literal or all(map(self._does_otherwise, plain))):
                said = _CLEARLY if self.literal else 0  # the verb itself
                return next((o for o in others if self.of(o) >= said and not self._goes_on_to(o, plain)), None)
        return next((o for o in others if self.of(o) >= max(1, best + _CLEARLY)), None)

    def _goes_on_to(self, other: WordRange, standing: Sequence[WordRange]) -> bool:
        """Tell whether the verb beside another answer stands for the accepted one, too, of which more is said.

        So it is in "Version 2 was released in May, version 3 in June", and in "She won the Ulm Prize in 1954 and the Ulm Peace
        Prize in 1962" of the latter.
        """
        text, said = self.text, self._inside(other)
        for place in standing:
            beside = self._inside(place)
            follows = place > other and text.sentence_of(place[0]) == text.sentence_of(other[0])
            objects = self.objects.intersection(verb_stems(beside)) if follows else set()
            if not self.counts.intersection(beside).issubset(said) or not objects.issubset(verb_stems(said)):
                return True
        return False

    def _doing(self) -> set[WordRange]:
        """Return the answers of which the verb of the question is said, or, where it is of none, words of its kin."""
        if self.verb is None:
            return set()
        return {answer for answer in self.answers if self.does(answer, in_other_words=not self.literal)}

    def _does_otherwise(self, place: WordRange) -> bool:
        """Tell whether something else than the question asks of is said of an answer ("She *taught* in Lund", "Born: Lund")."""
        return self._does_another(place) or any(_is_form(word) or tells_doing(word) for word in self._inside(place))

    def _does_another(self, place: WordRange) -> bool:
        """Tell whether an answer is labelled as another's than one that has the verb for a label ("Born: Lund. Died: Ulm.")."""
        label = set(content_stems(_label(self.text, place)))
        if self.verb is None or not label or not label.isdisjoint(self.words | self.names):
            return False
        labels = [_label(self.text, answer) for answer in self.answers if answer != place]
        return not any(map(self._is_kin, label)) and any(self._is_kin(word) for words in labels for word in words)

    def agrees(self, other: WordRange, standing: Sequence[WordRange]) -> bool:
        """Tell whether another answer may displace the accepted ones that stand: no more is said of any of these."""
        best = max(map(self.of, standing))
        first, last = self.around(other)
        named = not self.names.isdisjoint(verb_stems(self.text.words[first:last]))
        more = self.of(other) >= best + (_CLEARLY / 2 if named else _CLEARLY) or (best <= 0 and self.of(other) > best)
        return more and not any(map(self.is_bare, standing)) and not is_mentioned(self.text, other, self.words)


def _label(text: Text, place: WordRange) -> list[str]:
    """Return the words that label the sentence of an answer."""
    return label_of(text, text.sentences[text.sentence_of(place[0])], place[0])


def label_of(text: Text, sentence: Sentence, before: int | None = None) -> list[str]:
    """Return the few words that begin a sentence and stand before a colon, as labels of lists and rows do.

    Parameters: `before` is a word behind the colon.

    >>> row = Text("Place of birth: Lund")
    >>> label_of(row, row.sentences[0])
    ['place', 'of', 'birth']
    """
    end = sentence.end if before is None else text.starts[before]
    colon = _LABELLED.match(text.original, sentence.start, end)
    return text.words[sentence.first : text.word_at(colon.end())] if colon else []


_LABELLED = re.compile(r"[^:;.!?,\n]{1,40}[:;]")


def is_of_relative(text: Text, lead: WordRange, asked: Set[str]) -> bool:
    """Tell whether the words that lead to a verb say that somebody else's relative or successor does what it says.

    Parameters: `asked` are stems of what the question asks, which may be of a relative itself.

    >>> is_of_relative(Text("Her sister died."), (0, 2), {"die"}), is_of_relative(Text("Her career ended."), (0, 2), set())
    (True, False)
    """
    words = text.words[slice(*lead)]
    if not _SUBJECTS.isdisjoint(words):
        return False
    return any(
        (word in _OWNERS or text.original[text.ends[n] - 2 : text.ends[n]] in ("'s", "’s"))
        and any(
            own.removesuffix("s") in _RELATIVES and asked.isdisjoint(verb_stems([own])) for own in text.words[n + 1 : n + 3]
        )
        for n, word in enumerate(words, lead[0])
    )


def verb_of(question: Text) -> str | None:
    """Return the verb with which a question says what it asks of its subject; null where it has no such verb.

    >>> verb_of(Text("Where did the author of Emma die?")), verb_of(Text("In which year was Emma written in Bath?"))
    ('die', 'written')
    >>> verb_of(Text("Which firm drew the map of Ghent?")), verb_of(Text("What is the capital of Peru?"))
    ('drew', None)
    """
    words = question.words
    small = [question.original[start].islower() for start in question.starts]
    first = next((n for n, word in enumerate(words) if word in _AUXILIARIES), None)
    if first is None or words[:1] == ["who"] != words[first - 1 : first]:  # "Who drew it?", "Which company made it?"
        verb = 1 if words[:1] == ["who"] else next((n for n in range(2, len(words)) if small[n] and _is_form(words[n])), 0)
        return words[verb] if 0 < verb < len(words) else None
    last = len(words) - 1
    while last > first and (not small[last] or words[last] in _BEFORE_NAME or words[last] in ARTICLES):
        last -= 1
    done = last > first and (words[first] in _DID or _is_form(words[last]))
    return words[last] if done else None


def _is_form(word: str) -> bool:
    """Tell whether a word is a form of a verb that tells what was done."""
    return word.endswith("ed") or word in FIRST_FORMS


_RELATIVE = frozenset({"where", "who", "whom", "whose", "which", "when"})
_CLEFT = (["is"], ["was"])
_GOING_ON = frozenset({"and", "but", "then"})
_OWNERS = frozenset({"his", "her", "its", "their"})
_SUBJECTS = frozenset({"he", "she", "it", "they"})
_DID = frozenset({"did", "do", "does"})
_AUXILIARIES = _DID | {"is", "are", "was", "were", "has", "have", "had"}
_BEFORE_NAME = frozenset({"in", "on", "at", "for", "from", "to", "with", "into", "by", "of"})


def support_of(text: Text, question: Question, accepted: Sequence[WordRange], others: Sequence[WordRange]) -> Support | None:
    """Weigh the answers of a text; null where it has only one, or nothing says of what kind that is."""
    return Support(text, question, accepted, others) if others and question.type is not None else None
