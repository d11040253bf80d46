"""The picture of a tournament and its Open Graph tags."""

import io
import re

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from tests.tournaments.factories import TournamentRun, announced, enter, members
from tournaments.exports import share_picture
from tournaments.models import Tournament

pytestmark = [pytest.mark.django_db, pytest.mark.portable]


def picture_of(client: Client, tournament: Tournament):
    return client.get(reverse("tournaments:picture", args=[tournament.public_id]))


@pytest.mark.parametrize("format", ["KNOCKOUT", "ROUND_ROBIN", "SWISS"])
def test_the_picture_is_a_png_of_the_size_that_the_page_names(client: Client, format: str) -> None:
    run = TournamentRun(3, format=format).start().play()
    answer = picture_of(client, run.tournament)
    assert answer["Content-Type"] == "image/png"
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)
    page = client.get(reverse("tournaments:tournament", args=[run.tournament.public_id]))
    tags = dict(re.findall(r'property="og:([a-z:_]+)" content="([^"]*)"', page.content.decode()))
    assert (tags["image:width"], tags["image:height"]) == ("1200", "630")
    assert tags["title"] == "Evening cup"
    assert "Prize: 300" in tags["description"]
    path = tags["image"].removeprefix("http://testserver")
    assert client.get(path).content == answer.content


def test_the_picture_is_drawn_once_until_somebody_enters(client: Client, monkeypatch) -> None:
    tournament, drawn = announced(), []
    draw = share_picture.png_of
    monkeypatch.setattr(share_picture, "png_of", lambda shown: drawn.append(shown) or draw(shown))
    assert picture_of(client, tournament).content == picture_of(client, tournament).content
    assert len(drawn) == 1
    enter(tournament, members(1), tournament.created_at)
    picture_of(client, tournament)
    assert [shown.entrants for shown in drawn] == [0, 1]


def test_a_proposal_has_no_picture(client: Client) -> None:
    made = announced()
    Tournament.objects.filter(pk=made.pk).update(state="PROPOSED")
    assert picture_of(client, made).status_code == 404
