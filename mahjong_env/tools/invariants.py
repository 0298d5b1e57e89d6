"""What holds of any game after any decision, as kernels: looked at for all tables of a batch at once."""

from mahjong_env.compiled import compiled
from mahjong_env.rules.chance import random_below
from mahjong_env.rules.hooks import observe, resume
from mahjong_env.rules.players import random_action
from mahjong_env.rules.state import CLAIM, NOBODY, OPENING, OVER, ROBBING, TAKEN, TURN

PROBLEMS = (
    "",
    "tiles are lost or made",
    "a hand and its keys differ",
    "a hand has the wrong size",
    "a meld lacks tiles or has too many",
    "the discards aren't what is left of the river",
    "points moved without a payment",
    "points don't add up",
    "the mask doesn't fit the phase",
)
"""What a kernel finds, by number."""

FINE, TILES, KEYS, SIZES, MELDS, RIVER, PAYMENTS, POINTS, MASK = range(len(PROBLEMS))


@compiled
def look(games, gains, dealt, copies, weights, suit_of, has_sizes, is_zero_sum, river, missing, found):
    """Write into `found` the first problem of each game, and into `missing` its tiles that lie nowhere, by kind.

    gains: (n, seats) points moved by the latest decision, not looked at where a game is just `dealt`; has_sizes: hands
    have the same size but for one tile; river: (seats, kinds) numbers to reckon with.
    """
    for i in range(len(games)):
        found[i] = problem_of(
            games[i], gains[i], dealt[i], copies, weights, suit_of, has_sizes, is_zero_sum, river, missing[i]
        )


@compiled
def problem_of(game, gains, dealt, copies, weights, suit_of, has_sizes, is_zero_sum, river, missing):
    """The number of the first thing that doesn't hold."""
    if not count_tiles(game, copies, missing):
        return TILES
    if not keys_fit(game, weights, suit_of):
        return KEYS
    if has_sizes and not sizes_fit(game):
        return SIZES
    if not melds_fit(game):
        return MELDS
    if not river_fits(game, river):
        return RIVER
    if not dealt and not payments_fit(game, gains):
        return PAYMENTS
    if not points_fit(game, is_zero_sum):
        return POINTS
    return FINE if mask_fits(game) else MASK


@compiled
def count_tiles(game, copies, missing):
    """Count the tiles that lie in no hand, meld, discard or wall; False if there are too many of a kind, or too few."""
    for kind in range(len(copies)):
        left = copies[kind]
        for seat in range(len(game.points)):
            if game.hands[seat, kind] < 0:
                return False
            left -= int(game.hands[seat, kind]) + int(game.melded[seat, kind]) + int(game.discarded[seat, kind])
        missing[kind] = left
    for place in range(int(game.wall_front), int(game.wall_back)):
        missing[game.wall[place]] -= 1
    for kind in range(len(copies)):
        if missing[kind] < 0:
            return False
    return True


@compiled
def keys_fit(game, weights, suit_of):
    """The suit keys say what the hands hold."""
    for seat in range(len(game.points)):
        for suit in range(game.keys.shape[1]):
            key = 0
            for kind in range(len(weights)):
                key += int(game.hands[seat, kind]) * int(weights[kind]) if suit_of[kind] == suit else 0
            if key != game.keys[seat, suit]:
                return False
    return True


@compiled
def size_of(game, seat):
    """The seat's tiles, melds counting as three, less the one more that a seat has in its turn, or adding to a gang."""
    size = 3 * int(game.meld_count[seat])
    for kind in range(game.hands.shape[1]):
        size += int(game.hands[seat, kind])
    more = (game.phase == TURN and game.turn == seat) or (game.phase == ROBBING and game.table_from == seat)
    return size - 1 if more else size


@compiled
def sizes_fit(game):
    """All hands have the same size, after the opening and until the hand is over."""
    if game.phase == OPENING or game.phase == OVER:
        return True
    for seat in range(1, len(game.points)):
        if size_of(game, seat) != size_of(game, 0):
            return False
    return True


@compiled
def melds_fit(game):
    """A seat has no more melds than there is room for, of three or four tiles."""
    for seat in range(len(game.points)):
        melds = int(game.meld_count[seat])
        tiles = 0
        for kind in range(game.melded.shape[1]):
            tiles += int(game.melded[seat, kind])
        if melds < 0 or melds > game.meld_verb.shape[1] or tiles < 3 * melds or tiles > 4 * melds:
            return False
    return True


