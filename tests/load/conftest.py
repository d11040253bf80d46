"""Fixtures that give a test the same dice in every run and disable checks of game tables."""

from tests.support.steady import no_periodic_table_checks, same_dice

__all__ = ["no_periodic_table_checks", "same_dice"]
