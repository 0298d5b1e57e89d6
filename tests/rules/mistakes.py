"""Kernels that can't be compiled, each with the words that are told of the line marked with `#!`."""

# ruff: noqa

import random
from typing import Any

import numba
import numpy as np

njit = numba.njit(nogil=True, error_model="numpy")


class Thing:
    pass


THING, LIST, DICT = Thing(), [1, 2], {1: "a"}


def plain(n):
    return n


@njit
def deepest(game, seat):
    return game.deep


@njit
def deeper(game, seat):
    return deepest(game, seat) + 1


@njit
def deep(game, seat):
    return deeper(game, seat)


@njit
def answers_nothing(game):
    game.turn = 1


@njit
def field(game, seat):
    return game.typo  #! the game has no field or option typo


@njit
def option(game, seat):
    return 1 + game.options.valu  #! the game has no field or option valu


@njit
def written(game, seat):
    game.typo = 3  #! the game has no field or option typo


@njit
def two_kinds(game, seat):
    if seat == 1:
        x = 1
    else:
        x = (1, 2)
    return x  #! x is once 1, once tuple of 2: it has to be one of them


@njit
def two_returns(game, seat):
    if seat == 1:
        return 1  #! returns 1 on some ways and tuple of 2 on others
    return (1, 2)  #! returns 1 on some ways and tuple of 2 on others


@njit
def no_name(game, seat):
    turn = 1
    return missing_thing + turn  #! missing_thing isn't defined


@njit
def calls_no_name(game, seat):
    return no_name(game, seat)


@njit
def object_read(game, seat):
    return THING.x  #! THING is a Thing, which kernels can't read


@njit
def list_read(game, seat):
    return LIST[seat]  #! LIST is a list


@njit
def dict_read(game, seat):
    return DICT[seat]  #! DICT is a dict


@njit
def plain_function(game, seat):
    return plain(seat)  #! plain is a plain function: kernels call only functions decorated with @compiled


@njit
def opened(game, seat):
    return open("x")  #! open is a plain function


@njit
def too_few_arguments(game, seat):
    return deeper(game)  #! deeper is called with other arguments than it takes: it isn't given 'seat'


@njit
def too_many_arguments(game, seat):
    return deeper(game, seat, 1)  #! deeper is called with other arguments than it takes: there are too many


@njit
def too_few_parameters(game):  #! too_few_parameters is called with other arguments than it takes: there are too many
    return 1


@njit
def nothing_added(game, seat):
    more = answers_nothing(game)
    return 1 + more  #! there is no `+` between 1 and nothing


@njit
def unset(game, seat):
    total += 1  #! total is used before it has a value
    return total


@njit
def generator(game, seat):
    return sum(x for x in range(3))  #! makes a generator


@njit
def imports(game, seat):
    import math  #! uses an import inside a kernel

    return 1


@njit
def inner_class(game, seat):
    class Inner:  #! uses a class inside a kernel
        pass

    return 1


@njit
def with_file(game, seat):  #! uses `with`
    with open("x") as f:
        return 1


@njit
def deleted(game, seat):
    x = 1
    del x  #! uses `del`
    return x


@njit
def added(game, seat):
    return game.points + "a"  #! there is no `+` between row of 4 numbers and string


@njit
def game_added(game, seat):
    return 1 + game  #! there is no `+` between 1 and game


@njit
def number_indexed(game, seat):
    return game.turn[seat]  #! a number can't be indexed by number


@njit
def indices(game, seat):
    return game.hands[seat, 1, 2]  #! a table of 4 by 27 numbers can't take 3 indices


@njit
def whole_field(game, seat):
    game.points = 3  #! 3 can't be put where there is a row of 4 numbers: write place by place
    return 1


@njit
def tuple_put(game, seat):
    game.points[seat] = (1, 2)  #! tuple of 2 can't be put into a row of 4 numbers at number
    return 1


@njit
def chance(game, seat):
    return random.choice(game.points)  #! kernels can't use random.choice


@njit
def no_function(game, seat):
    return np.nothere(3)  #! numpy has no nothere


@njit
def recursion(game, seat):
    return recursion(game, seat)  #! calls itself, and no way through it ends without that


@njit
def large(game, seat):
    return seat + 11111111111111111111111  #! 11111111111111111111111 is a number of more than 64 bits


@njit
def unpacked(game, seat):
    a, b = seat  #! takes several values from something that is one
    return a


@njit
def number_called(game, seat):
    return game.turn(seat)  #! calls a number as if it were a function


@njit
def formatted(game, seat):
    return f"{game}"  #! needs __str__, as strings and other objects have it


def calls(kernel: Any) -> Any:
    """A kernel of the author's that gives another's kernel what it can't use."""

    @njit
    def calling(game, seat):
        return kernel(game.points)

    return calling
