"""Main clauses: what is done to whose attacks."""

from __future__ import annotations

import re
from dataclasses import replace

from killcurve.rules.reader import choosing, givens
from killcurve.rules.reader.arms import arms
from killcurve.rules.reader.bearing import ACT_VERBS, words_bear
from killcurve.rules.reader.clauses import Kind, types
from killcurve.rules.reader.dice import add_to_dice, dice_of
from killcurve.rules.reader.grammar import head
from killcurve.rules.reader.heads import Head
from killcurve.rules.reader.making import made_of
from killcurve.rules.reader.places import ATTACKER, DEFENDER, Found, NotRead
from killcurve.rules.reader.placing import place_of
from killcurve.rules.reader.remembering import note_main
from killcurve.rules.reader.sides import OWN, side_of
from killcurve.rules.reader.tails import Around, Tail, is_small, tail
from killcurve.rules.reader.talk import Talk
from killcurve.rules.reader.vocabulary import wordset
from killcurve.rules.reader.words import Words, phrase


def act(talk: Talk, given: Words, sentence: str) -> None:
    """Read a main clause: its effects are kept; what bears on attacks and is not read is told."""
    given = _without_leave(given)
    if not given or _is_prepared(talk, given, sentence):
        return
    try:
        if _understand(talk, given, sentence):
            talk.acted = True
        elif _is_missed(given, sentence):
            talk.leave(given, sentence)
    except NotRead as reason:
        talk.keep(list(reason.found))
        talk.leave(given, sentence)
    note_main(talk, given, sentence)


def _is_missed(given: Words, sentence: str) -> bool:
    """Whether words that were not understood bear on attacks, and introduce no list."""
    said = phrase(given, sentence).rstrip(": ")
    introduces = sentence.endswith(":") and sentence.rstrip(": ").endswith(said)
    only_chooses = given[0].type in ("SELECT", "MORTAL") or set(types(given)) <= {"WORD"}
    orders = given[0].type in _ORDERS and bool(set(types(given[:7])) & _OF_ATTACKS)
    return (words_bear(given) or orders) and not introduces and not only_chooses


_ORDERS = wordset("ADD ADDING SUBTRACT SUBTRACTING IMPROVE WORSEN CHANGE HALVE RE_ROLL")
_OF_ATTACKS = wordset("HIT WOUND ATTACK STRENGTH NUMBER_OF_ATTACKS")


def _is_prepared(talk: Talk, given: Words, sentence: str) -> bool:
    """Whether a clause only prepares an effect: dice are rolled, weapons or abilities chosen."""
    kinds = types(given)
    if kinds[0] == "SELECT":
        if "EQUIPPED_BY" in kinds:
            talk.arms = arms(given[1:], sentence)
        if "CHARACTERISTIC" in kinds and (found := head(given)) is not None:
            talk.chosen = found[0]
            return True
        if choosing.selects_all(talk, given) or choosing.offers_abilities(talk, given, sentence):
            return True
    if choosing.have_the_selected(talk, given, sentence):
        return True
    if kinds[0] == "ROLLING":
        _roll(talk, given, sentence)
        return True
    if _SNAP.search(phrase(given, sentence)):
        talk.keep([Found("snap shooting", ATTACKER, ranged="ranged")])
        return True
    return _adds(talk, given, sentence) or choosing.lists_only_abilities(talk, given)


def _roll(talk: Talk, given: Words, sentence: str) -> None:
    """Note the dice of ``roll one D6``; those rolled instead stand beside those before."""
    kinds = types(given)
    if talk.dice is not None and talk.dice.equal_to and "ADDITIONAL" in kinds:
        return
    rolled = dice_of(given, per_model=talk.counted == "model")
    if talk.dice is None or "INSTEAD" not in kinds or talk.result is not None:
        talk.dice = rolled
        return
    conditions = talk.conditions
    if "IF" in kinds:
        conditions = tuple(_tail(talk, given[kinds.index("IF") :], sentence).conditions)
    else:
        talk.opened = [o for o in talk.opened if o.kind is not Kind.CONDITION]
    talk.dice = replace(talk.dice, others=(*talk.dice.others, (rolled, conditions)))


_SNAP = re.compile(r"\b(?:shoots? using snap shooting|can snap shoot)\b", re.I)


def _adds(talk: Talk, given: Words, sentence: str) -> bool:
    """``adding 1 to the result if …``: whether a clause speaks of the dice that were rolled."""
    if talk.dice is None or given[0].type not in ("ADDING", "SUBTRACTING", "ADD", "SUBTRACT"):
        return False
    found = head(given)
    if found is None or not (found[0].amount or "").isdigit():
        return False
    done, used = found
    if any(name.what not in ("result", "roll", "other") for name in done.names):
        return False
    own = talk.dice.per_model and "MODEL" in types(given)
    rest = _tail(talk, given[used:], sentence, OWN if own else talk.that)
    if rest.scaled:
        talk.leave(given, sentence)
    else:
        by = int(done.amount or 0) * (1 if given[0].type.startswith("ADD") else -1)
        talk.dice = add_to_dice(talk.dice, by, tuple(rest.conditions))
    return True


