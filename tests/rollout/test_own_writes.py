"""Own writes are remembered until the watch has shown what came of them, and counted when others undo them."""

from __future__ import annotations

from typing import Any

import pytest
from enforcing_tools import NOW, fought

from kubectl_c9s.rollout import ownwrites
from kubectl_c9s.rollout.limits import Limits

FIVE, NINE = Limits(5), Limits(9)


def sent(base: str = "10", limits: Limits = FIVE, now: float = NOW) -> Any:
    return ownwrites.History().sending(base, limits, now)


def test_an_object_is_not_written_again_until_the_watch_shows_the_answer() -> None:
    history = ownwrites.History()
    assert history.may_write("10")
    history = sent()
    assert not history.may_write("10")
    history = history.shown("10", NINE).shown("12", NINE)
    assert history.pending == "sent"
    history = history.answered("11")
    for version in ("9", "10"):
        history = history.shown(version, NINE)
        assert not history.may_write(version)
        assert not history.writes[-1].undone
    history = history.shown("11", FIVE)
    assert history.may_write("11")
    assert not history.writes[-1].undone


@pytest.mark.parametrize(
    ("present", "undone"),
    [
        (Limits(5, 7), False),
        (Limits(5, None), False),
        (Limits(9, 7), True),
        (Limits(None, 7), True),
        (Limits(0, 7), True),
    ],
)
def test_a_write_is_undone_when_the_fields_it_wrote_are_others(
    present: Limits, *, undone: bool
) -> None:
    history = sent().answered("11").shown("12", present)
    assert history.pending == ""
    assert history.writes[-1].undone == undone
    # What was undone once stays so, also when somebody puts it right.
    assert history.shown("13", FIVE).writes[-1].undone == undone
    assert sent().answered("11").shown("11", FIVE).shown("15", present).writes[-1].undone == undone


def test_a_zero_that_was_dropped_is_not_undone() -> None:
    history = sent(limits=Limits(0, 4)).answered("11")
    assert not history.shown("12", Limits(None, 4)).writes[-1].undone
    assert history.shown("12", Limits(None, None)).writes[-1].undone


def test_a_relist_that_shows_an_older_object_changes_nothing() -> None:
    history = sent().answered("11").shown("12", FIVE)
    assert history.shown("10", NINE) == history
    assert not history.may_write("10")
    assert not history.may_write("11")
    assert history.may_write("12")
    assert history.may_write("99")


def test_a_conflict_waits_for_a_newer_object_and_counts_for_nothing() -> None:
    history = sent().conflicted()
    assert history.writes == ()
    assert not history.may_write("9")
    assert not history.may_write("10")
    assert history.may_write("11")
    history = history.shown("10", NINE)
    assert not history.may_write("10")
    history = history.shown("11", NINE)
    assert history.may_write("11")
    assert not history.may_write("10")


def test_a_write_that_was_not_carried_out_may_be_sent_again() -> None:
    history = sent().dropped()
    assert history.writes == ()
    assert history.may_write("10")
    assert not history.may_write("9")


def test_a_lost_answer_is_read_back_before_anything_else() -> None:
    lost = sent().lost()
    assert lost.asks_back("10", NOW)
    assert not lost.may_write("10")
    assert lost.shown("10", NINE) == lost
    same = lost.read_back("10")
    assert (same.writes, same.may_write("10"), same.asks_back("10", NOW)) == ((), True, False)
    newer = lost.read_back("12")
    assert (newer.pending, newer.may_write("12")) == ("written", False)
    assert not newer.asks_back("10", NOW)
    assert not newer.shown("12", FIVE).writes[-1].undone
    assert newer.shown("12", NINE).writes[-1].undone
    assert not newer.shown("11", NINE).may_write("11")


def test_a_lost_answer_is_settled_by_a_newer_object_of_the_watch() -> None:
    lost = sent().lost()
    for present, undone in ((FIVE, False), (NINE, True)):
        history = lost.shown("11", present)
        assert (history.pending, history.writes[-1].undone) == ("", undone)
        assert history.may_write("11")
        assert history.answered("11") == history


def test_an_answer_that_comes_late_counts() -> None:
    history = sent().lost().answered("11")
    assert (history.pending, history.floor) == ("written", "11")


def test_what_was_not_asked_changes_nothing() -> None:
    for history in (
        ownwrites.History(),
        sent().answered("11"),
        sent().answered("11").shown("11", FIVE),
    ):
        for same in (
            history.conflicted(),
            history.dropped(),
            history.lost(),
            history.answered("20"),
        ):
            assert same == history
    assert ownwrites.History().shown("5", NINE) == ownwrites.History()
    assert sent().read_back("12") == sent()
    assert sent().lost().conflicted() == sent().lost()


def test_a_watch_that_stays_silent_is_asked_about_after_a_while() -> None:
    patience = ownwrites.PATIENCE
    for history in (sent().answered("11"), sent().conflicted()):
        assert not history.asks_back("10", NOW + patience)
        assert history.asks_back("10", NOW + patience + 1)
    assert not sent().asks_back("10", NOW + 999)
    settled = sent().answered("11").shown("11", FIVE)
    assert not settled.asks_back("11", NOW + 999)
    assert not ownwrites.History().asks_back("1", NOW + 999)
    # As after a restore of an older state: what is read on its own is what there is.
    assert settled.asks_back("3", NOW + 999)
    assert settled.read_back("3").may_write("3")
    assert not sent().conflicted().read_back("12").may_write("11")
    assert sent().conflicted().read_back("12").may_write("12")


def test_versions_that_are_no_numbers_are_told_apart_from_the_one_that_was_written_on() -> None:
    history = sent(base="a").answered("b")
    assert not history.shown("a", NINE).may_write("a")
    assert history.shown("b", FIVE).may_write("b")
    assert history.shown("c", NINE).writes[-1].undone
    assert not sent(base="a").conflicted().may_write("a")
    assert sent(base="a").conflicted().may_write("b")
    assert sent(base="a").lost().shown("a", NINE).pending == "lost"


def test_three_writes_in_five_minutes_that_do_not_stick_are_a_fight() -> None:
    history = fought()
    last = history.writes[-1].at
    assert history.is_fighting(NOW)
    assert history.is_fighting(last + ownwrites.WINDOW)
    assert not history.is_fighting(last + ownwrites.WINDOW + 1)
    assert not history._replace(writes=history.writes[:2]).is_fighting(NOW)
    kept = [*history.writes[:2], history.writes[2]._replace(undone=False)]
    assert not history._replace(writes=tuple(kept)).is_fighting(NOW)
    early = history.writes[0]._replace(at=last - ownwrites.WINDOW)
    assert history._replace(writes=(early, *history.writes[1:])).is_fighting(NOW)
    early = early._replace(at=last - ownwrites.WINDOW - 1)
    assert not history._replace(writes=(early, *history.writes[1:])).is_fighting(NOW)


def test_a_policy_that_is_edited_again_and_again_fights_with_nobody() -> None:
    history = ownwrites.History()
    for number in range(6):
        limits = Limits(number + 1)
        history = history.sending(str(2 * number), limits, NOW + number)
        history = history.answered(str(2 * number + 1)).shown(str(2 * number + 1), limits)
    assert not history.is_fighting(NOW + 6)


def test_memory_does_not_grow() -> None:
    history = ownwrites.History()
    for number in range(100):
        history = history.sending(str(number), FIVE, NOW + number).answered(str(number + 1))
        history = history.shown(str(number + 1), NINE)
    assert 3 <= len(history.writes) < 20
    assert history.is_fighting(NOW + 100)
