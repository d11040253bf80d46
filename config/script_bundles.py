"""Bundle the scripts of static/js, so that a page loads a few files. `collectstatic` runs this.

Usual bundlers need Node.js, which the site does not require. Our modules are simple to bundle: they
import and export by name, at the top level, without a circle (tests/js/modules.test.js). So each
module becomes the body of a function, placed after the modules that it imports.

An entry is a script of a template or of a dynamic import; its file has the modules that only it
imports. Modules that the scripts of several templates import are in the file of their room or, in a
room without one, in a file of their own.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

FOLDER = "js/"
SHARED = f"{FOLDER}shared/"
# The file of each room that several pages use. Each room imports only rooms before it.
SHARED_ROOMS = {"lib": "lib", "board": "board", "text": "play", "play": "play"}

_IMPORT = re.compile(
    r'^import\s+(?:(?P<names>\{[^}]*\}|\*\s+as\s+\w+)\s+from\s+)?"(?P<path>[^"]+)";$', re.MULTILINE
)
_LATE = re.compile(r'\bimport\("(?P<path>[^"]+)"\)')
_EXPORT = re.compile(
    r"^export (?=(?:async function|function|class|const) (?P<name>\w+))", re.MULTILINE
)


class Scripts:
    """The modules of static/js, by name, such as "js/lib/dom.js".

    `first` are the entries of templates; dynamic imports add further entries.
    """

    def __init__(self, texts: Mapping[str, str], first: Iterable[str]) -> None:
        self.texts = texts
        self.imports = {
            name: [_resolve(name, found["path"]) for found in _IMPORT.finditer(text)]
            for name, text in texts.items()
        }
        self._late = {
            name: [_resolve(name, found["path"]) for found in _LATE.finditer(text)]
            for name, text in texts.items()
        }
        late = {entry for entries in self._late.values() for entry in entries}
        self._first = sorted(first)
        self.entries = [*self._first, *sorted(late - set(first))]
        self.file_of = self._files()

    def bundled(self) -> dict[str, str]:
        """Return the text of each file by its name; entries keep their names."""
        modules: dict[str, list[str]] = {}
        for name in self._in_order():
            modules.setdefault(self.file_of[name], []).append(name)
        return {file: self._file(file, names) for file, names in modules.items()}

    def needed_by(self, entry: str) -> list[str]:
        """Return the files that an entry imports, for the page to load all at once."""
        files = {self.file_of[name] for name in self._reached(entry)}
        return sorted(files - {entry})

    def modules_of(self, entry: str) -> list[str]:
        """Return the modules, not the bundles, that an entry imports."""
        return self._reached(entry)[:-1]

    def whole(self, entry: str) -> list[str]:
        """Return an entry and the modules that it imports, including those on demand."""
        found = dict.fromkeys(self._reached(entry))
        queue = list(found)
        while queue:
            for late in self._late[queue.pop()]:
                fresh = [name for name in self._reached(late) if name not in found]
                found.update(dict.fromkeys(fresh))
                queue += fresh
        return list(found)

    def _files(self) -> dict[str, str]:
        """Return the file of each module that an entry reaches."""
        files = {entry: entry for entry in self.entries}
        pages = {entry: set(self.whole(entry)) for entry in self._first}
        users: dict[str, list[str]] = {}
        for entry in self.entries:
            for name in self._reached(entry):
                users.setdefault(name, []).append(entry)
        for name, entries in users.items():
            of_pages = [entry for entry in self._first if name in pages[entry]]
            at_once = [entry for entry in of_pages if entry in entries]
            files.setdefault(name, _file_of(name, entries, of_pages, at_once))
        return files

    def _reached(self, entry: str) -> list[str]:
        """Return all modules that the entry needs, each after its imports, the entry last."""
        found: dict[str, None] = {}

        def visit(name: str) -> None:
            for imported in self.imports[name]:
                if imported not in found:
                    visit(imported)
            found[name] = None

        visit(entry)
        return list(found)

    def _in_order(self) -> list[str]:
        return list(dict.fromkeys(name for entry in self.entries for name in self._reached(entry)))

    def _file(self, file: str, names: Sequence[str]) -> str:
        parts = [self._foreign_imports(file, names)]
        parts += [self._wrapped(name, file) for name in names]
        parts.append(self._exports(file, names))
        return "\n".join(part for part in parts if part) + "\n"

    def _foreign_imports(self, file: str, names: Sequence[str]) -> str:
        wanted: dict[str, dict[str, None]] = {}
        for name in names:
            for imported in self.imports[name]:
                if self.file_of[imported] != file:
                    wanted.setdefault(self.file_of[imported], {})[_variable(imported)] = None
        return "\n".join(
            f'import {{ {", ".join(variables)} }} from "{_path(file, other)}";'
            for other, variables in wanted.items()
        )

    def _wrapped(self, name: str, file: str) -> str:
        text = self.texts[name]
        exported = [found["name"] for found in _EXPORT.finditer(text)]
        text = _IMPORT.sub(lambda found: _binding(name, found), text)
        text = _LATE.sub(
            lambda found: f'import("{_path(file, _resolve(name, found["path"]))}")', text
        )
        body = _EXPORT.sub("", text)
        returned = f"return {{ {', '.join(exported)} }};"
        return f"const {_variable(name)} = (() => {{\n{body}\n{returned}\n}})();"

    def _exports(self, file: str, names: Sequence[str]) -> str:
        """Export the modules that other files use, and an entry's own exports."""
        outside = {
            imported
            for name, imports in self.imports.items()
            if name in self.file_of and self.file_of[name] != file
            for imported in imports
        }
        variables = [_variable(name) for name in names if name in outside]
        lines = [f"export {{ {', '.join(variables)} }};"] if variables else []
        own = _EXPORT.findall(self.texts[file]) if file in self.texts else []
        if own:
            lines.append(f"export const {{ {', '.join(own)} }} = {_variable(file)};")
        return "\n".join(lines)


def _file_of(
    name: str, entries: Sequence[str], pages: Sequence[str], at_once: Sequence[str]
) -> str:
    """Return the file of a module that `entries` and `pages` use.

    The pages in `at_once` import it statically, the other pages only on demand. A module of several
    pages is never in the file of one page: the other pages would run that page's script.
    """
    room = SHARED_ROOMS.get(name.removeprefix(FOLDER).split("/")[0])
    is_shared = len(at_once) > 1 or (room == "lib" and len(entries) > 1)
    if is_shared and room:
        return f"{SHARED}{room}.js"
    if len(pages) == 1 and at_once:
        return at_once[0]
    return entries[0] if len(entries) == 1 else name


@cache
def _variable(name: str) -> str:
    """Return the variable of a module: `lib$dom` of "js/lib/dom.js"."""
    plain = name.removeprefix(FOLDER).removesuffix(".js")
    return plain.replace("/", "$").replace("-", "_")


def _binding(name: str, found: re.Match[str]) -> str:
    module = _variable(_resolve(name, found["path"]))
    names = found["names"]
    if names is None:
        return ""
    if names.startswith("*"):
        return f"const {names.split()[-1]} = {module};"
    return f"const {names.replace(' as ', ': ')} = {module};"


def _resolve(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _path(file: str, other: str) -> str:
    path = posixpath.relpath(other, posixpath.dirname(file))
    return path if path.startswith(".") else f"./{path}"
