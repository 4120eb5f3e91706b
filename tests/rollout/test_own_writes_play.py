"""Requests and answers that go lost, come late or meet others: in the end it is right, and no write was in vain."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from write_play import Play

from kubectl_c9s.rollout import ownwrites

STEPS = ("decide", "answer", "drop", "lose_request", "lose_answer", "haunt", "read", "show", "other",
         "touch", "tick")  # fmt: skip
ROUNDS = (("decide", "answer", "show", "other", "show"), ("decide", "answer", "show"), ("decide", "lose_answer", "read",
          "show"))  # fmt: skip


@given(
    st.lists(st.sampled_from(STEPS).map(lambda one: (one,)) | st.sampled_from(ROUNDS), max_size=40)
)
def test_whatever_happens_on_the_way_it_is_right_in_the_end_and_written_only_where_it_was_not(
    steps: list[tuple[str, ...]],
) -> None:
    play = Play()
    for step in (one for several in steps for one in several):
        getattr(play, step)()
    for step in ("answer", "tick", "read", "show"):
        getattr(play, step)()
    if play.history.is_fighting(play.now):
        play.now += ownwrites.WINDOW + 1
    for step in ("decide", "answer", "show", "decide"):
        getattr(play, step)()
    assert play.batch == 5
    assert play.history.pending == ""
    undone = [at for at, undone in play.taken if undone]
    for first, third, fourth in zip(undone, undone[2:], undone[3:], strict=False):
        assert third - first > ownwrites.WINDOW or fourth - third > ownwrites.WINDOW
