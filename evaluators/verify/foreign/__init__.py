"""The judge of answers in other languages than English, by rules: one for all tasks, on the word lists of each language.

What an answer declares ("Réponse finale : ...") or puts in place of what it takes back ("non, pardon ...") is judged alone.

| task | the text | ruling |
|---|---|---|
| all | is blank, echoes, knows nothing, declines | as in English (`empty`, `echo`, `repetition`, `unsure`, `refused`) |
| yes_no, probe | begins with yes or no, or calls something true or false | yes or no; any no makes a probe's answer no |
| yes_no of a premise | puts a true object in place of the one asked for, or denies that one; or states it | no; yes |
| choice | names an option by label, place or text, not denied | that one |
| open, context | has an accepted answer (name, number, date), not denied | correct |
| | has it as one of several ("X ou Y") | `several_answers` |
| | has another number, date or name of the asked kind | `wrong` |
| premise | denies the object, calls the question wrong, or names a true object instead | rejects |
| | names the object, or a date or number, and denies nothing | goes along |
| all | is anything else; is in a language without word lists and has no accepted answer | unscored: `language` |

A name counts as another one only where an accepted one could have been met: in the script of the text, and unlike in letters.
"""

from __future__ import annotations

from evaluators.verify import abstention
from evaluators.verify.foreign import choice, named, premise, yes_no
from evaluators.verify.foreign.part import Part
from evaluators.verify.question import Question
from evaluators.verify.reading.reply import Reply
from evaluators.verify.ruling import Ruling, unscored

_JUDGES = {
    "yes_no": yes_no.judge, "probe": yes_no.judge, "choice": choice.judge, "open": named.judge, "context": named.judge,
    "premise": premise.judge,
}  # fmt: skip
"""The rules of each task."""


def judge(reply: Reply, question: Question, language: str) -> Ruling:
    """Judge an answer in another language, of `languages.LANGUAGES` or `other`.

    >>> ask = Question("Where did Einstein die?", "open", ("Princeton", "プリンストン"))
    >>> said = {"de": "Das weiß ich leider nicht.", "ja": "彼はプリンストンで亡くなりました。", "other": "Zmarł w domu."}
    >>> [judge(Reply.of(text), ask, language)[:2] for language, text in said.items()]
    [('abstained', 'unsure'), ('correct', 'alias'), ('unscored', 'language')]
    """
    nothing = abstention.nothing_said(reply.text, question)
    if nothing:
        return unscored(nothing)
    part = Part(reply.text, question, language, reply.declared)
    ruling = _JUDGES[question.task](part)
    return ruling._replace(rationale=named.hops(part)) if question.rationale else ruling
