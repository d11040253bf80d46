"""Nets: their files, the gradient, the training."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.ai.kernel import game, net
from games.ai.net import weights_files
from games.ai.train import duels, trainer
from games.ai.train.trainer import NEWEST, Plan, Trainer
from games.engine.rules import Variant

SHORT = Variant.SHORT
HIDDEN = 8


def some_net() -> tuple[weights_files.Header, net.Weights]:
    header = weights_files.header_of(SHORT, HIDDEN, 1000, "abc1234")
    return header, net.random_weights(header.phases, header.inputs, HIDDEN, seed=1)


def same(one: net.Weights, other: net.Weights) -> bool:
    return all((a == b).all() for a, b in zip(one, other, strict=True))


def test_net_round_trips_through_its_file(tmp_path: Path) -> None:
    header, weights = some_net()
    weights_files.save(tmp_path / "a.net", replace(header, number="<f4"), weights)
    read, found = weights_files.load(tmp_path / "a.net", SHORT)
    assert same(found, weights)
    assert (read.games, read.commit) == (1000, "abc1234")
    weights_files.save(tmp_path / "b.net", header, weights)
    _header, rounded = weights_files.load(tmp_path / "b.net", SHORT)
    assert np.abs(rounded.first - weights.first).max() < 0.001
    assert (tmp_path / "b.net").stat().st_size < 0.6 * (tmp_path / "a.net").stat().st_size


def change_header(path: Path, **fields: Any) -> None:
    line, body = path.read_bytes().split(b"\n", 1)
    path.write_bytes(json.dumps({**json.loads(line), **fields}).encode() + b"\n" + body)


def flip_a_bit(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-9] ^= 1
    path.write_bytes(data)


SPOILED: dict[str, Callable[[Path], None]] = {
    "inputs_version is 99": lambda path: change_header(path, inputs_version=99),
    "rules_version is 99": lambda path: change_header(path, rules_version=99),
    "variant is 'long'": lambda path: change_header(path, variant="long"),
    "inputs is 5": lambda path: change_header(path, inputs=5),
    "format is": lambda path: change_header(path, format="other"),
    "do not make its shape": lambda path: change_header(path, hidden=HIDDEN + 1),
    "no header": lambda path: change_header(path, number="<f8"),
    "no header of a net": lambda path: change_header(path, hidden="8"),
    "damaged": flip_a_bit,
    "No such file": Path.unlink,
}


@pytest.mark.parametrize("reason", SPOILED)
def test_unfit_net_is_refused_with_the_reason(reason: str, tmp_path: Path) -> None:
    path = tmp_path / "a.net"
    weights_files.save(path, *some_net())
    SPOILED[reason](path)
    with pytest.raises(weights_files.NetError, match=rf"a\.net: .*{reason}"):
        weights_files.load(path, SHORT)


def test_text_file_is_refused_as_a_net(tmp_path: Path) -> None:
    (tmp_path / "a.net").write_text("<html>\n")
    with pytest.raises(weights_files.NetError, match="no header"):
        weights_files.load(tmp_path / "a.net", SHORT)


def test_gradient_is_the_slope_of_the_cross_entropy() -> None:
    _header, weights = some_net()
    # In double precision, so that the difference over a small step is not lost in rounding.
    exact = net.Weights(*(array.astype(np.float64) for array in weights))
    idx, val = np.array([3, 50, 200], np.int16), np.array([1.0, 0.5, 2.0])
    target = np.array([0.7, 0.2, 0.01, 0.1, 0.0])
    hidden, chances = np.empty(HIDDEN), np.empty(net.OUTPUTS)

    def loss(of: net.Weights) -> float:
        net.forward(of, 0, idx, val, 3, hidden, chances)
        return float(-(target * np.log(chances) + (1 - target) * np.log(1 - chances)).sum())

    taught = net.Weights(*(array.copy() for array in exact))
    rate, step = 1e-4, 1e-5
    net.learn(taught, 0, idx, val, 3, target, rate, hidden, chances)
    places = [(0, (0, 50, 2)), (0, (0, 200, 7)), (1, (0, 3)), (2, (0, 4, 5)), (3, (0, 1))]
    for part, place in places:
        numeric = 0.0
        for sign in (1, -1):
            moved = net.Weights(*(array.copy() for array in exact))
            moved[part][place] += sign * step
            numeric += sign * loss(moved) / (2 * step)
        moved_by = taught[part][place] - exact[part][place]
        assert moved_by == pytest.approx(-rate * numeric, rel=1e-3)
    assert (taught.first[0, 4] == exact.first[0, 4]).all()
    assert (taught.first[1] == exact.first[1]).all()


def plan(folder: Path, games: int, **fields: Any) -> Plan:
    return Plan(SHORT, folder, 0.0, games=games, hidden=HIDDEN, **fields)


class StoppedTrainer(Trainer):
    """Stops during the first chunk, as Ctrl-C does."""

    def _train_chunk(self, pool: ThreadPoolExecutor) -> int:
        self.stop()
        return super()._train_chunk(pool)


@pytest.mark.slow  # compiles all code of self-play
def test_resumed_training_equals_uninterrupted_training(tmp_path: Path) -> None:
    whole = Trainer(plan(tmp_path / "a", 420, exact=0.02)).run(io.StringIO())
    other = StoppedTrainer(plan(tmp_path / "b", 420, exact=0.02))
    log = io.StringIO()
    stopped = other.run(log)
    assert not same(stopped, whole)
    assert "--resume" in log.getvalue()
    resumed = Trainer(plan(tmp_path / "b", 420, exact=0.02), resume=True)
    assert resumed.header.games == 200
    assert same(resumed.run(log), whole)
    assert "000000420.net" in log.getvalue()
    header, _weights = weights_files.load(tmp_path / "b" / NEWEST, SHORT)
    assert header.games == 420


def test_resumed_training_compares_its_next_snapshot_with_the_last_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(duels, "points_per_game", lambda *duel: (0.0, 0.0))
    trainer = Trainer(plan(tmp_path, 400))
    trainer.header = replace(trainer.header, games=200)
    trainer._snapshot(io.StringIO())
    _header, last = weights_files.load(tmp_path / "000000200.net", SHORT)
    trainer.weights.first[:] += 1.0  # as if training had gone on after the snapshot
    trainer.save()
    resumed = Trainer(plan(tmp_path, 400), resume=True)
    assert same(resumed.before, last)
    assert not same(resumed.weights, last)


@pytest.mark.slow
def test_trained_net_beats_its_start(tmp_path: Path) -> None:
    trainer = Trainer(plan(tmp_path, 3000, exact=0.0, threads=2))
    beginner = net.Weights(*(array.copy() for array in trainer.weights))
    trained = trainer.run(io.StringIO())
    mean, margin = duels.points_per_game(game.SHORT, trained, beginner, 200, 7, trainer.kinds)
    assert mean - margin > 1.0


def test_commit_is_unknown_where_git_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert trainer.commit() == "unknown"


@pytest.mark.parametrize(
    "path", sorted(weights_files.FOLDER.glob("*.net")), ids=lambda path: path.name
)
def test_shipped_nets_fit_the_code(path: Path) -> None:
    header, weights = weights_files.load(path, Variant(path.stem))
    assert header.games > 0
    assert all(np.isfinite(array).all() for array in weights)
    assert path.stat().st_size < 1_000_000
