"""Fixtures that give a test the same dice in every run."""

from tests.support.steady import same_dice, tables_are_checked_when_a_test_says_so

__all__ = ["same_dice", "tables_are_checked_when_a_test_says_so"]
