"""Sentences about credits that the pages of several apps show."""

from django.utils.translation import gettext as _


def frozen() -> str:
    return _(
        "Credits are frozen while our team checks the books. Nothing is lost: matches go on, and"
        " what you win is paid as soon as the check is over."
    )
