"""The races between two processes, and the functions that racer.py calls by name."""

from tests.load import race_challenges, race_matches, race_rematches, race_searches, race_seeks
from tests.load.deadline_setup import (
    arrange_both_gone,
    arrange_deadlines,
    check_ended_match,
    silence_s,
    unsettled,
)
from tests.load.race import Race, Rounds
from tests.load.race_setup import faults_of_books

__all__ = [
    "arrange_both_gone",
    "arrange_deadlines",
    "check_ended_match",
    "faults_of_books",
    "silence_s",
    "unsettled",
]

RACES = {
    "two_joiners": Race(
        race_seeks.arrange,
        race_seeks.join,
        race_seeks.join_as_rival,
        race_seeks.judge_joiners,
    ),
    "join_against_cancel": Race(
        race_seeks.arrange,
        race_seeks.join,
        race_seeks.cancel,
        race_seeks.judge_cancel,
    ),
    "join_against_expiry": Race(
        race_seeks.arrange,
        race_seeks.join_in_the_last_millisecond,
        race_seeks.expire,
        race_seeks.judge_expiry,
    ),
    "join_against_closing_the_joiners_account": Race(
        race_seeks.arrange,
        race_seeks.join,
        race_seeks.close_joiner,
        race_seeks.judge_closing_joiner,
    ),
    "announcement_against_closing_its_owners_account": Race(
        race_seeks.arrange,
        race_seeks.announce_as_rival,
        race_seeks.close_rival,
        race_seeks.judge_closing_rival,
    ),
    "pairing_for_credits_against_cancel": Race(
        race_searches.arrange_two_for_credits,
        race_searches.pair_first_and_second,
        race_searches.cancel,
        race_searches.judge_cancel,
    ),
    "friendly_pairing_against_cancel": Race(
        race_searches.arrange_two_friendly,
        race_searches.pair_first_and_second,
        race_searches.cancel,
        race_searches.judge_cancel,
    ),
    "two_pairings_for_credits": Race(
        race_searches.arrange_three_for_credits,
        race_searches.pair_first_and_second,
        race_searches.pair_first_and_third,
        race_searches.judge_two_pairings,
    ),
    "two_friendly_pairings": Race(
        race_searches.arrange_three_friendly,
        race_searches.pair_first_and_second,
        race_searches.pair_first_and_third,
        race_searches.judge_two_pairings,
    ),
    "friendly_pairing_against_closing_the_account": Race(
        race_searches.arrange_two_friendly,
        race_searches.pair_first_and_second,
        race_searches.close_first,
        race_searches.judge_closing,
    ),
    "search_against_closing_the_account": Race(
        race_searches.arrange_one_friendly,
        race_searches.search_too,
        race_searches.close_first,
        race_searches.judge_closing,
    ),
    "pairing_against_join": Race(
        race_searches.arrange_two_for_credits,
        race_searches.pair_first_and_second,
        race_searches.join_as_third,
        race_searches.judge_join,
    ),
    "join_against_renewal": Race(
        race_searches.arrange_renewed,
        race_searches.join_renewed,
        race_searches.renew,
        race_searches.judge_renewed,
    ),
    "two_accepts": Race(
        race_challenges.arrange,
        race_challenges.accept_in_a_tab,
        race_challenges.accept_in_a_tab,
        race_challenges.judge_accepts,
    ),
    "accept_against_cancel": Race(
        race_challenges.arrange,
        race_challenges.accept,
        race_challenges.cancel,
        race_challenges.judge_cancel,
    ),
    "accept_against_decline": Race(
        race_challenges.arrange,
        race_challenges.accept,
        race_challenges.decline,
        race_challenges.judge_answers,
    ),
    "accept_against_expiry": Race(
        race_challenges.arrange,
        race_challenges.accept_in_the_last_millisecond,
        race_challenges.invite_after_its_end,
        race_challenges.judge_expiry,
    ),
    "accept_against_block": Race(
        race_challenges.arrange,
        race_challenges.accept,
        race_challenges.block_the_maker,
        race_challenges.judge_block,
    ),
    "accept_against_a_joiner_of_the_challenged_members_game": Race(
        race_challenges.arrange_own_game,
        race_challenges.accept,
        race_challenges.join_as_third,
        race_challenges.judge_own_game,
    ),
    "accept_against_joining_another_game": Race(
        race_challenges.arrange_other_game,
        race_challenges.accept,
        race_challenges.join_the_thirds_game,
        race_challenges.judge_other_game,
    ),
    "decline_against_cancel": Race(
        race_challenges.arrange,
        race_challenges.decline,
        race_challenges.cancel,
        race_challenges.judge_decline,
    ),
    "accept_against_closing_the_makers_account": Race(
        race_challenges.arrange,
        race_challenges.accept,
        race_challenges.close_maker,
        race_challenges.judge_closing,
    ),
    "accept_against_closing_the_challenged_members_account": Race(
        race_challenges.arrange,
        race_challenges.accept,
        race_challenges.close_challenged,
        race_challenges.judge_closing,
    ),
    "move_against_flag": Race(
        race_matches.arrange_flag,
        race_matches.move_in_the_last_millisecond,
        race_matches.settle_flag,
        race_matches.judge_flag,
    ),
    "claim_against_return": Race(
        race_matches.arrange_claim,
        race_matches.claim,
        race_matches.come_back,
        race_matches.judge_claim,
    ),
    "both_offer_rematch": Race(
        race_rematches.arrange_offers,
        race_rematches.offer_as_white,
        race_rematches.offer_as_black,
        race_rematches.judge_offers,
    ),
    "rematch_against_join": Race(
        race_rematches.arrange_accept,
        race_rematches.accept_as_white,
        race_rematches.join_as_third,
        race_rematches.judge_accept,
    ),
}
_ROUNDS = Rounds(RACES)
arrange, run, judge = _ROUNDS.arrange, _ROUNDS.run, _ROUNDS.judge