def _tail(talk: Talk, given: Words, sentence: str, referent: str | None = None) -> Tail:
    around = Around(sentence, talk.is_attacked, talk.is_stratagem, referent, talk.it)
    return tail(given, around)


def _understand(talk: Talk, given: Words, sentence: str) -> bool:
    """Whether a clause is understood; its effects are kept.

    Raises:
        NotRead: if it is, and the effect language has no phrase for it.
    """
    if _fights_destroyed(talk, given):
        return True
    given = _active(given)
    at = _verb(given)
    if at is None or (at > 0 and given[at - 1].type in ("CANNOT", "NOT", "NO")):
        _note_subject(talk, given, at)
        return at is not None and _without_cover(talk, given, at)
    verb = given[at:]
    if verb[0].type == "TO":  # "which is improved to Feel No Pain 5+"
        verb = (verb[0]._replace(type="HAVE"), *verb[1:])
    found = head(verb, "passive" if verb[0].type in _CHARACTERISTICS else "effect")
    if found is None:
        return False
    done, used = found
    any_roll = done.act == "rerolled" and {n.what for n in done.names} == {"roll"}
    if any_roll and "MORTAL" in types(verb[used:]):
        raise NotRead("dice of mortal wounds")
    more, used = _joined(verb, done, used)
    subject = _subject(talk, given, at)
    rest = _tail(talk, verb[used:], sentence)
    _keep(talk, _with_names(talk, done), more, subject, rest, sentence)
    return True


def _active(given: Words) -> Words:
    """``D3 models can be returned`` as ``return D3 models``."""
    kinds = types(given)
    for i in range(1, len(kinds) - 2):
        if kinds[i : i + 3] == ["CAN", "BE", "RETURN"] and not ACT_VERBS & set(kinds[:i]):
            return (given[i + 2], *given[:i], *given[i + 3 :])
    return given


def _note_subject(talk: Talk, given: Words, at: int | None) -> None:
    """The subject of a clause whose verb comes in the next one, or does not count."""
    kinds = types(given)
    if at is not None:
        talk.subject = _without_auxiliaries(given[:at])
    elif "ATTACK" in kinds and "TARGETS" in kinds[kinds.index("ATTACK") :]:
        talk.subject = given


def _keep(
    talk: Talk, done: Head, more: Head | None, subject: Words, rest: Tail, sentence: str
) -> None:
    """Make and keep the effects of a head, and of things had that were listed behind it."""
    place = place_of(talk, done, subject, rest, sentence)
    stronger = more is None and _offers_stronger(done, rest)
    if stronger:
        more = replace(done, grants=done.grants[1:])
        done = replace(done, grants=done.grants[:1], either=False)
    if more is None:
        made = made_of(talk, done, place, rest)
    else:
        without = tuple(c for c in place.conditions if c not in rest.conditions)
        first = replace(place, conditions=without) if rest.instead or stronger else place
        made = made_of(talk, done, first, rest) + made_of(talk, more, place, rest)
    if made and (rest.scaled or _is_counted(talk, done)):
        raise NotRead("for each")
    if words_bear(rest.left) or (made and not is_small(rest.left)):
        raise NotRead("what follows is not understood")
    talk.keep(made, either=done.either)
    if words_bear(rest.aside) or any(w.type in ACT_VERBS for w in rest.aside):
        talk.asides.append(rest.aside)


def _offers_stronger(done: Head, rest: Tail) -> bool:
    """``have [SUSTAINED HITS 1], or [SUSTAINED HITS 2] if …``: one ability, and more of it."""
    names = {re.sub(r"[^a-z]+", " ", grant.value.lower()) for grant in done.grants}
    return done.either and len(done.grants) > 1 and len(names) == 1 and bool(rest.conditions)


def _is_counted(talk: Talk, done: Head) -> bool:
    """Whether an effect comes once for each of something, which is no number."""
    return talk.counted == "other" or (talk.counted == "model" and done.act in _CHANGES)


def _with_names(talk: Talk, done: Head) -> Head:
    """A head that speaks of ``that roll``, or adds an amount instead, with what it goes back to."""
    if done.act == "again":
        return replace(talk.changed, amount=done.amount) if talk.changed else Head("nothing")
    if done.act in _CHANGES:
        talk.changed = done
    names = {name.what for name in done.names}
    if names == {"characteristic"} and talk.chosen is not None:
        whose = done.whose or talk.chosen.whose
        return replace(done, names=talk.chosen.names, whose=whose, either=True)
    if done.act == "sixed" and names <= {"roll", "result"}:
        return replace(done, names=talk.rolls, either=len(talk.rolls) > 1)
    if done.act == "rerolled" and names == {"result"} and talk.rolls_now:
        return replace(done, names=talk.rolls_now)
    return done


