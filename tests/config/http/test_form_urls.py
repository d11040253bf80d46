"""A browser that opens a form's URL by GET is shown a link; other clients get no content."""

import pytest
from django.urls import reverse

from tests.accounts.factories import sign_in
from tests.tournaments.factories import announced, members

pytestmark = pytest.mark.django_db
BROWSER = {"HTTP_ACCEPT": "text/html,application/xhtml+xml,*/*;q=0.8"}


def test_url_of_a_form_leads_a_browser_to_the_page_of_the_form(client):
    tournament = announced()
    sign_in(client, members(1)[0])
    address = f"/tournaments/{tournament.public_id}/"
    answer = client.get(f"{address}enter/", **BROWSER)
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert f'href="{address}">Go to that page' in answer.content.decode()


def test_url_of_a_form_whose_page_is_unknown_leads_a_browser_home(client):
    answer = client.get(reverse("set_theme"), **BROWSER)
    assert answer.status_code == 405
    assert "Go to the home page" in answer.content.decode()


def test_other_clients_get_an_answer_without_content(client):
    refused = client.put("/training/", headers={"Accept": "*/*"})
    assert (refused.status_code, refused.content) == (405, b"")
