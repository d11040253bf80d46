"""Fixtures that make the dice and periodic checks of a test deterministic."""

from tests.support.steady import no_periodic_table_checks, same_dice

__all__ = ["no_periodic_table_checks", "same_dice"]
