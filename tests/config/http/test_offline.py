"""The page for a lost connection, and the service worker that keeps it on the device."""

import json
import re
from pathlib import Path

import pytest
from django.contrib.staticfiles.finders import find

from config.http import offline
from tests.accounts.factories import member


def worker_of(client, language="en"):
    """Return the text of the service worker and the settings that it contains."""
    script = client.get(f"/sw.js?language={language}").content.decode()
    found = re.search(r"= (\{.*\});\n", script)
    return script, json.loads(found[1])


@pytest.mark.parametrize(
    ("language", "title"), [("ru", "Нет связи"), ("en", "No connection"), ("tr", "Bağlantı yok")]
)
def test_offline_page_is_in_the_requested_language(client, language, title):
    text = client.get(f"/offline/?language={language}").content.decode()
    assert f'<html lang="{language}">' in text
    assert f"<h1>{title}</h1>" in text


def test_service_worker_is_served_for_the_whole_site_and_revalidated(client):
    response = client.get("/sw.js?language=ru")
    assert response.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert "no-cache" in response.headers["Cache-Control"]
    assert worker_of(client, "ru")[1]["page"] == "/offline/?language=ru"


def test_unknown_language_is_never_written_into_the_script(client):
    script, kept = worker_of(client, '"};alert(1)//')
    assert "alert" not in script
    assert kept["page"] in {f"/offline/?language={each}" for each in ("ru", "en", "tr")}


def test_service_worker_keeps_exactly_the_offline_page_and_what_it_loads(client):
    kept = worker_of(client)[1]
    page = client.get(kept["page"]).content.decode()
    loaded = set(re.findall(r'(?:src|href)="(/static/[^"]+)"', page))
    script = Path(find("js/site/offline.js")).read_text()
    imported = re.findall(r'from "\.\./(lib/[^"]+)"', script)
    assert imported
    assert set(kept["files"]) == loaded | {f"/static/js/{name}" for name in imported}


def test_another_text_or_file_gives_the_service_worker_another_cache(client, monkeypatch):
    before = worker_of(client)[1]["cache"]
    assert worker_of(client)[1]["cache"] == before
    assert worker_of(client, "ru")[1]["cache"] != before
    monkeypatch.setattr(offline, "static", lambda name: f"/static/deployed/{name}")
    assert worker_of(client)[1]["cache"] != before


@pytest.mark.django_db
def test_offline_page_reveals_nothing_of_the_member(client):
    client.force_login(member("Anna77"))
    response = client.get("/offline/?language=en")
    assert "Anna77" not in response.content.decode()
    assert not response.cookies
