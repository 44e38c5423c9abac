"""From numbers to places on paper."""

from __future__ import annotations

from sessionkit.dataclass import dataclass

_FEWEST_STEPS = 3
_ROUND = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps 0 to `start` and `most` to `end`, in pixels."""

    most: int
    start: float
    end: float

    def at(self, value: float) -> float:
        """Find a place, to a tenth of a pixel."""
        return round(self.start + (self.end - self.start) * value / self.most, 1)

    def ticks(self) -> range:
        """Choose round numbers to be named: three or more, unless there are no more whole ones."""
        step = 1
        for power in range(len(str(self.most))):
            for factor in _ROUND:
                if factor * 10**power * _FEWEST_STEPS <= self.most:
                    step = factor * 10**power
        return range(0, self.most + 1, step)
