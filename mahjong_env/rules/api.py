"""What the environments need of any game: deal, play, observe. Entry points take an array of games and an index.

A game is a function of (variant, options, seed, table, hand, actions): the same values give the same bytes, compiled and
plain.
"""

from mahjong_env.compiled import compiled
from mahjong_env.rules.chance import seed_random
from mahjong_env.rules.hooks import begin_hand, deal, observe, play, resume, start, waits_mask


@compiled
def deal_at(games, i, blank, low, high, table, hand, dealer):
    """Deal game i anew; `blank` is a (1,) states with the options, the seed comes in two halves of 32 bits."""
    games[i] = blank[0]
    game = games[i]
    game.dealer = dealer
    seed_random(game.random, low, high, table, hand)
    deal(game)


@compiled
def start_at(games, i, low, high):
    """Start game i, whose wall is set, and the dealer and other chance where they are given."""
    seed_random(games[i].random, low, high, 0, 0)
    start(games[i])


@compiled
def play_at(games, i, action):
    """Play a legal action in game i."""
    play(games[i], action)


@compiled
def resume_at(games, i):
    """Go on with game i, which was set up in the middle."""
    resume(games[i])


@compiled
def observe_at(games, i, seat, out, all_seen):
    """Write the observation of game i for `seat` into `out`."""
    observe(games[i], seat, out, all_seen)


@compiled
def waits_at(games, i, seat):
    """The waits of a seat of game i, as a bit mask over kinds."""
    return waits_mask(games[i], seat)


@compiled
def begin_hand_at(games, i, number):
    """Game i, just dealt, is that hand of an episode."""
    begin_hand(games[i], number)
