"""Markup in every text that another person reads, in a browser: nothing of it runs or is loaded.

The fixture `watch` fails on any error in the console, such as those for a script that the policy
blocks and for a picture that does not exist, and on any request to another host.
"""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.apps import apps
from django.db import connections, models
from django.test import Client
from django.urls import reverse

from tests.accounts.factories import sign_in
from tests.journeys.visitors import DESK, continue_session
from tests.pages.gallery import make_gallery
from tests.pages.markup import MARK, TEXTS

# The gallery begins every text of a person with this.
WRITTEN = "xyzzy"
# For fields that are too short for `TEXTS`.
SHORT = f"<img src=x onerror={MARK}()>"
SHORTEST = "<b><i>"
HAS_RUN = f"window.{MARK}_ran"
IS_COMPLETE = "() => !document.querySelector('.htmx-request')"
TEXT_FIELDS = (models.CharField, models.TextField)


def text_for(field, number):
    """Return markup that fits into the field; only very short fields get one without `MARK`."""
    longest = field.max_length or len(TEXTS[0])
    fitting = [TEXTS[number % len(TEXTS)][:longest], SHORT, SHORTEST]
    return next(text for text in fitting if len(text) <= longest and (MARK in text or longest < 30))


def write_markup():
    """Replace the gallery's texts by markup; return the names of the fields that had a text."""
    found = []
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if not isinstance(field, TEXT_FIELDS) or field.unique or field.choices:
                continue
            rows = model._base_manager.filter(**{f"{field.attname}__startswith": WRITTEN})
            if rows.exists():
                found.append(f"{model._meta.label}.{field.name}")
                rows.update(**{field.attname: text_for(field, len(found))})
    return found


@pytest.fixture
def written(unhurried, transactional_db, settings):
    """Return the gallery with markup in its texts, their fields' names, and three browsers."""

    def make():
        try:
            gallery = make_gallery()
            people = (gallery.anna, gallery.boris, gallery.staff)
            return gallery, write_markup(), [sign_in(Client(), each) for each in people]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        yield pool.submit(make).result()


@pytest.mark.slow
def test_no_markup_in_a_text_runs_in_a_readers_browser(written, open_context, live, watch):
    gallery, fields, (anna, boris, boss) = written
    assert {"chat.Message.body", "accounts.Note.text", "tournaments.Tournament.name"} <= {*fields}
    assert len(fields) >= 8, fields
    context = open_context(viewport=DESK)
    context.add_init_script(f"window.{MARK} = () => {{ {HAS_RUN} = true; }}")
    page = context.new_page()
    page.on("dialog", lambda dialog: watch.faults.append(dialog.message))
    for browser, addresses in ((anna, of_anna(gallery)), (boris, of_boris(gallery)), (boss, ADMIN)):
        continue_session(context, live, browser)
        for address in addresses:
            page.goto(address)
            page.wait_for_function(IS_COMPLETE)
            assert not page.evaluate(HAS_RUN), address
            assert page.locator(f"[src=x], [onerror], [onload*={MARK}]").count() == 0, address


def of_anna(gallery):
    tournament, boris = gallery.tournaments["announced"].public_id, gallery.boris.public_id
    return [
        reverse("chat:conversations"),
        reverse("chat:conversation", args=[boris]),
        reverse("chat:silence"),
        reverse("people:player", args=[boris]),
        reverse("people:card", args=[boris]),
        reverse("support:ticket", args=[gallery.ticket.public_id]),
        reverse("lobby:presets"),
        reverse("tournaments:tournaments"),
        reverse("tournaments:tournament", args=[tournament]),
        reverse("tournaments:tv", args=[tournament]),
        reverse("games:match", args=[gallery.finished.public_id]),
    ]


def of_boris(gallery):
    return [
        reverse("chat:conversation", args=[gallery.anna.public_id]),
        reverse("people:player", args=[gallery.anna.public_id]),
        reverse("tournaments:tournament", args=[gallery.tournaments["knockout"].public_id]),
        reverse("games:match", args=[gallery.finished.public_id]),
    ]


ADMIN = [
    f"/admin/{page}/"
    for page in (
        "chat/message",
        "chat/report",
        "chat/silence",
        "chat/ticket",
        "tournaments/tournament",
    )
]
