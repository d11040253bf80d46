"""Figures for Prometheus, read over HTTP as Prometheus does."""

import urllib.request
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import CommandError
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from accounts.models import OutgoingEmail
from accounts.shared.refusals import Refused
from config.background import lateness
from config.environment import Env
from config.metrics import site_state
from config.metrics.server import serving
from config.metrics.site_state import SiteState
from games.live import metrics
from games.models import Match
from games.services import heartbeat
from shop.models import LedgerCount
from shop.services.counting import count
from tests.accounts.factories import member
from tests.games.factories import StakeSitting
from tests.shop.payments.factories import begun
from tests.wallet.factories import player

# Labels whose values are known words of the code. None names a person or a match.
LABELS = {
    "kind", "code", "found_by", "outcome", "queue", "of", "process", "command",
    "le", "implementation", "major", "minor", "patchlevel", "version", "generation",
}  # fmt: skip
Samples = dict[tuple[str, tuple[str, ...]], float]


def parsed(text: str) -> Samples:
    return {
        (sample.name, tuple(sample.labels.values())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


@pytest.fixture
def figures_url(settings) -> Iterator[str]:
    settings.METRICS_BIND = "127.0.0.1:0"
    with serving(has_worker=False) as url:
        yield url


def read(url: str) -> str:
    with urllib.request.urlopen(url) as answer:
        text: str = answer.read().decode()
    return text


def test_figures_of_the_process_are_served(figures_url: str) -> None:
    before = parsed(read(figures_url)).get(("gammon_command_seconds_count", ("roll",)), 0)
    with metrics.timed("roll"):
        pass
    with pytest.raises(Refused), metrics.timed("play"):
        raise Refused("stale")
    lateness.note("matches", timezone.now() - timedelta(seconds=3), timezone.now())
    found = parsed(read(figures_url))
    assert found["gammon_command_seconds_count", ("roll",)] == before + 1
    assert found["gammon_commands_refused_total", ("stale",)] >= 1
    assert found["gammon_deadline_late_seconds_sum", ("matches",)] >= 3
    assert ("gammon_open_tables", ()) in found
    assert ("process_resident_memory_bytes", ()) in found


def test_no_label_names_a_person_or_a_match(figures_url: str) -> None:
    families = text_string_to_metric_families(read(figures_url))
    assert {name for each in families for one in each.samples for name in one.labels} <= LABELS


def test_nothing_is_served_without_an_address(settings) -> None:
    settings.METRICS_BIND = ""
    with serving(has_worker=True) as url:
        assert url == ""


def test_error_names_an_address_that_is_in_use(figures_url: str, settings) -> None:
    settings.METRICS_BIND = figures_url.removeprefix("http://").removesuffix("/metrics")
    with pytest.raises(CommandError, match=settings.METRICS_BIND), serving(has_worker=False):
        pass


@pytest.mark.parametrize("value", ["9100", "127.0.0.1", "127.0.0.1:70000", "http://a:1", "a@b:1"])
def test_error_names_the_variable_of_an_unreadable_address(value: str, monkeypatch) -> None:
    monkeypatch.setenv("METRICS_BIND", value)
    with pytest.raises(ImproperlyConfigured, match="METRICS_BIND"):
        Env().host_and_port("METRICS_BIND")


def state() -> Samples:
    registry = CollectorRegistry()
    registry.register(SiteState())
    return parsed(generate_latest(registry).decode())


@pytest.mark.django_db
def test_state_of_the_site_is_read_from_the_database() -> None:
    now = timezone.now()
    sitting = StakeSitting(player("white5"), player("black5"), stake=100).sit().start_game()
    Match.objects.filter(public_id=sitting.public_id).update(wake_at=now - timedelta(hours=2))
    OutgoingEmail.objects.create(to="a@b.org", subject="s", text="t", due_at=now, created_at=now)
    LedgerCount.objects.bulk_create([count(now, differences=2)])
    heartbeat.beat(now - timedelta(seconds=30), heartbeat.WORKER)
    found = state()
    assert found["gammon_state_readable", ()] == 1
    assert found["gammon_open_matches", ("STAKE",)] == 1
    assert found["gammon_work_late_seconds", ("matches",)] >= 2 * 3600
    assert found["gammon_queue", ("overdue matches",)] == 1
    assert found["gammon_queue", ("emails",)] == 1
    assert found["gammon_holds", ("number",)] == 0
    assert found["gammon_ledger", ("differences",)] == 2
    assert found["gammon_ledger", ("agrees",)] == 0
    assert 30 <= found["gammon_heartbeat_age_seconds", ("worker",)] < 90


@pytest.mark.django_db
def test_lateness_of_work_beside_the_workers_loop_is_reported() -> None:
    """Until a payment is checked, its member has paid and has no credits."""
    now = timezone.now()
    heartbeat.beat(now, heartbeat.WORKER)
    payment = begun(member("anna55"), now=now - timedelta(hours=1))
    payment.check_at = now - timedelta(minutes=40)
    payment.save(update_fields=["check_at"])
    assert 2400 <= state()["gammon_work_late_seconds", ("top_ups",)] < 2460


@pytest.mark.django_db
def test_database_that_does_not_answer_is_reported_as_a_figure(monkeypatch, caplog) -> None:
    def fail(now: object) -> None:
        raise OSError("gone")

    monkeypatch.setattr(site_state, "READERS", (fail,))
    assert state() == {("gammon_state_readable", ()): 0}
    assert "state of the site not read" in caplog.text