@compiled
def river_fits(game, river):
    """Each seat's discards are what is left of the river."""
    seats, kinds = game.discarded.shape
    for seat in range(seats):
        for kind in range(kinds):
            river[seat, kind] = game.discarded[seat, kind]
    for place in range(int(game.river_length)):
        if game.river_seat[place] < TAKEN:
            river[game.river_seat[place], game.river_tile[place]] -= 1
    for seat in range(seats):
        for kind in range(kinds):
            if river[seat, kind] != 0:
                return False
    return True


@compiled
def payments_fit(game, gains):
    """The payments of the latest decision are the points it has moved."""
    for seat in range(len(game.points)):
        paid = 0
        for slip in range(int(game.slips)):
            paid += int(game.slip_points[slip, seat])
        if paid != gains[seat]:
            return False
    return True


@compiled
def points_fit(game, is_zero_sum):
    """All points lost are somebody's, or at least nobody's are made."""
    total = 0
    for seat in range(len(game.points)):
        total += int(game.points[seat])
    return total == 0 if is_zero_sum else total <= 0


@compiled
def mask_fits(game):
    """Somebody may do something until the hand is over, and then nobody."""
    legal = 0
    for action in range(len(game.legal)):
        if game.legal[action] != 0 and game.legal[action] != 1:
            return False
        legal += int(game.legal[action])
    if game.phase == OVER:
        return legal == 0 and game.to_act == NOBODY
    return legal > 0 and game.to_act >= 0 and game.to_act < len(game.points)


# --- hidden tiles -----------------------------------------------------------------------------------------------------


@compiled
def look_for_leaks(games, other, generator, seen, found):
    """Write into `found` where what the seat to act sees or may do depends on the order of the wall: 1 sees, 2 may do.

    other: (1,) states to reckon with; generator: (4,) uint32; seen: (2, rows, kinds) int8 to reckon with.
    """
    for i in range(len(games)):
        found[i] = 0
        phase = games[i].phase
        if phase in (TURN, CLAIM, ROBBING):
            other[0] = games[i]
            found[i] = leak_of(games[i], other[0], generator, seen)


@compiled
def leak_of(game, other, generator, seen):
    """As `look_for_leaks`, of one game; `other` is its copy."""
    for last in range(int(other.wall_back) - 1, int(other.wall_front), -1):
        place = int(other.wall_front) + random_below(generator, last + 1 - int(other.wall_front))
        kind = other.wall[last]
        other.wall[last] = other.wall[place]
        other.wall[place] = kind
    seat = int(game.to_act)
    observe(game, seat, seen[0], False)
    observe(other, seat, seen[1], False)
    for row in range(seen.shape[1]):
        for kind in range(seen.shape[2]):
            if seen[0, row, kind] != seen[1, row, kind]:
                return 1
    other.asking = (seat - int(game.table_from)) % len(game.points)  # to be asked again
    resume(other)
    if other.to_act != seat:
        return 2
    for action in range(len(game.legal)):
        if game.legal[action] != other.legal[action]:
            return 2
    return 0


# --- play that dwells on what is rare -----------------------------------------------------------------------------------


@compiled
def dwell_range(games, start, stop, generators, dwelling, discards, passed, out):
    """A random action at each of these tables; at those `dwelling`, (n,) bool, mostly one that is neither a discard nor a
    pass, where there is one. `discards`: (2,) the first discard's number and one past the last; `passed`: that of pass."""
    for i in range(start, stop):
        game = games[i]
        rare = 0
        for action in range(len(game.legal)):
            if game.legal[action] and is_rare(action, discards, passed):
                rare += 1
        if dwelling[i] and rare > 0 and random_below(generators[i], 4) > 0:
            out[i] = nth_rare(game, random_below(generators[i], rare), discards, passed)
        else:
            out[i] = random_action(game, generators[i])


@compiled
def nth_rare(game, skip, discards, passed):
    """The legal action that is neither a discard nor a pass and has `skip` such before it."""
    for action in range(len(game.legal)):
        if game.legal[action] and is_rare(action, discards, passed):
            if skip == 0:
                return action
            skip -= 1
    return -1


@compiled
def is_rare(action, discards, passed):
    """Neither a discard nor a pass."""
    return (action < discards[0] or action >= discards[1]) and action != passed