_CHANGES = frozenset({"added", "subtracted", "improved", "worsened"})


def _subject(talk: Talk, given: Words, at: int) -> Words:
    """The subject of a clause: its own, or that of the clause before where a predicate goes on."""
    own = _without_auxiliaries(given[:at])
    if own:
        talk.subject = own
        return own
    goes_on = given[at].type in _PREDICATES or given[0].type == "CAN"
    return talk.subject if goes_on else ()


_PREDICATES = frozenset({"RE_ROLL", "HAVE", "SUFFER", "REGAIN", "HEAL", "SCORE", "IGNORE"})
_LEAVE = frozenset({"YOU", "CAN", "MUST", "ALSO", "THEN", "INSTEAD", "IN_ADDITION", "ONCE"})
_AUXILIARIES = _LEAVE | {"DO", "CANNOT", "NOT", "AND"}


def _without_leave(given: Words) -> Words:
    """A main clause without ``you can``."""
    i = 0
    while i < len(given) and given[i].type in _LEAVE:
        if given[i].type == "CAN" and not (i > 0 and given[i - 1].type == "YOU"):
            break
        i += 1
    return given[i:]


def _without_auxiliaries(given: Words) -> Words:
    """The words of a subject without ``can`` and the like behind it."""
    end = len(given)
    while end and given[end - 1].type in _AUXILIARIES:
        end -= 1
    return given[:end]


def _verb(given: Words) -> int | None:
    """Where the head of a main clause begins."""
    kinds = types(given)
    if kinds[0] in _BEGIN_HEADS or (kinds[0] == "EACH" and kinds[1:2] in _QUALIFIERS):
        return 0
    if "CHARACTERISTIC" in kinds[1:4] and "BE" in kinds and kinds[0] in _CHARACTERISTICS:
        return 0
    for i, kind in enumerate(kinds):
        following = kinds[i + 1 : i + 3]
        if kind == "IMPROVED" and following == ["TO", "FEEL_NO_PAIN"]:
            return i + 1
        if kind == "HAVE" and following[:1] in _PARTICIPLES:
            return None
        if kind in ACT_VERBS or _begins_head(kind, following, kinds[i:]):
            return i
    return None


def _begins_head(kind: str, following: list[str], rest: list[str]) -> bool:
    if kind in ("UNMODIFIED", "SUCCESSFUL", "SCORE"):
        return "OF_VALUE" in rest
    return (kind, following) == ("DO", ["NOT", "REMOVE"]) or (
        kind == "HIT" and following[:1] == ["ON"]
    )


_QUALIFIERS = (["UNMODIFIED"], ["SUCCESSFUL"])
_PARTICIPLES = (["NOT"], ["BE"], ["SHOOT"])
_BEGIN_HEADS = frozenset(
    {"UNMODIFIED", "SUCCESSFUL", "CRITICAL_HIT", "CRITICAL_WOUND", "HIT", "WOUND"}
)
_CHARACTERISTICS = frozenset({"ATTACK", "STRENGTH", "DAMAGE", "AP", "SKILL", "TOUGHNESS", "SAVE"})


def _joined(verb: Words, done: Head, used: int) -> tuple[Head | None, int]:
    """Things had that are listed behind others: ``…, and a 5+ invulnerable save``."""
    more: Head | None = None
    while done.act == "granted" and used + 1 < len(verb):
        at = used
        while at < len(verb) and verb[at].type in ("COMMA", "AND"):
            at += 1
        if at == used or at >= len(verb):
            break
        found = head((verb[0], *verb[at:]))
        if found is None or found[0].act != "granted":
            break
        more = replace(found[0], grants=(*(more.grants if more else ()), *found[0].grants))
        used = at + found[1] - 1
    return more, used


def _fights_destroyed(talk: Talk, given: Words) -> bool:
    """``it can fight``, of a model that was just destroyed."""
    kinds = types(given)
    died = talk.on is not None and talk.on.kind == "destroyed"
    if not (talk.of_destroyed or died) or talk.survivors:
        return False
    if kinds[-1] != "FIGHT" or "CAN" not in kinds:
        return False
    found = Found("fight on death 1+", DEFENDER, None, "melee", talk.conditions)
    talk.survivors += talk.as_option([found])
    return True


def _without_cover(talk: Talk, given: Words, at: int) -> bool:
    """``that enemy unit cannot have the Benefit of Cover``."""
    kinds = types(given)
    if "COVER" not in kinds or "CANNOT" not in kinds[:at] or side_of(given, talk.that) == OWN:
        return False
    conditions = talk.conditions
    if "THAT" in kinds and not talk.is_stratagem and not conditions:
        conditions = (givens.SELECTED,)
    talk.keep([Found("ignores cover", ATTACKER, "ranged", "ranged", conditions)])
    return True
