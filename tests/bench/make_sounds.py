"""Make the bell of the site's pages: `python -m tests.bench.make_sounds [folder]`.

The table computes its sounds itself (static/js/play/synth.js). The bell is computed without random
numbers, so the file is the same each time: 16-bit mono WAV, under 400 ms.
"""

import math
import struct
import sys
import wave
from collections.abc import Iterable
from pathlib import Path

RATE = 22_050
FOLDER = Path(__file__).resolve().parents[2] / "static" / "sound"


def bell(length_ms: int, pitch: float) -> list[float]:
    """Return samples of a bell, `pitch` in Hz: soft attack, few partials, the high ones short."""
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


def mixed(parts: Iterable[tuple[int, list[float]]]) -> list[float]:
    """Mix sounds, each given with the millisecond at which it starts."""
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
    write(folder / "turn.wav", mixed([(0, bell(280, 784)), (90, bell(290, 1175))]), 0.3)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:2]))
