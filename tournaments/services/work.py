"""The deadlines of tournaments, each with a loop of its own in the worker."""

from tournaments.services import ending, rounds, schedules, starting, tables

ALL = (schedules.WORK, starting.WORK, tables.WORK, rounds.WORK, ending.WORK)
