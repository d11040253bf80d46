"""Make the table's sounds: `python -m tests.bench.make_sounds [folder]`.

Dry wood for a checker, dice on felt, a soft bell for the player's turn, a lower one for the last
seconds. Nothing is recorded and nothing is random, so the files come out the same each time:
16-bit mono WAV, under 400 ms.
"""

import math
import struct
import sys
import wave
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path

RATE = 22_050
FOLDER = Path(__file__).resolve().parents[2] / "static" / "sound"


def noise(seed: int) -> Iterator[float]:
    """Yield a fixed stream of values from -1 to 1 (a linear congruential generator)."""
    value = seed
    while True:
        value = (value * 1_103_515_245 + 12_345) % 2**31
        yield value / 2**30 - 1


def knock(length_ms: int, pitch: float, decay_ms: float, seed: int) -> list[float]:
    """Return a short blow on wood: a low tone and rough overtones that decay at once."""
    grain = noise(seed)
    samples = []
    for at in range(RATE * length_ms // 1000):
        t = at / RATE
        fall = math.exp(-t * 1000 / decay_ms)
        tone = math.sin(2 * math.pi * pitch * t) + 0.5 * math.sin(2 * math.pi * pitch * 2.76 * t)
        samples.append(fall * (0.55 * tone + 0.5 * next(grain) * math.exp(-t * 1000 / 4)))
    return softened(samples)


def bell(length_ms: int, pitch: float) -> list[float]:
    """Return a small bell: few partials, a soft attack, the high ones decay first."""
    partials = ((1.0, 1.0, 150.0), (2.0, 0.35, 90.0), (3.01, 0.18, 55.0), (4.2, 0.08, 30.0))
    total = RATE * length_ms // 1000
    samples = []
    for at in range(total):
        t = at / RATE
        rise = min(1.0, t * 1000 / 6)
        end = min(1.0, (total - at) / (RATE * 0.03))
        tone = sum(
            loud * math.exp(-t * 1000 / decay) * math.sin(2 * math.pi * pitch * ratio * t)
            for ratio, loud, decay in partials
        )
        samples.append(rise * end * tone)
    return samples


def softened(samples: list[float]) -> list[float]:
    """Remove the hiss: average neighbors."""
    return [(a + b) / 2 for a, b in pairwise([0.0, *samples])]


def mixed(parts: Iterable[tuple[int, list[float]]]) -> list[float]:
    """Mix sounds, each from its own millisecond on."""
    placed = [(RATE * start // 1000, samples) for start, samples in parts]
    total = [0.0] * max(start + len(samples) for start, samples in placed)
    for start, samples in placed:
        for at, value in enumerate(samples, start):
            total[at] += value
    return total


def write(path: Path, samples: list[float], loudness: float) -> None:
    peak = max(abs(value) for value in samples)
    data = b"".join(struct.pack("<h", round(32_767 * loudness * s / peak)) for s in samples)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(data)


def main(folder: Path = FOLDER) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    write(folder / "checker.wav", knock(70, 520, 14, seed=7), 0.5)
    rolling = [(0, 480.0), (55, 610.0), (120, 430.0), (175, 560.0), (250, 380.0), (300, 450.0)]
    throws = [(start, knock(60, pitch, 9, seed=start + 3)) for start, pitch in rolling]
    write(folder / "dice.wav", mixed(throws), 0.42)
    write(folder / "turn.wav", mixed([(0, bell(280, 784)), (90, bell(290, 1175))]), 0.3)
    write(folder / "time.wav", mixed([(0, bell(390, 392))]), 0.4)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
