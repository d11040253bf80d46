"""Gifts, boards and checkers on sale, the goods that members own, and the totals of credits."""
