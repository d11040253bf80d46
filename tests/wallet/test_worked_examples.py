"""Run the worked examples of wallet/README.md."""

import ast
import re
from pathlib import Path

import pytest

from accounts.shared.transactions import write_transaction
from tests.wallet.factories import NOW, TRIAL, balance, user_account
from wallet import errors
from wallet.models import Hold
from wallet.money import House
from wallet.services import accounts, holds, transfers, welcome
from wallet.services.transfers import Cause

pytestmark = [pytest.mark.django_db, pytest.mark.both]

README = (Path(__file__).parents[2] / "wallet" / "README.md").read_text()
TABLE = re.compile(r"\| asked for (\|.*\|)\n\|[-:|]+\n((?:\|.*\|\n)+)")
STEP = re.compile(r"`(\w+) ([^`]+)`(?: refused: (\w+)(?:, (\d+) missing)?)?")


def titled_tables():
    """Yield the columns and rows of every table, with the bold words before it as id."""
    for number, table in enumerate(TABLE.finditer(README), 1):
        title = re.findall(r"\*\*(.+?)\.?\*\*", README[: table.start()])[-1]
        names = [cell.strip() for cell in table[1].strip("|").split("|")]
        rows = [
            [cell.strip() for cell in row.strip("|").split("|")]
            for row in table[2].split("\n")[:-1]
        ]
        yield pytest.param(names, rows, id=f"{number} {title}")


class Example:
    """One table's accounts, by the names of its columns."""

    def __init__(self, names, before):
        self.accounts = {}
        for name, credits in zip(names, map(int, before), strict=True):
            self.accounts[name] = self._open(name, credits)
        self.events = {}

    def _open(self, name, credits):
        if name == "pot":
            return accounts.pot("pot")
        if name in list(House):
            return accounts.house(House(name))
        return user_account(name, credits)

    def ask(self, verb, words):
        getattr(self, f"_{verb}")(words)

    def _welcome(self, name):
        welcome.give(self.accounts[name].user_id, NOW)

    def _step(self, words):
        name, event = words.split()
        welcome.give_next(self.accounts[name].user_id, event, NOW)

    def _hold(self, words):
        key, name, credits = re.fullmatch(r"(\w+): (\w+) (\d+)", words).groups()
        made = holds.open(key, self.accounts[name].id, int(credits), TRIAL, NOW)
        assert self.events.setdefault(f"hold {key}", made) == made

    def _release(self, key):
        holds.release(self.events[f"hold {key}"].id, NOW)

    def _capture(self, words):
        keys, into = words.split(" into ")
        ids = [self.events[f"hold {key}"].id for key in keys.split(", ")]
        holds.capture(ids, self.accounts[into].id, "capture", TRIAL, NOW)

    def _transfer(self, words):
        key, shares = words.split(": ")
        amounts = {
            self.accounts[name].id: int(credits)
            for name, credits in (share.split() for share in shares.split(", "))
        }
        done = transfers.post(key, TRIAL, amounts, NOW)
        assert self.events.setdefault(key, done) == done

    def _reverse(self, key):
        transfers.reverse(self.events[key].id, "Wrong.", None, NOW)

    def balances(self):
        known = [balance(account) for account in self.accounts.values()]
        return [f"{credits} ({held})" if held else str(credits) for credits, held in known]


@pytest.mark.parametrize(("names", "rows"), list(titled_tables()))
def test_each_readme_example_has_the_stated_balances(names, rows, settings):
    settings.WELCOME_CREDITS = 250
    (start, *before), *steps = rows
    assert start == "before"
    example = Example(names, before)
    assert example.balances() == before
    for asked, *after in steps:
        verb, words, error, missing = STEP.fullmatch(asked).groups()
        if error is None:
            example.ask(verb, words)
        else:
            with pytest.raises(getattr(errors, error)) as refused:
                example.ask(verb, words)
            if missing:
                assert refused.value.shortfall == int(missing)
        assert example.balances() == after, asked


def test_the_readme_has_every_required_example():
    titles = " ".join(str(example.id) for example in titled_tables())
    for wanted in (
        "Welcome",
        "hold that is released",
        "paid out",
        "draw",
        "Void",
        "correction",
        "top-up, a gift and a refund",
        "board",
        "Insufficient",
        "repeated key",
    ):
        assert wanted in titles


def test_the_readmes_code_matches_its_example():
    agree, begin, end = ast.parse(re.search(r"```python\n(.*?)```", README, re.S)[1]).body
    anna, boris = user_account("anna", 1000), user_account("boris", 1000)
    words = {
        "write_transaction": write_transaction,
        "accounts": accounts,
        "holds": holds,
        "transfers": transfers,
        "Cause": Cause,
        "House": House,
        "event": "7",
        "now": NOW,
        "winner": anna,
    }

    def run(step, **more):
        words.update(more)
        exec(compile(ast.Module([step], []), "README", "exec"), words)
        return words

    hold_ids = [run(agree, user_id=account.user_id)["hold"].id for account in (anna, boris)]
    assert [balance(anna), balance(boris)] == [(1000, 100), (1000, 100)]
    run(begin, hold_ids=hold_ids)
    assert Hold.objects.filter(state="CAPTURED").count() == 2
    run(end)
    run(end)
    found = [balance(words[name]) for name in ("winner", "pot", "rake")]
    assert [*found, balance(boris)] == [(1090, 0), (0, 0), (10, 0), (900, 0)]
