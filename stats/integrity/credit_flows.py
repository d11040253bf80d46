"""Findings about the one-way flows of credits that one_way.py computes."""

from collections.abc import Collection
from datetime import datetime

from stats.integrity import one_way
from stats.integrity.findings import Finding, matches_between
from stats.models import Evidence

KIND = Evidence.Kind.FLOW


def about(user_ids: Collection[int], now: datetime) -> list[Finding]:
    return [_finding(flow, now) for flow in one_way.between(user_ids, now)]


def striking(now: datetime) -> list[Finding]:
    return [_finding(flow, now) for flow in one_way.flows(now)]


def _finding(flow: one_way.Flow, now: datetime) -> Finding:
    pair = (flow.gainer.pk, flow.payer.pk)
    figures = {
        "days": one_way.THRESHOLD.days,
        "played": flow.matches,
        "won": flow.won,
        "won_percent": flow.percent,
        "credits": flow.credits,
        "given_up": flow.given_up,
        "matches": matches_between(*pair, now),
    }
    return Finding(KIND, pair, figures, one_way.reaches(flow))
