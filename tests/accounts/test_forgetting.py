"""The nightly commands that forget, asked for what cannot be."""

import pytest
from django.core.management import CommandError, call_command


@pytest.mark.parametrize("command", ["forgetletters", "forgetunactivated", "forgetguests"])
@pytest.mark.parametrize("days", ["900000", "1000000000000"])
def test_day_before_all_calendars_is_refused_in_plain_words(command, days):
    with pytest.raises(CommandError, match=f"{days} days"):
        call_command(command, "--days", days)
