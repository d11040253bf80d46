"""Nightly cleanup commands refuse a number of days that reaches back before the year one."""

import pytest
from django.core.management import CommandError, call_command


@pytest.mark.parametrize("command", ["forgetemails", "forgetunactivated", "forgetguests"])
@pytest.mark.parametrize("days", ["900000", "1000000000000"])
def test_a_day_before_year_one_is_refused(command, days):
    with pytest.raises(CommandError, match=f"{days} days"):
        call_command(command, "--days", days)
