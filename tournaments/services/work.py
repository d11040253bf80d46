"""All kinds of deadlines of tournaments; the worker runs a loop for each."""

from tournaments.services import ending, rounds, schedules, starting, tables

ALL = (schedules.WORK, starting.WORK, tables.WORK, rounds.WORK, ending.WORK)
