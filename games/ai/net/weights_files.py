"""Weights files: a JSON header on one line, then the weights, little-endian.

The header holds the variant, the rules and the inputs that the net was trained for, its shape, the
number of training games, the trainer's commit and the checksum of the weights. A net that does not
fit this code is refused with the reason: with wrong inputs it would play badly without any error.
"""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from games.ai.kernel import game, net
from games.ai.kernel.bits import FloatArray
from games.engine.rules import RULES_VERSION, Variant

FORMAT = "gammon-net-1"
FOLDER = Path(__file__).resolve().parent.parent / "weights"
VARIANTS = {Variant.SHORT: game.SHORT, Variant.LONG: game.LONG}

_MAX_HEADER = 4096  # bytes


class NetError(Exception):
    """The file cannot be used; the message names the file and the reason."""


@dataclass(frozen=True, slots=True)
class Header:
    """The header of a file; `number` is the numpy type of the weights.

    `training` is the trainer's state, to resume from.
    """

    variant: str
    hidden: int
    games: int
    commit: str
    inputs: int
    inputs_version: int
    phases: int
    rules_version: int = RULES_VERSION
    format: str = FORMAT
    number: str = "<f2"
    sha256: str = ""
    training: dict[str, float] = field(default_factory=dict)


def header_of(variant: Variant, hidden: int, games: int, commit: str) -> Header:
    """Return the header of a net that fits this code."""
    module = game.MODULES[VARIANTS[variant]]
    return Header(
        variant.value,
        hidden,
        games,
        commit,
        module.INPUTS,
        module.INPUTS_VERSION,
        module.PHASES,
    )


def save(path: Path, header: Header, weights: net.Weights) -> None:
    """Write the file atomically."""
    body = b"".join(array.astype(header.number).tobytes() for array in weights)
    full = replace(header, sha256=hashlib.sha256(body).hexdigest())
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_bytes(json.dumps(asdict(full)).encode() + b"\n" + body)
    part.replace(path)


def load(path: Path, variant: Variant) -> tuple[Header, net.Weights]:
    """Read a file; raise `NetError` if it is damaged or does not fit this code."""
    try:
        line, _, body = path.read_bytes().partition(b"\n")
    except OSError as error:
        raise NetError(f"{path.name}: {error.strerror}") from error
    header = _read_header(path.name, line)
    _check(path.name, header, header_of(variant, header.hidden, 0, ""))
    if hashlib.sha256(body).hexdigest() != header.sha256:
        raise NetError(f"{path.name}: damaged: its checksum is another one")
    weights = net.empty(header.phases, header.inputs, header.hidden)
    numbers = np.frombuffer(body, header.number).astype(np.float32)
    if len(numbers) != sum(array.size for array in weights):
        raise NetError(f"{path.name}: {len(numbers)} weights do not make its shape")
    _fill(weights, numbers)
    return header, weights


def _fill(weights: net.Weights, numbers: FloatArray) -> None:
    at = 0
    for array in weights:
        array.flat[:] = numbers[at : at + array.size]
        at += array.size


def _read_header(name: str, line: bytes) -> Header:
    try:
        data: dict[str, Any] = json.loads(line[:_MAX_HEADER])
        header = Header(**data)
    except (ValueError, TypeError, RecursionError) as error:
        raise NetError(f"{name}: no header of a net") from error
    is_shape = type(header.hidden) is int and 1 <= header.hidden <= 4096
    if header.number not in ("<f2", "<f4") or not is_shape:
        raise NetError(f"{name}: no header of a net")
    return header


def _check(name: str, found: Header, wanted: Header) -> None:
    for field_name in (
        "format", "variant", "rules_version", "inputs_version", "inputs", "phases",
    ):  # fmt: skip
        value, needed = getattr(found, field_name), getattr(wanted, field_name)
        if value != needed:
            raise NetError(f"{name}: its {field_name} is {value!r}, this code needs {needed!r}")
