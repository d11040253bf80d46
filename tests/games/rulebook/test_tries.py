"""Readers try plays in the diagrams, under the rules of a match or of a rule set."""

import json
import re
from uuid import uuid4

import pytest
from django.test import Client
from django.utils.translation import override

from games.engine.errors import Reason
from games.engine.rules import BlockRule, HitRule, Profile, Rules, Variant
from games.models.actor import Actor
from games.rulebook.diagrams import EXAMPLES
from games.rulebook.reasons import reason_sentence
from games.rulebook.tries import Try, may_be_tried
from tests.accounts.factories import member, sign_in
from tests.games.factories import MatchFactory
from tests.games.rulebook.rules_claims import PLAYS

TRIED = [
    (variant, name)
    for variant, examples in EXAMPLES.items()
    for name, example in examples.items()
    if may_be_tried(example)
]


@pytest.mark.parametrize(("variant", "name"), TRIED)
def test_verdict_on_a_tried_play_agrees_with_the_prose(variant, name):
    for check in PLAYS[variant, name]:
        verdict = Try(name, Rules.of(variant, **check.rules), check.play).verdict
        assert verdict.is_allowed == (check.reason is None), check
        if check.reason:
            assert verdict.reason == reason_sentence(check.reason) or check.reason in (
                Reason.POINT_CLOSED,
                Reason.NOT_HOME,
                Reason.HIGHER_CHECKER,
            )
            assert verdict.reason


@pytest.mark.parametrize(("variant", "name"), TRIED)
def test_list_of_plays_for_pages_without_scripts_has_allowed_plays(variant, name):
    tried = Try(name, Rules.of(variant))
    judged = [Try(name, tried.rules, choice).verdict for choice in tried.choices]
    assert any(verdict.is_allowed for verdict in judged)
    assert all(verdict.is_read for verdict in judged)


def test_verdict_depends_on_the_rules_of_the_match():
    classic = Rules.of("short")
    careful = Rules.of("short", hit=HitRule.NO_HIT_AND_RUN)
    assert Try("hit_and_run", classic, "8/7*/5").is_over
    assert not Try("hit_and_run", careful, "8/7*/5").is_over
    assert Try("head_second", Rules.of("long"), "24/18 24/22").is_over
    federation = Rules.of("long", Profile.FEDERATION)
    assert not Try("head_second", federation, "24/18 24/22").is_over


def test_diagram_that_is_unknown_or_has_no_roll_cannot_be_tried():
    for name in ("start", "gone"):
        with pytest.raises(KeyError):
            Try(name, Rules.of("short"))


@pytest.mark.parametrize("language", ["ru", "tr"])
def test_reasons_are_translated(language):
    english = [reason_sentence(reason, [7]) for reason in Reason]
    with override(language):
        translated = [reason_sentence(reason, [7]) for reason in Reason]
    assert sum(map(bool, english)) >= 15
    assert all(one != other or not one for one, other in zip(english, translated, strict=True))


# --- The page ------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_page_offers_each_diagram_with_a_roll(client):
    for variant in Variant:
        page = client.get(f"/en/rules/{variant}/").content.decode()
        offered = re.findall(r'href="/en/rules/\w+/\?try=(\w+)#try"', page)
        assert sorted(offered) == sorted(name for each, name in TRIED if each is variant)


@pytest.mark.django_db
def test_play_can_be_sent_by_a_plain_form(client):
    address = "/en/rules/short/?try=enter"
    page = client.get(address).content.decode()
    assert '<input type="radio" name="answer" value="bar/22 13/7">' in page
    allowed = client.post(address, {"answer": "bar/22 13/7"}).content.decode()
    assert "The rules allow this play." in allowed
    assert 'data-part="exercise"' not in allowed
    refused = client.post(address, {"answer": "bar/19 13/10"}).content.decode()
    assert "The rules do not allow this play here.</strong> Point 19 is closed" in refused
    assert client.post(address, {}).status_code == 422


@pytest.mark.django_db
def test_answer_without_a_csrf_token_is_refused():
    browser = Client(enforce_csrf_checks=True)
    address = "/en/rules/short/?try=enter"
    assert browser.post(address, {"answer": "bar/22 13/7"}).status_code == 403
    page = browser.get(address).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    sent = {"answer": "bar/22 13/7", "csrfmiddlewaretoken": token}
    assert browser.post(address, sent).status_code == 200


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/en/rules/short/?try=gone", "/en/rules/short/?try=start"])
def test_diagram_that_is_unknown_or_has_no_roll_is_not_found(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.django_db
def test_answer_without_a_diagram_is_not_found(client):
    assert client.post("/en/rules/short/", {"answer": "24/23"}).status_code == 404


@pytest.mark.django_db
def test_board_has_the_plays_of_the_chosen_rule_set(client):
    def plays(query):
        page = client.get(f"/en/rules/long/?{query}try=head_second").content.decode()
        form = re.search(r'<form method="post"[^>]*data-part="exercise".*?</form>', page, re.DOTALL)
        data = re.search(r'<script type="application/json">(.*?)</script>', form[0])[1]
        return json.loads(data)["plays"]

    assert plays("") == plays("rules=nonsense&") != plays("rules=federation&")


@pytest.mark.django_db
def test_rules_of_a_match_are_shown_only_to_people_who_may_see_it(client):
    anna = member("annika")
    rules = Rules.of("long", length=7, block=BlockRule.END_OF_TURN)
    match = MatchFactory(player=Actor(user_id=anna.pk), rules=rules)
    address = f"/en/rules/long/?match={match.public_id}"
    assert "The rules of your match" not in client.get(address).content.decode()
    sign_in(client, anna)
    page = client.get(address).content.decode()
    assert "The rules of your match" in page
    assert "to 7 points" in page
    assert f"?match={match.public_id}&amp;try=head#try" in page
    assert f'href="/match/{match.public_id}/"' in page
    table = client.get(f"/match/{match.public_id}/").content.decode()
    assert f'href="{address}"' in table
    for wrong in (f"/en/rules/short/?match={match.public_id}", f"{address}x", f"{address[:-3]}"):
        assert "The rules of your match" not in client.get(wrong).content.decode()


@pytest.mark.django_db
def test_guest_reads_the_rules_of_their_own_match(client):
    guest = uuid4()
    session = client.session
    session["guest"] = str(guest)
    session.save()
    match = MatchFactory(player=Actor(guest=guest), rules=Rules.of("short", length=3))
    page = client.get(f"/en/rules/short/?match={match.public_id}").content.decode()
    assert "to 3 points" in page
