#!/usr/bin/env python3
"""Run the site in one command, its tests in another. Needs only Python 3.11 or newer.

    python3 run.py [--port N]           set up what is missing, then serve on 127.0.0.1 (port 8000)
    python3 run.py test [pytest args]   set up, then every check and test this machine can run;
                                        with arguments only the tests that they choose;
                                        --long: races, chaos and statistics in their long form
    python3 run.py check                quick checks: lint, types, imports, tests without database
    python3 run.py lock                 after a new pin: write the hashes of all packages (needs uv)

The set-up writes .venv, .env, var, staticfiles, db.sqlite3 and the .mo files of locale, and
nothing outside this folder.
Each step runs once, and again only if its inputs have changed. List of checks: tests/run_all.py.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
# Pins written by people -> lock files: the same pins with hashes. The lock files are installed.
PINS = {"requirements.txt": "requirements.lock", "requirements-dev.txt": "requirements-dev.lock"}
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / ("python.exe" if os.name == "nt" else "python")
STAMPS = ROOT / "var" / "stamps.json"
OLDEST = (3, 11)  # Python
DEFAULT_PORT = 8000


# --- Set-up --------------------------------------------------------------------------------------


def need_python() -> None:
    """If this Python is too old, restart under a newer one; exit if none is installed."""
    if sys.version_info >= OLDEST:
        return
    for minor in range(19, OLDEST[1] - 1, -1):  # newest first; none is above 3.19 yet
        newer = shutil.which(f"python3.{minor}")
        if newer:
            os.execv(newer, [newer, *sys.argv])
    oldest, this = ("{}.{}".format(*version) for version in (OLDEST, sys.version_info))
    sys.exit(
        f"This site needs Python {oldest} or newer; this is Python {this}.\n"
        "Install one (https://www.python.org/downloads/, on Debian and Ubuntu: "
        f"apt install python{oldest} python{oldest}-venv) and run it with that: "
        f"python{oldest} run.py"
    )


def digest(*inputs: Path | str) -> str:
    """Return one hash of all inputs: texts, and files by path and content, missing ones too."""
    total = hashlib.sha256()
    for item in inputs:
        total.update(str(item).encode())
        if isinstance(item, Path):
            total.update(item.read_bytes() if item.is_file() else b"missing")
    return total.hexdigest()


def files(folder: str, pattern: str) -> list[Path]:
    return sorted(path for path in (ROOT / folder).rglob(pattern) if path.is_file())


class Stamps:
    """Remember finished steps in a file; `state` is the hash of a step's inputs."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._done = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            self._done = {}

    def is_done(self, step: str, state: str) -> bool:
        return self._done.get(step) == state

    def is_other(self, step: str, state: str) -> bool:
        """Return whether the step was done, but in another state."""
        return self._done.get(step, state) != state

    def mark_done(self, step: str, state: str) -> None:
        self._done[step] = state
        self._path.parent.mkdir(exist_ok=True)
        self._path.write_text(json.dumps(self._done, indent=1))


def run_or_exit(command: list[str | Path], what: str) -> None:
    if subprocess.run(command, cwd=ROOT, check=False).returncode:
        sys.exit(f"{what} failed; the reason stands above.")


def install(dev: bool) -> None:
    """Make the virtual environment with pinned packages; `dev` adds those of checks and tests."""
    names = list(PINS.values())
    version = "{}.{}".format(*sys.version_info)
    state = digest(version, *(ROOT / name for name in names))
    stamp = Stamps(VENV / "installed.json")
    folder = VENV.resolve()  # .venv may be a link to that of another clone
    if stamp.is_other("folder", str(folder)) and Path(sys.prefix).resolve() != folder:
        # The folder was moved or copied, and the scripts in .venv begin with its old path.
        shutil.rmtree(folder)
        stamp = Stamps(VENV / "installed.json")
    is_done = stamp.is_done("dev", state) or (stamp.is_done("run", state) and not dev)
    if PYTHON.exists() and is_done:
        return
    wanted = names[1] if dev else names[0]
    print(f"Installing {wanted} into .venv (only this once) ...", flush=True)
    if not install_with_uv(wanted):
        install_with_pip(wanted)
    stamp.mark_done("folder", str(folder))
    stamp.mark_done("dev" if dev else "run", state)


def install_with_uv(wanted: str) -> bool:
    uv = shutil.which("uv")
    if not uv:
        return False
    with_venv = {**os.environ, "VIRTUAL_ENV": str(VENV)}
    commands = [[uv, "pip", "install", "--quiet", "--require-hashes", "-r", wanted]]
    if not PYTHON.exists():
        commands.insert(0, [uv, "venv", "--quiet", "--python", sys.executable, str(VENV)])
    return all(
        subprocess.run(command, cwd=ROOT, env=with_venv, check=False).returncode == 0
        for command in commands
    )


def install_with_pip(wanted: str) -> None:
    has_pip = [str(PYTHON), "-c", "import pip"]
    if (
        not PYTHON.exists()
        or subprocess.run(has_pip, stderr=subprocess.DEVNULL, check=False).returncode
    ):
        need_venv_module()
        run_or_exit([sys.executable, "-m", "venv", "--clear", VENV], "Making .venv")
    options = ["--quiet", "--disable-pip-version-check", "--require-hashes", "-r", wanted]
    run_or_exit([PYTHON, "-m", "pip", "install", *options], "The installation")


