"""run.py: messages, set-up steps that are repeated only after a change, and the lock files."""

import importlib.util
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def run():
    spec = importlib.util.spec_from_file_location("run_under_test", ROOT / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def call(*arguments):
    return subprocess.run(
        [sys.executable, ROOT / "run.py", *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_taken_port_is_reported_before_anything_is_installed():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        answer = call("--port", str(port))
    assert answer.returncode == 1
    assert f"Port {port} is taken" in answer.stderr
    assert f"--port {port + 1}" in answer.stderr


def test_port_for_root_is_not_reported_as_taken(run, monkeypatch):
    def bind(self, address):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(run.socket, "socket", type("Probe", (socket.socket,), {"bind": bind}))
    with pytest.raises(SystemExit) as refusal:
        run.need_free(80)
    assert "does not let you open port 80" in str(refusal.value)
    assert "taken" not in str(refusal.value)


@pytest.mark.parametrize("port", ["0", "70000", "x"])
def test_impossible_port_is_refused(port):
    answer = call("--port", port)
    assert answer.returncode == 2
    assert "Traceback" not in answer.stderr


def test_help_names_the_test_command_and_the_port():
    answer = call("--help")
    assert answer.returncode == 0
    assert "run.py test" in answer.stdout
    assert "--port" in answer.stdout


def test_too_old_python_prints_what_to_install(run, monkeypatch):
    monkeypatch.setattr(run, "OLDEST", (99, 0))
    monkeypatch.setattr(run.shutil, "which", lambda name: None)
    with pytest.raises(SystemExit, match=r"(?s)Python 99\.0 or newer.*python99\.0 run\.py"):
        run.need_python()


def test_newer_python_on_the_path_takes_over_from_an_old_one(run, monkeypatch):
    taken_over = []
    monkeypatch.setattr(run, "OLDEST", (99, 11))
    monkeypatch.setattr(run.shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(run.os, "execv", lambda path, argv: taken_over.append(path) or sys.exit())
    with pytest.raises(SystemExit):
        run.need_python()
    assert taken_over == ["/bin/python3.19"]


def test_missing_venv_module_names_the_package(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "ensurepip", None)
    version = "python{}.{}-venv".format(*sys.version_info)
    with pytest.raises(SystemExit, match=version):
        run.need_venv_module()


def test_failed_installation_leaves_no_stamp(run, monkeypatch, tmp_path):
    monkeypatch.setattr(run, "VENV", tmp_path)
    monkeypatch.setattr(run, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(run.shutil, "which", lambda name: None)
    monkeypatch.setattr(run, "run_or_exit", lambda *_: sys.exit("The installation failed"))
    with pytest.raises(SystemExit):
        run.install(dev=False)
    assert not (tmp_path / "installed.json").exists()


def test_installation_is_repeated_only_after_a_new_pin(run, monkeypatch, tmp_path):
    for name in ("requirements.lock", "requirements-dev.lock"):
        (tmp_path / name).write_text("Django==1.0\n")
    installed = []
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "VENV", tmp_path / "venv")
    monkeypatch.setattr(run, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(run, "install_with_uv", lambda wanted: installed.append(wanted) or True)
    run.install(dev=False)
    run.install(dev=False)
    assert installed == ["requirements.lock"]
    run.install(dev=True)
    run.install(dev=False)
    assert installed == ["requirements.lock", "requirements-dev.lock"]
    (tmp_path / "requirements.lock").write_text("Django==2.0\n")
    run.install(dev=False)
    assert len(installed) == 3


def test_virtual_environment_is_made_again_in_another_folder(run, monkeypatch, tmp_path):
    """Scripts of the old environment would not start, since they begin with its old path."""
    venv, found = tmp_path / "venv", []
    monkeypatch.setattr(run, "VENV", venv)
    monkeypatch.setattr(run, "PYTHON", Path(sys.executable))
    monkeypatch.setattr(run, "install_with_uv", lambda wanted: found.append(venv.exists()) or True)
    run.install(dev=False)
    run.install(dev=False)
    assert found == [False]
    run.Stamps(venv / "installed.json").mark_done("folder", "/elsewhere/.venv")
    run.install(dev=False)
    assert found == [False, False]


def test_env_file_has_keys_of_its_own_and_is_never_overwritten(run, monkeypatch, tmp_path):
    monkeypatch.setattr(run, "ROOT", tmp_path)
    run.write_env()
    text = (tmp_path / ".env").read_text()
    keys = [line.split("=", 1)[1] for line in text.splitlines() if "_KEY=" in line]
    assert len(set(keys)) == 3
    assert [len(key) >= 50 for key in keys] == [True, True, False]
    assert len(keys[-1]) == 43  # of 32 bytes, in base64url: a private key of P-256
    if os.name != "nt":
        assert (tmp_path / ".env").stat().st_mode & 0o077 == 0
    run.write_env()
    assert (tmp_path / ".env").read_text() == text


def test_digest_changes_with_a_files_content_and_its_absence(run, tmp_path):
    path = tmp_path / "a"
    absent = run.digest(path)
    path.write_text("1")
    one = run.digest(path)
    path.write_text("2")
    assert len({absent, one, run.digest(path)}) == 3


def test_broken_stamps_count_as_missing(run, tmp_path):
    path = tmp_path / "var" / "stamps.json"
    path.parent.mkdir()
    path.write_text("{")
    stamps = run.Stamps(path)
    assert not stamps.is_done("x", "1")
    stamps.mark_done("x", "1")
    assert run.Stamps(path).is_done("x", "1")


def test_only_a_site_that_serves_gets_the_database_of_a_demonstration(run, monkeypatch, tmp_path):
    done = []
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "STAMPS", tmp_path / "stamps.json")
    monkeypatch.setattr(run, "install", lambda dev: None)
    monkeypatch.setattr(run, "manage", lambda step, *_: done.append(step))
    (tmp_path / "staticfiles").mkdir()
    (tmp_path / "staticfiles" / "staticfiles.json").touch()
    run.set_up(serves=False)
    assert done == ["compilelocale", "collectstatic"]
    run.set_up(serves=True)
    assert done == ["compilelocale", "collectstatic", "migrate", "demo"]


@pytest.fixture
def inputs(run, monkeypatch, tmp_path):
    """Return, for each step of the set-up in order, the names of the files it depends on."""
    read = []
    monkeypatch.setattr(run, "STAMPS", tmp_path / "stamps.json")
    monkeypatch.setattr(run, "install", lambda dev: None)
    monkeypatch.setattr(run, "write_env", lambda: None)
    monkeypatch.setattr(run, "manage", lambda step, *_: None)
    monkeypatch.setattr(run, "digest", lambda *given: read.append(given) or "")
    run.set_up(serves=True)
    return [
        {path.relative_to(ROOT).as_posix() for path in given if isinstance(path, Path)}
        for given in read
    ]


def test_a_change_of_what_collects_the_static_files_collects_them_again(inputs):
    """Otherwise a page asks for a bundle that was never written, and fails."""
    own = re.compile(r"^from config(?:\.(\w+))? import ([\w, ]+)$", re.MULTILINE)
    imported = {
        module or name
        for module, names in own.findall((ROOT / "config/storage.py").read_text())
        for name in names.split(", ")
    }
    assert {"script_bundles", "style_bundles"} <= imported
    _catalogs, _migrations, _demo, static = inputs
    assert {f"config/{name}.py" for name in imported} <= static


def test_another_database_in_the_settings_gets_the_demonstration_too(inputs):
    _catalogs, migrations, demo, _static = inputs
    assert ".env" in migrations
    assert ".env" in demo


def test_run_py_needs_the_standard_library_only():
    """run.py must start where nothing is installed yet."""
    path = str(ROOT / "run.py")
    code = (
        f"import sys, runpy; sys.argv = ['run.py', '--help'];"
        f"runpy.run_path({path!r}, run_name='__main__')"
    )
    answer = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stderr


PIN = re.compile(r"([\w.-]+)(?:\[[\w,]+\])?==([\w.]+)")
HASH = re.compile(r"--hash=sha256:[0-9a-f]{64}\b")


def pins(text: str) -> dict[str, str]:
    return {re.sub(r"[-_.]+", "-", name).lower(): pin for name, pin in PIN.findall(text)}


def test_hashes_are_of_the_pinned_versions_and_of_no_others(run):
    pinned: dict[str, str] = {}
    for name, locked in run.PINS.items():
        pinned |= pins((run.ROOT / name).read_text())
        blocks = re.split(r"\n(?=\S)", (run.ROOT / locked).read_text().strip())
        assert pins("\n".join(blocks)) == pinned, f"{locked}: python3 run.py lock"
        assert [block for block in blocks if not HASH.search(block)] == []
