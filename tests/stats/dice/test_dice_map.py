"""Maps of the 36 rolls: counts, bands and the chi-square test."""

import itertools
import random

import pytest

from stats.dice.dice_map import CELLS, FACES, FEWEST, DiceMap, Verdict

ALL = list(itertools.product(FACES, FACES))


def test_a_roll_is_counted_in_the_row_of_its_first_die():
    counted = DiceMap.of_rolls([(6, 5), (6, 5), (1, 1)])
    assert [cell.count for cell in counted.rows[5]] == [0, 0, 0, 0, 2, 0]
    assert counted.rows[0][0].is_doublet
    assert (counted.total, counted.doublets) == (3, 1)


def test_maps_are_added_cell_by_cell():
    one, two = DiceMap.of_rolls([(1, 2)]), DiceMap.of_rolls([(1, 2), (2, 1)])
    assert DiceMap.sum([one.counts, two.counts]) == DiceMap.of_rolls([(1, 2), (1, 2), (2, 1)])
    assert DiceMap.sum([]) == DiceMap()


def test_an_empty_map_has_zeros_and_is_not_judged():
    empty = DiceMap()
    assert (empty.total, empty.pips, empty.doublet_percent) == (0, 0.0, 0.0)
    assert empty.verdict is Verdict.TOO_FEW


def test_even_counts_have_the_means_of_honest_dice():
    even = DiceMap.of_rolls(ALL * 10)
    assert even.pips == pytest.approx(7)
    assert even.doublet_percent == pytest.approx(100 / 6)
    assert even.chi_square == 0
    assert even.verdict is Verdict.USUAL
    low, high = even.band
    assert low < 10 < high


@pytest.mark.parametrize(
    # Quantiles of the chi-square distribution with 35 degrees of freedom, from a printed table.
    ("statistic", "chance"),
    [(22.465, 0.95), (46.059, 0.10), (49.802, 0.05), (57.342, 0.01), (66.619, 0.001)],
)
def test_the_chance_agrees_with_a_printed_table(statistic, chance, monkeypatch):
    monkeypatch.setattr(DiceMap, "chi_square", property(lambda self: statistic))
    assert DiceMap().chance == pytest.approx(chance, abs=0.001)


def test_few_rolls_are_not_judged():
    few = DiceMap.of_rolls([(6, 6)] * (FEWEST - 1))
    assert few.verdict is Verdict.TOO_FEW
    assert not any(cell.is_odd for row in few.rows for cell in row)
    assert DiceMap.of_rolls([(6, 6)] * FEWEST).verdict is Verdict.SUSPECT


def test_a_loaded_die_is_suspected_and_its_cells_marked():
    loaded = DiceMap.of_rolls(ALL * 30 + [(6, 6)] * 60)
    assert loaded.verdict is Verdict.SUSPECT
    assert [(c.first, c.second) for row in loaded.rows for c in row if c.is_odd] == [(6, 6)]


def test_honest_series_are_seldom_called_rare():
    rng = random.Random(5)
    verdicts = [DiceMap.of_rolls(rng.choices(ALL, k=20 * CELLS)).verdict for _ in range(400)]
    # 5 % are expected not to be USUAL: 20 of the 400, with a standard deviation of 4.4.
    assert verdicts.count(Verdict.USUAL) in range(358, 400)
    assert verdicts.count(Verdict.SUSPECT) <= 4