def need_venv_module() -> None:
    try:
        import ensurepip  # noqa: F401
        import venv  # noqa: F401
    except ImportError:
        package = "python{}.{}-venv".format(*sys.version_info)
        sys.exit(
            "This Python cannot make virtual environments: its venv module is missing.\n"
            f"On Debian and Ubuntu: apt install {package}\n"
            "Or install uv (https://docs.astral.sh/uv/), which is used when it is there."
        )


def lock() -> int:
    """Write the hashes of all files of every pinned version, for every platform."""
    uv = shutil.which("uv")
    if not uv:
        sys.exit("This needs uv: https://docs.astral.sh/uv/")
    everywhere = ["--universal", "--python-version", "{}.{}".format(*OLDEST)]
    # The pins include indirect dependencies, so nothing is resolved.
    plain = ["--no-deps", "--generate-hashes", "--no-annotate", "--no-header", "--quiet"]
    for pins, hashes in PINS.items():
        run_or_exit([uv, "pip", "compile", *everywhere, *plain, pins, "-o", hashes], hashes)
    return 0


def write_env() -> None:
    """Write .env, the settings of a demonstration with random keys, unless it exists."""
    path = ROOT / ".env"
    if path.exists():
        return
    keys = "".join(
        f"{name}={secrets.token_urlsafe(48)}\n" for name in ("SECRET_KEY", "DICE_SEAL_KEY")
    )
    # 32 random bytes are a private key of P-256, except in one case in 2^32.
    keys += f"VAPID_PRIVATE_KEY={secrets.token_urlsafe(32)}\n"
    path.write_text(f"# Written by run.py. What each means: .env.example\nDEMO=1\n{keys}")
    path.chmod(0o600)


def manage(*arguments: str) -> None:
    run_or_exit([PYTHON, "manage.py", *arguments], f"manage.py {arguments[0]}")


def set_up(*, serves: bool) -> None:
    """Run each step of the set-up that is missing or whose inputs have changed.

    Only a site that `serves` needs the database of the demonstration.
    """
    install(dev=False)
    write_env()
    stamps = Stamps(STAMPS)
    catalogs = files("locale", "*.po")
    compiled = [path.with_suffix(".mo") for path in catalogs]
    migrations = sorted(ROOT.glob("*/migrations/*.py"))
    steps = {
        "compilelocale": (digest(*catalogs), all(path.exists() for path in compiled)),
        # This script cannot see another database, so for such a site `migrate` and `demo` run at
        # every start; if there is nothing to do, they change nothing.
        "migrate": (
            digest(os.environ.get("DATABASE_URL", ""), ROOT / ".env", *migrations),
            (ROOT / "db.sqlite3").exists(),
        ),
        "demo": (
            digest(
                os.environ.get("DATABASE_URL", ""), ROOT / ".env", *files("config/demo", "*.py")
            ),
            (ROOT / "db.sqlite3").exists(),
        ),
        "collectstatic": (
            digest(
                ROOT / "requirements.txt",
                ROOT / "config/storage.py",
                ROOT / "config/script_bundles.py",
                ROOT / "config/style_bundles.py",
                *files("static", "*"),
            ),
            (ROOT / "staticfiles" / "staticfiles.json").exists(),
        ),
    }
    options = {"collectstatic": ["--noinput", "--clear", "-v0"], "migrate": ["--noinput", "-v0"]}
    if not serves:
        del steps["migrate"], steps["demo"]
    for step, (state, is_there) in steps.items():
        if not (is_there and stamps.is_done(step, state)):
            manage(step, *options.get(step, []))
            stamps.mark_done(step, state)


def take_over(command: list[str]) -> int:
    """Replace this process by the command, so that signals reach it and no process is left."""
    os.chdir(ROOT)
    if os.name != "nt":
        os.execv(command[0], command)
    child = subprocess.Popen(command)
    while True:
        try:
            return child.wait()
        except KeyboardInterrupt:
            continue  # Windows signals the child too; wait for its end


# --- Serve ---------------------------------------------------------------------------------------


def need_free(port: int) -> None:
    with socket.socket() as probe:
        if os.name != "nt":
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except PermissionError:
            sys.exit(
                f"This system does not let you open port {port}: small ports are for root.\n"
                f"Choose another port: python3 run.py --port {DEFAULT_PORT}"
            )
        except OSError:
            sys.exit(
                f"Port {port} is taken: another program, perhaps this site, answers there.\n"
                f"End it, or choose another port: python3 run.py --port {port + 1}"
            )


def serve(port: int) -> int:
    need_free(port)
    set_up(serves=True)
    return take_over([str(PYTHON), "manage.py", "serve", "--port", str(port)])


# --- Commands ------------------------------------------------------------------------------------


def check(arguments: list[str]) -> int:
    """Run every check, the chosen tests or the quick checks: see tests/run_all.py."""
    install(dev=True)
    set_up(serves=False)
    return take_over([str(PYTHON), "tests/run_all.py", *arguments])


def main(argv: list[str]) -> int:
    need_python()
    # On SIGTERM during the set-up, raise SystemExit: subprocess.run then kills its child.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if argv[:1] == ["test"]:
        return check(argv[1:])
    if argv == ["check"]:
        return check(["--quick"])
    if argv == ["lock"]:
        return lock()
    parser = argparse.ArgumentParser(
        prog="run.py", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, default=DEFAULT_PORT)
    port = parser.parse_args(argv).port
    if not 1 <= port <= 65535:
        parser.error("a port is a number from 1 to 65535")
    return serve(port)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
