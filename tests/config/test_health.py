"""Liveness and readiness."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.shared.database_threads import run_in_db_thread
from config import health
from games.services import heartbeat
from tests.support.patience import PATIENCE_S

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@pytest.fixture(autouse=True)
def _patient(monkeypatch):
    monkeypatch.setattr(health, "LAYER_TIMEOUT_S", PATIENCE_S)


async def test_process_is_alive_without_a_worker(async_client):
    response = await async_client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok\n")


async def test_site_is_ready_when_all_parts_answer(async_client):
    await run_in_db_thread(heartbeat.beat, timezone.now(), heartbeat.WORKER)
    response = await async_client.get("/readyz")
    assert response.status_code == 200
    parts = ("serving", "database", "layer", "worker", "dice")
    assert response.json() == dict.fromkeys(parts, True)


async def test_site_is_not_ready_without_a_worker(async_client):
    response = await async_client.get("/readyz")
    assert response.status_code == 503
    assert response.json()["worker"] is False


async def test_site_is_not_ready_when_the_worker_is_silent(async_client):
    await run_in_db_thread(heartbeat.beat, timezone.now() - timedelta(minutes=1), heartbeat.WORKER)
    response = await async_client.get("/readyz")
    assert response.status_code == 503


async def test_site_is_not_ready_when_the_channel_layer_fails(async_client, monkeypatch, caplog):
    class Broken:
        async def new_channel(self):
            raise OSError("no layer")

    monkeypatch.setattr("config.health.get_channel_layer", Broken)
    await run_in_db_thread(heartbeat.beat, timezone.now(), heartbeat.WORKER)
    response = await async_client.get("/readyz")
    assert response.status_code == 503
    found = {"serving": True, "database": True, "layer": False, "worker": True, "dice": True}
    assert response.json() == found
    assert "readiness probe failed: layer" in caplog.text
