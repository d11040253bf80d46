"""tests/run_all.py: parallel checks and the summary."""

import signal
import sys
from types import SimpleNamespace

import pytest

from tests import run_all
from tests.run_all import Report

PYTHON = [sys.executable, "-c"]


def test_parallel_check_prints_after_the_others(capfd):
    report = Report()
    with report.beside("slow", [*PYTHON, "print('of the slow one')"]):
        assert report.run("quick", [*PYTHON, "print('of the quick one')"]) == 0
    output = capfd.readouterr().out
    assert output.index("=== quick") < output.index("of the quick one") < output.index("=== slow")
    assert output.index("=== slow") < output.index("of the slow one")
    assert report.close() == 0


def test_failing_parallel_check_fails_the_run(capfd):
    report = Report()
    with report.beside("broken", [*PYTHON, "raise SystemExit(3)"]):
        report.run("quick", [*PYTHON, ""])
    assert report.close() == 1
    assert "FAILED" in capfd.readouterr().out


def test_parallel_check_ends_with_the_run(monkeypatch):
    ended = []
    monkeypatch.setattr(run_all, "end", lambda child: ended.append(child) or child.kill())
    with pytest.raises(KeyboardInterrupt):  # noqa: SIM117
        with Report().beside("endless", [*PYTHON, "import time; time.sleep(3600)"]):
            raise KeyboardInterrupt
    assert ended[0].wait() != 0


@pytest.mark.parametrize(("system", "sent"), [("posix", [signal.SIGINT]), ("nt", [])])
def test_stopped_check_gets_the_signal_that_its_system_can_send(monkeypatch, system, sent):
    """On Windows `send_signal` refuses SIGINT, and the check would go on."""
    signals = []
    child = SimpleNamespace(send_signal=signals.append, wait=lambda timeout: 0)
    monkeypatch.setattr(run_all, "os", SimpleNamespace(name=system))
    run_all.end(child)
    assert signals == sent


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not count children's time")
def test_cpu_seconds_are_those_of_the_check():
    report = Report()
    work = "import time\nwhile time.process_time() < 1.2: pass"
    with report.beside("idle", [*PYTHON, ""]):
        report.run("busy", [*PYTHON, work])
    seconds = {line.split()[0]: int(line.rsplit("CPU ", 1)[1].split()[0]) for line in report.lines}
    assert seconds["busy"] >= 1 > seconds["idle"]


FAILS_ONCE = """
from pathlib import Path

def test_sound(): pass

def test_flaky():
    mark = Path(__file__).with_suffix(".ran")
    ran = mark.exists()
    mark.touch()
    assert ran
"""
FAILS_ALWAYS = "def test_broken(): assert False\n"
BREAKS_OFF = "def test_last(): raise KeyboardInterrupt\n"
MANY_FAIL_ONCE = FAILS_ONCE + "".join(
    f"""
def test_flaky_{number}():
    mark = Path(__file__).with_suffix(".{number}")
    ran = mark.exists()
    mark.touch()
    assert ran
"""
    for number in range(run_all.MOST_TRIED_AGAIN)
)


@pytest.mark.parametrize(
    ("tests", "code", "said"),
    [
        (FAILS_ONCE, 0, "ok at the second try: "),
        (FAILS_ALWAYS, 1, "FAILED"),
        (FAILS_ONCE + FAILS_ALWAYS, 1, "FAILED"),
        (MANY_FAIL_ONCE, 1, "FAILED"),
        (FAILS_ONCE + BREAKS_OFF, 1, "FAILED"),
    ],
)
def test_few_failed_browser_tests_are_tried_again_and_named(
    monkeypatch, tmp_path, tests, code, said
):
    file = tmp_path / "test_page.py"
    file.write_text(tests)
    monkeypatch.setattr(run_all, "ROOT", tmp_path)
    monkeypatch.setattr(run_all, "BROWSER", str(file))
    monkeypatch.setattr(run_all, "parallel", lambda more=0: [])
    monkeypatch.setattr(run_all, "pytest_command", bare_pytest)
    report = Report()
    run_all.browser_tests(report)
    assert report.failed == bool(code)
    [line] = report.lines
    assert said in line
    assert ("test_flaky" in line) == (code == 0)
    assert "test_sound" not in line


def bare_pytest(*arguments):
    """Return a pytest command without Django and without the selection of browser tests."""
    chosen = [each for each in arguments if each not in ("-m", "browser")]
    return [sys.executable, "-m", "pytest", "-p", "no:django", *chosen]


def test_site_variables_of_this_machine_do_not_reach_a_check(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "sqlite:///mine")
    assert "DATABASE_URL" not in run_all.own_environment()
    assert run_all.own_environment({"DATABASE_URL": "x"})["DATABASE_URL"] == "x"


@pytest.mark.parametrize(
    ("arguments", "form", "chosen"),
    [
        (["--long", "tests/wallet"], "1", ["tests/wallet"]),
        (["tests/wallet"], None, ["tests/wallet"]),
    ],
)
def test_long_form_reaches_the_chosen_tests(monkeypatch, arguments, form, chosen):
    run_with = []
    # Set and deleted here, so that the fixture restores the variable after the test, even if `main`
    # sets it.
    monkeypatch.setenv("LONG", "0")
    monkeypatch.delenv("LONG")
    monkeypatch.setattr(run_all.signal, "signal", lambda *given: None)
    monkeypatch.setattr(run_all, "chosen_tests", lambda given: run_with.append(given) or 0)
    assert run_all.main(arguments) == 0
    assert run_with == [chosen]
    assert run_all.own_environment().get("LONG") == form
