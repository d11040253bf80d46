"""Numbers counted match by match equal those that `rebuildstats` counts from the logs.

20 simulated matches find a fault that shows in one match of five with a probability of 99 %. The
40 matches of the long form do the same for a fault that shows in one match of nine.
"""

import pytest
from django.core.management import call_command
from django.utils import timezone

from stats.models import PlayedMatch, ReviewedSeat
from tests.bench.match_logs import simulate
from tests.bench.rebuild_stats import settle, tables
from tests.support.lengths import length

pytestmark = pytest.mark.django_db
MATCHES = length(20, 40)


def test_a_rebuild_of_simulated_matches_equals_what_was_counted(capsys):
    simulate(MATCHES, people=7, now=timezone.now())
    settle()
    before = tables()
    assert PlayedMatch.objects.count() >= 2 * MATCHES
    assert ReviewedSeat.objects.filter(is_counted=True).count() >= MATCHES / 4
    assert all(before.values())
    call_command("rebuildstats")
    assert tables() == before
    assert (
        "0 rows of dice, 0 of achievements, 0 of matches, 0 of opponents and 0 of reviews differ"
        in (capsys.readouterr().out)
    )
