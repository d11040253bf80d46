"""Find every service that moves credits or starts play for them, by reading the code.

The code is read as a graph of references: a function, a class or a variable of a module refers to
all functions, classes and variables that its code names. A service is found if it is one of DOORS
or leads to a door through any number of references. DOORS are functions that move credits, create a
match of two people or commit a member to a tournament.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

from tests.support.apps import APPS

ROOT = Path(__file__).parents[2]
DOORS = frozenset(
    {
        "wallet.services.holds.open",
        "wallet.services.transfers.post",
        "wallet.services.transfers.write",
        "games.services.matches.create_between",
        # Entering a tournament commits the member, also where it costs nothing.
        "games.conduct.commitments.add",
    }
)
# Rooms whose public functions are services.
SERVICE_ROOMS = frozenset({"services", "stakes", "payments", "limits", "goods"})

Graph = dict[str, set[str]]


def modules() -> Iterator[tuple[str, ast.Module]]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" in path.parts:
                continue
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            yield name, ast.parse(path.read_text())


def graph_of(sources: Iterator[tuple[str, ast.Module]]) -> tuple[Graph, set[str]]:
    """Return the references of each name, and the names that are functions of a module."""
    graph: Graph = {}
    functions = set()
    for module, tree in sources:
        known = _imported(tree) | {
            name: f"{module}.{name}" for node in tree.body for name in _defined(node)
        }
        for node in tree.body:
            for name in _defined(node):
                graph.setdefault(f"{module}.{name}", set()).update(_references(node, known))
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    functions.add(f"{module}.{name}")
    return graph, functions


def leading_to(doors: frozenset[str], graph: Graph) -> set[str]:
    """Return the names that lead to one of the doors, without the doors themselves."""
    found = set(doors)
    while more := {name for name, used in graph.items() if used & found} - found:
        found |= more
    return found - doors


def movers() -> set[str]:
    """Return the public functions of service rooms that are or lead to one of DOORS."""
    graph, functions = graph_of(modules())
    return {
        name
        for name in (leading_to(DOORS, graph) | DOORS) & functions
        if not name.rpartition(".")[2].startswith("_") and SERVICE_ROOMS & set(name.split("."))
    }


def _imported(tree: ast.Module) -> dict[str, str]:
    known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return known


def _defined(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [node.name]
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def _references(node: ast.stmt, known: dict[str, str]) -> set[str]:
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in known:
            found.add(known[part.id])
        elif (
            isinstance(part, ast.Attribute)
            and isinstance(part.value, ast.Name)
            and part.value.id in known
        ):
            found.add(f"{known[part.value.id]}.{part.attr}")
    return found
