"""Answer requests inside GNU Backgammon's Python (see ``gnubg.py``); no test imports this file.

The environment variables GNUBG_ASKED and GNUBG_ANSWERED name the files of the requests and of the
answers, both in JSON.
"""

import json
import os
from pathlib import Path
from typing import Any

import gnubg  # type: ignore[import-not-found]  # exists only inside the program

MANY = 100_000
Request = dict[str, Any]
Answer = dict[str, Any]


def moves(request: Request) -> Answer:
    """Return every legal move of a roll as text; ``shown`` = gnubg could set up the position."""
    board = (tuple(request["enemy"]), tuple(request["mover"]))
    cube = gnubg.cubeinfo(1, -1, 1, 0, (0, 0), 0, 0)
    moment = gnubg.posinfo(1, 0, 0, 1, tuple(request["dice"]))
    wanted = gnubg.gnubgid(board, cube, moment)
    gnubg.command("set gnubgid " + wanted)
    if gnubg.board() != board:
        return {"shown": False, "moves": []}
    hint = gnubg.hint(MANY)
    if hint.get("hinttype") != "chequer" or hint["gnubgid"] != wanted:
        return {"error": "no list of moves for " + wanted}
    return {"shown": True, "moves": [one["move"] for one in hint["hint"]]}


def identify(request: Request) -> Answer:
    """Return the GNUbg ID that gnubg gives a state; the sides are in gnubg's order."""
    board = (tuple(request["enemy"]), tuple(request["mover"]))
    cube = gnubg.cubeinfo(*[tuple(x) if isinstance(x, list) else x for x in request["cube"]], 0)
    cube["jacoby"] = request["jacoby"]
    moment = gnubg.posinfo(*[tuple(x) if isinstance(x, list) else x for x in request["moment"]])
    return {"id": gnubg.gnubgid(board, cube, moment)}


def show(request: Request) -> Answer:
    """Return the state that gnubg reads from an identifier by ``set gnubgid`` or ``set xgid``."""
    gnubg.command(f"set {request['kind']} {request['text']}")
    return {
        "id": gnubg.gnubgid(),
        "board": gnubg.board(),
        "cube": gnubg.cubeinfo(),
        "moment": gnubg.posinfo(),
    }


def import_mat(request: Request) -> Answer:
    """Import a .mat file; return the match, its last state and the file that gnubg then exports."""
    path = Path("match.mat")
    path.write_text(request["text"], encoding="utf-8")
    print(f"=== import {request['name']}", flush=True)  # noqa: T201
    gnubg.command(f'import mat "{path}"')
    print("=== imported", flush=True)  # noqa: T201
    gnubg.command('export match mat "again.mat"')
    again = Path("again.mat").read_text(encoding="utf-8", errors="replace")
    try:
        identifier = gnubg.gnubgid()
    except Exception:  # a finished match has no identifier
        identifier = ""
    found = {"match": gnubg.match(0, 1, 0, 0), "board": gnubg.board()}
    return {**found, "id": identifier, "exported": again}


def double(request: Request) -> Answer:
    """Return the equities of no double, double and take, double and drop, and the five chances.

    All are for the side on roll; equities are in units of the cube's value.
    """
    board = (tuple(request["enemy"]), tuple(request["mover"]))
    cube = gnubg.cubeinfo(*[tuple(x) if isinstance(x, list) else x for x in request["cube"]], 0)
    cube["jacoby"] = request["jacoby"]
    plies = request["plies"]
    found = gnubg.cfevaluate(board, cube, gnubg.evalcontext(1, plies, 1, int(plies > 1), 0.0))
    chances = gnubg.evaluate(board, cube, gnubg.evalcontext(0, plies, 1, int(plies > 1), 0.0))
    return {"worth": list(found[1:4]), "chances": list(chances[:5])}


def analyse(request: Request) -> Answer:
    """Return each side's statistics of a .mat file, and each decision with its analysis."""
    path = Path("analysed.mat")
    path.write_text(request["text"], encoding="utf-8")
    for kind in ("chequerplay", "cubedecision"):
        gnubg.command(f"set analysis {kind} evaluation plies {request['plies']}")
    gnubg.command("set analysis luckanalysis plies 0")
    gnubg.command(f'import mat "{path}"')
    gnubg.command("analyse match")
    return {"match": gnubg.match(1, 0, 1, 0)}


ANSWERS = {
    "moves": moves,
    "identify": identify,
    "show": show,
    "import": import_mat,
    "double": double,
    "analyse": analyse,
}


def main() -> None:
    for command in (
        "set automatic game off",
        "set automatic roll off",
        "set automatic move off",
        "set automatic bearoff off",
        "set confirm new off",
        "set display off",
        "set player 0 human",
        "set player 1 human",
        "set evaluation chequerplay evaluation plies 0",
        "new session",
        "set beavers 0",
    ):
        gnubg.command(command)
    requests = json.loads(Path(os.environ["GNUBG_ASKED"]).read_text(encoding="utf-8"))
    answers = []
    for request in requests:
        try:
            answers.append(ANSWERS[request["op"]](request))
        except Exception as error:
            answers.append({"error": f"{type(error).__name__}: {error}"})
    Path(os.environ["GNUBG_ANSWERED"]).write_text(json.dumps(answers), encoding="utf-8")


main()
