"""Pages of a match besides its table: the review with its steps, and the exported files."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from games.engine.board.position import Position
from games.engine.formats import gnu_id, xgid
from games.engine.formats.json_export import checked_state, from_export
from games.engine.match.state import Phase
from games.engine.rules import Rules, Variant
from games.engine.sides import Side
from games.exports.match_file import export_of
from tests.games.browsing import browser_of, data_in
from tests.games.factories import FriendlySitting, Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.portable]

PAGES = ("match", "review", "export_json", "export_mat")
TURNS = 6


def address(sitting: Sitting, page: str = "review") -> str:
    return reverse(f"games:{page}", args=[sitting.public_id])


def begun(variant: str = "short", length: int = 3, turns: int = TURNS) -> Sitting:
    """Return a match after some turns of its first game."""
    sitting = Sitting(Rules.of(variant, length=length)).sit().start_game()
    for _ in range(2 * turns):
        sitting.act_simply()
    return sitting


def read(sitting: Sitting, page: str = "review", query: str = "") -> str:
    answer = browser_of(sitting).get(address(sitting, page) + query)
    assert answer.status_code == 200
    return answer.content.decode()


def plays_of(sitting: Sitting) -> list[str]:
    return [row.data["text"] for row in sitting.match.actions.filter(verb="play").order_by("seq")]


@pytest.mark.parametrize("variant", ["short", "long"])
def test_every_play_is_listed_without_script(variant: str) -> None:
    sitting = begun(variant)
    page = read(sitting)
    for text in plays_of(sitting):
        assert (text if text != "-" else "no legal move") in page


@pytest.mark.parametrize("factor", [1, 2, 3])
def test_offer_to_resign_names_the_kind_of_win_and_its_points(factor: int) -> None:
    sitting = begun()
    sitting.do("resign", side=sitting.state.turn, factor=factor)
    offers = ["single game (1 point)", "mars (2 points)", "koks (3 points)"]
    assert f"offers to resign: {offers[factor - 1]}" in read(sitting)


def test_opening_roll_says_whose_die_is_which() -> None:
    sitting = begun()
    first = sitting.match.actions.filter(verb="opening").order_by("seq").first().data
    assert f"opening roll: White {first['white']}, Black {first['black']}" in read(sitting)


def test_steps_end_at_the_current_position() -> None:
    sitting = begun()
    steps = data_in(read(sitting), "review-steps")
    state = sitting.state
    assert steps[-1]["view"]["white"] == list(state.position.white)
    assert [step["seq"] for step in steps] == sorted({step["seq"] for step in steps})
    rolls_and_plays = sitting.match.actions.filter(verb__in=["opening", "roll", "play"]).count()
    assert len(steps) == rolls_and_plays


def test_each_game_has_its_page() -> None:
    sitting = begun(turns=1).play_until(Phase.TO_ROLL, Phase.TO_PLAY)
    while sitting.state.turn is not Side.WHITE or 1 not in sitting.may()["resign"]:
        sitting.act_simply()
    sitting.do("resign", factor=1)
    sitting.do("accept", side=Side.BLACK)
    sitting.do("next")
    assert sitting.state.game == 2
    first, second = (data_in(read(sitting, query=f"?game={n}"), "review-steps") for n in (1, 2))
    assert [step["kind"] for step in first[-2:]] == ["resign", "accept"]
    assert first[-1]["ends_game"]
    assert {step["kind"] for step in second} == {"opening"}
    assert "Game 2" in read(sitting)


@pytest.mark.parametrize("game", ["0", "2", "99999999999999", "-1", "x", "²"])
def test_unplayed_game_is_not_found_and_an_invalid_number_is_ignored(game: str) -> None:
    sitting = begun()
    answer = browser_of(sitting).get(address(sitting), {"game": game})
    assert answer.status_code in ((404,) if game in ("0", "2") else (200,))


def test_match_without_a_played_game_has_only_the_page_of_game_one() -> None:
    sitting = FriendlySitting(is_public=True).sit()
    sitting.do("leave")
    sitting.match.refresh_from_db()
    assert sitting.match.is_finished
    for game, status in ((1, 200), (2, 404), (3, 404)):
        assert Client().get(address(sitting), {"game": game}).status_code == status


def test_page_without_a_game_shows_a_hint() -> None:
    assert "No game has started yet" in read(Sitting(Rules.of("short")))


def test_match_that_ended_before_its_first_game_offers_no_review() -> None:
    sitting = Sitting(Rules.of("short")).sit()
    sitting.do("resign_match")
    page = read(sitting)
    assert "No game was played in this match." in page
    assert "No game has started yet" not in page
    assert "review-ask" not in page


@pytest.mark.parametrize("variant", ["short", "long"])
def test_dice_check_links_to_the_formula_in_the_rules_of_its_game(variant: str) -> None:
    rules = reverse(f"rules_{variant}")
    assert f'href="{rules}#check-dice"' in read(begun(variant, turns=1))
    assert 'id="check-dice"' in Client().get(rules).content.decode()


def test_page_of_a_running_match_links_to_its_table() -> None:
    sitting = begun()
    assert f'href="{address(sitting, "match")}"' in read(sitting)


def test_finished_match_shows_winner_and_secret() -> None:
    sitting = begun()
    assert "revealed when the match is over" in read(sitting)
    sitting.do("resign_match")
    page = read(sitting)
    assert "Black won the match" in page
    assert sitting.state.proof.secret in page
    export = export_of(sitting.match)
    known = {name: export[name] for name in ("id", "variant", "rules", "result")}
    assert data_in(page, "review-record") == {**known, "commitment": export["dice"]["commitment"]}


@pytest.mark.parametrize("page", PAGES)
def test_training_match_is_shown_to_its_player_only(page: str) -> None:
    sitting, other = begun(turns=1), Sitting(Rules.of("short"))
    assert browser_of(sitting).get(address(sitting, page)).status_code == 200
    assert browser_of(other).get(address(sitting, page)).status_code == 404
    assert Client().get(address(sitting, page)).status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_match_pages_refuse_post(page: str) -> None:
    sitting = begun(turns=1)
    assert browser_of(sitting).post(address(sitting, page)).status_code == 405


def test_table_page_passes_data_to_its_script() -> None:
    sitting = Sitting(Rules.of("long", length=5), side=Side.BLACK)
    boot = data_in(read(sitting, "match"), "match-boot")
    assert boot["id"] == sitting.public_id
    assert boot["ws"] == f"/ws/match/{sitting.public_id}/"
    assert (boot["variant"], boot["length"], boot["side"]) == ("long", 5, "black")
    assert boot["urls"]["review"] == address(sitting)
    assert boot["urls"]["after"] == "/training/"


@pytest.mark.parametrize("variant", ["short", "long"])
def test_json_export_contains_the_whole_match(variant: str) -> None:
    sitting = begun(variant)
    running = from_export(json.loads(read(sitting, "export_json")))
    assert checked_state(running) == sitting.state
    assert running.dice["secret"] is None
    sitting.do("resign_match")
    finished = from_export(json.loads(read(sitting, "export_json")))
    assert checked_state(finished) == sitting.state
    assert finished.dice["secret"] == sitting.state.proof.secret
    assert finished.result["winner"] == "black"


def test_exports_have_file_names() -> None:
    sitting = begun()
    answer = browser_of(sitting).get(address(sitting, "export_mat"))
    name = f'attachment; filename="5stars-{sitting.public_id}.mat"'
    assert answer["Content-Disposition"] == name
    assert answer["Content-Type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("variant", "page", "status"),
    [
        ("short", "export_mat", 200),
        ("short", "export_text", 404),
        ("long", "export_mat", 404),
        ("long", "export_text", 200),
    ],
)
def test_each_variant_has_its_text_export(variant: str, page: str, status: int) -> None:
    sitting = begun(variant, turns=1)
    assert browser_of(sitting).get(address(sitting, page)).status_code == status


def test_a_position_of_short_backgammon_has_identifiers_at_every_step() -> None:
    sitting = begun()
    steps = data_in(read(sitting), "review-steps")
    for step in steps:
        moment = xgid.decode(step["identifiers"]["xgid"])
        assert list(moment.position.white) == step["view"]["white"]
        assert moment.turn.value == step["view"]["turn"]
        read_back = gnu_id.decode(step["identifiers"]["gnu_id"])
        assert read_back.position == moment.position
    page = read(sitting, query="?step=3")
    assert f'value="{steps[3]["identifiers"]["xgid"]}"' in page
    assert f'value="{steps[3]["identifiers"]["gnu_id"]}"' in page


def test_a_position_of_long_nardy_is_written_as_text() -> None:
    sitting = begun("long")
    steps = data_in(read(sitting), "review-steps")
    for step in steps:
        position = Position.from_text(step["identifiers"]["text"], Variant.LONG)
        assert list(position.white) == step["view"]["white"]
    assert f'value="{steps[2]["identifiers"]["text"]}"' in read(sitting, query="?step=2")


def test_position_at_the_end_of_a_match_has_no_identifier() -> None:
    sitting = begun()
    sitting.do("resign_match", side=Side.WHITE)
    last = data_in(read(sitting), "review-steps")[-1]
    assert last["identifiers"] == {}
    page = read(sitting, query="?step=999")
    assert "This moment of the game has no ID." in page
    assert 'data-form="xgid" hidden' in page
