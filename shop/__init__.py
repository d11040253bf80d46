"""Gifts, top-ups, boards and checkers on sale, goods that members own, totals of credits."""
