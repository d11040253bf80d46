"""Each reason of the coach except `wins_more` has its own sentence."""

from games.ai.judge.reason_codes import Reason
from games.coach.reason_texts import REASON_TEXTS, reason_texts


def test_every_reason_except_wins_more_has_its_own_sentence() -> None:
    assert set(REASON_TEXTS) == {reason.value for reason in Reason} - {"wins_more"}
    texts = list(reason_texts().values())
    assert all(text.endswith(".") for text in texts)
    assert len(set(texts)) == len(texts)
