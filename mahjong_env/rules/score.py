"""What a hand is worth, as `mahjong_env.score` gives it."""

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Score:
    """What a hand is worth.

    `fan` is after the cap, `fan_raw` before; `value` is what one payer pays, before anything a self-draw adds to it;
    `patterns` how often each counts, by id. Without a win all are 0 or empty and `reason` says why. Where a win takes
    points, `points` are those of the best division, None without a complete one, and `sets` its groups, as
    `("kan", "b5 b5 b5")`; also if they are too few.
    """

    hu: bool
    fan: int = 0
    fan_raw: int = 0
    value: int = 0
    patterns: dict[str, int] = field(default_factory=dict)
    reason: str | None = None
    points: int | None = None
    sets: list[tuple[str, str]] = field(default_factory=list)

    def __str__(self) -> str:
        if not self.hu:
            return f"no hu: {self.reason}"
        named = ", ".join(name if n == 1 else f"{name} x{n}" for name, n in self.patterns.items())
        capped = f" (capped from {self.fan_raw})" if self.fan < self.fan_raw else ""
        return f"{self.fan} fan{capped}, value {self.value}: {named}"
