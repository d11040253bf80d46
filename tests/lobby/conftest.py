"""Fixtures: the same dice in every run of a test, and no periodic checks of tables."""

from tests.support.steady import no_periodic_table_checks, same_dice

__all__ = ["no_periodic_table_checks", "same_dice"]
