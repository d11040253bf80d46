"""The races over tournaments, and the functions that racer.py calls by name."""

from tests.load import race_closing, race_tournaments
from tests.load.race import Race, Rounds
from tests.load.race_setup import faults_of_books

__all__ = ["faults_of_books"]

RACES = {
    "withdrawal_against_start": Race(
        race_tournaments.arrange_entry,
        race_tournaments.withdraw_in_the_last_millisecond,
        race_tournaments.start,
        race_tournaments.judge_withdrawal,
    ),
    "entry_against_start": Race(
        race_tournaments.arrange_entry,
        race_tournaments.enter_in_the_last_millisecond,
        race_tournaments.start,
        race_tournaments.judge_entry,
    ),
    "last_result_against_void": Race(
        race_tournaments.arrange_final,
        race_tournaments.resign_the_final_and_go_on,
        race_tournaments.void,
        race_tournaments.judge_void,
    ),
    "two_workers_open_a_table": Race(
        race_tournaments.arrange_round,
        race_tournaments.open_table,
        race_tournaments.open_table_too,
        race_tournaments.judge_tables,
    ),
    "table_against_void": Race(
        race_tournaments.arrange_round,
        race_tournaments.open_table,
        race_tournaments.void,
        race_tournaments.judge_table_of_void,
    ),
    "joining_against_end_of_window": Race(
        race_tournaments.arrange_window,
        race_tournaments.come_in_the_last_millisecond,
        race_tournaments.close_the_window,
        race_tournaments.judge_window,
    ),
    "stake_game_against_start": Race(
        race_tournaments.arrange_seek,
        race_tournaments.join_in_the_last_millisecond,
        race_tournaments.close_the_announcement,
        race_tournaments.judge_seek,
    ),
    "entry_against_closing_the_account": Race(
        race_closing.arrange,
        race_closing.enter_again,
        race_closing.close,
        race_closing.judge_entry,
    ),
    "table_against_closing_the_account": Race(
        race_tournaments.arrange_round,
        race_closing.open_table,
        race_closing.close_finalist,
        race_closing.judge_table,
    ),
    "closing_the_account_against_start": Race(
        race_closing.arrange,
        race_closing.close,
        race_closing.start,
        race_closing.judge_start,
    ),
}
_ROUNDS = Rounds(RACES)
arrange, run, judge = _ROUNDS.arrange, _ROUNDS.run, _ROUNDS.judge
