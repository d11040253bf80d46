"""Figures in the texts of pages equal those in the code, in every language."""

import re
from datetime import timedelta

import polib
import pytest
from django.conf import settings

from accounts.profile.avatar_images import MAX_BYTES
from accounts.sessions import origins
from config.i18n.translations import catalog_paths
from games.models.kind import STAKE
from games.stakes.play_time import BREAK
from games.stakes.terms import MIN_STAKE
from stats.rating import START
from tournaments.services.announcing import OFTEN_EVERY

FIGURES = {
    "Games start at 10 credits": MIN_STAKE,
    "Everyone starts at 1500 in each game": START,
    "For 30 days we keep fingerprints of the networks": origins.KEPT_FOR.days,
    "you may be away for 90 seconds in all": STAKE.absence_budget_ms // 1000,
    "tournaments since your last break of 30 minutes": BREAK // timedelta(minutes=1),
    "JPEG, PNG or WebP, up to 2 MB": MAX_BYTES // 2**20,
    "it moves by 10 minutes until somebody does": OFTEN_EVERY // timedelta(minutes=1),
    "the start moves by 10 minutes each time": OFTEN_EVERY // timedelta(minutes=1),
}


@pytest.mark.parametrize("part", FIGURES)
def test_sentences_name_the_figure_of_the_code_in_every_language(part: str) -> None:
    figure = str(FIGURES[part])
    assert re.findall(r"\d+", part) == [figure]
    found = {
        language: [entry.msgstr for entry in polib.pofile(str(path)) if part in entry.msgid]
        for language, path in catalog_paths()
        if path.name == "django.po"
    }
    assert found.keys() == dict(settings.LANGUAGES).keys()
    for (text,) in found.values():
        assert figure in re.findall(r"\d+", text), text
