"""Events: what a batch tells of a hand, token by token, is what has happened in it."""

import numpy as np

import mahjong_env as mj
from mahjong_env.batch.events import EVENTS
from mahjong_env.rules.state import TAKEN


def test_events_tell_every_discard_meld_and_win() -> None:
    batch = mj.Batch("sichuan", 16, seed=2, observation="events", seating=(None, "greedy", "greedy", "greedy"))
    batch.reset()
    kinds, seen = batch.variant.tiles.kinds, set()
    for _ in range(300):
        for i, game in enumerate(batch._tables.games):
            tokens = batch.events[i][batch.events[i] > 0].astype(int) - 1
            seat, event, kind = tokens // (len(EVENTS) * kinds), tokens // kinds % len(EVENTS), tokens % kinds
            seen.update(event.tolist())
            discards = event == EVENTS.index("discard")
            length = int(game["river_length"])
            assert np.array_equal(kind[discards], game["river_tile"][:length])
            assert np.array_equal((seat[discards] + batch.to_act[i]) % 4, game["river_seat"][:length] % TAKEN)
            for other in range(4):
                own = (seat + batch.to_act[i]) % 4 == other
                laid = own & np.isin(event, [EVENTS.index(e) for e in ("peng", "gang", "concealed_gang")])
                count = int(game["meld_count"][other])
                assert sorted(kind[laid]) == sorted(game["meld_tile"][other, :count])
                assert (own & (event == EVENTS.index("hu"))).sum() == game["wins"][other]
        batch.step(batch.sample_legal())
    assert {EVENTS.index(e) for e in ("discard", "peng", "gang", "hu")} <= seen
