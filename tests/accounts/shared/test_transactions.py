"""Announcements after the commit."""

from functools import partial

import pytest

from accounts.shared.transactions import announce_after_commit, write_transaction


@pytest.mark.django_db(transaction=True)
def test_failing_announcement_is_logged_and_keeps_the_others(caplog):
    announced = []
    with write_transaction():
        announce_after_commit(partial(int, "no number"))
        announce_after_commit(partial(announced.append, "later"))
        assert announced == []
    assert announced == ["later"]
    assert "invalid literal" in caplog.text
