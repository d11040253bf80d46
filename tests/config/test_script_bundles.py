"""The bundles of our scripts: each module once, after its imports, with the same exports."""

import json
import re
import subprocess

import pytest
from django.conf import settings
from django.core.management import call_command

from config import storage, style_bundles
from config.script_bundles import Scripts

STATIC = settings.BASE_DIR / "static"
SCRIPT = re.compile(r"\{% (?:script|preload) ([^%]*) %\}|async src=\"\{% static ([^%]*) %\}")


def ours() -> dict[str, str]:
    files = (STATIC / "js").rglob("*.js")
    return {file.relative_to(STATIC).as_posix(): file.read_text() for file in files}


def bundle_of(**texts: str) -> dict[str, str]:
    """Bundle modules whose names have `_` for `/`; `page_main` is the entry."""
    names = {name: f"js/{name.replace('_', '/', 1)}.js" for name in texts}
    scripts = Scripts({names[name]: text for name, text in texts.items()}, ["js/page/main.js"])
    return scripts.bundled()


def run(folder, files: dict[str, str], entry: str = "js/page/main.js") -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    (folder / "package.json").write_text('{"type": "module"}')
    done = subprocess.run(["node", folder / entry], capture_output=True, text=True, check=True)
    return done.stdout


def test_entries_are_the_scripts_of_the_templates():
    templates = (settings.BASE_DIR / "templates").rglob("*.html")
    tags = [found for file in templates for found in SCRIPT.findall(file.read_text())]
    named = {name for tag in tags for name in re.findall(r"'([^']+)'", " ".join(tag))}
    late = {"js/table/coach.js"}  # preloaded by a template, but imported by another script
    assert named - late == set(storage.ENTRIES)
    assert late <= set(Scripts(ours(), storage.ENTRIES).entries)


def test_every_module_is_in_exactly_one_file():
    scripts = Scripts(ours(), storage.ENTRIES)
    assert set(scripts.file_of) == set(ours())
    text = "\n".join(scripts.bundled().values())
    for name in ours():
        plain = name.removeprefix("js/").removesuffix(".js").replace("/", "$").replace("-", "_")
        assert text.count(f"const {plain} = (() => {{") == 1


def test_a_module_runs_once_after_its_imports(tmp_path):
    files = bundle_of(
        page_main='import { say } from "../lib/say.js";\nimport * as tools from "./tools.js";\n'
        'import "./aside.js";\nsay("main");\nsay(tools.twice(2));\n'
        'import("./late.js").then((late) => say(late.answer));\n',
        page_tools='import { say as tell } from "../lib/say.js";\ntell("tools");\n'
        "export function twice(number) {\n  return 2 * number;\n}\n",
        page_aside='import {\n  say,\n} from "../lib/say.js";\nsay("aside");\n',
        page_late='import { twice } from "./tools.js";\nexport const answer = twice(21);\n',
        lib_say='// Says.\nconsole.log("say");\nexport const say = (text) => console.log(text);\n',
    )
    assert set(files) == {"js/page/main.js", "js/page/late.js", "js/shared/lib.js"}
    assert run(tmp_path, files).split() == ["say", "tools", "aside", "main", "4", "42"]


def test_a_module_shared_by_two_pages_does_not_run_their_scripts(tmp_path):
    texts = {
        "js/page/main.js": 'import { say } from "./say.js";\nsay("main");\n',
        "js/page/other.js": 'import { say } from "./say.js";\nsay("other");\n',
        "js/page/say.js": "export function say(text) {\n  console.log(text);\n}\n",
    }
    files = Scripts(texts, ["js/page/main.js", "js/page/other.js"]).bundled()
    assert run(tmp_path, files).split() == ["main"]
    assert run(tmp_path, files, "js/page/other.js").split() == ["other"]


def test_a_module_shared_with_a_late_script_has_a_file_of_its_own(tmp_path):
    texts = {
        "js/page/main.js": 'import("./late.js").then((late) => late.run());\n',
        "js/page/other.js": 'import { say } from "../text/say.js";\nsay("other");\n',
        "js/page/late.js": 'import { say } from "../text/say.js";\n'
        'export const run = () => say("late");\n',
        "js/text/say.js": "export function say(text) {\n  console.log(text);\n}\n",
    }
    scripts = Scripts(texts, ["js/page/main.js", "js/page/other.js"])
    assert scripts.file_of["js/text/say.js"] == "js/text/say.js"
    assert scripts.needed_by("js/page/main.js") == []
    assert scripts.whole("js/page/main.js") == [
        "js/page/main.js",
        "js/text/say.js",
        "js/page/late.js",
    ]
    assert run(tmp_path, scripts.bundled()).split() == ["late"]


@pytest.mark.slow
def test_collected_scripts_of_the_table_are_few_and_small(tmp_path, settings):
    settings.STATIC_ROOT = tmp_path
    backend = {"BACKEND": "config.storage.StaticStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": backend}
    call_command("collectstatic", interactive=False, verbosity=0)
    collected = storage.StaticStorage(location=tmp_path)
    files = ["js/table/main.js", *collected.needed_by("js/table/main.js")]
    assert len(files) == 4
    sizes = [(tmp_path / f"{collected.stored_name(name)}.br").stat().st_size for name in files]
    assert sum(sizes) <= 40 * 1024
    assert json.loads((tmp_path / storage.NEEDED).read_text())["js/site/offline.js"]
    for bundle in style_bundles.BUNDLES:
        joined = collected.stored_name(style_bundles.joined(bundle))
        whole = sum((STATIC / name).stat().st_size for name in style_bundles.parts(bundle))
        assert (tmp_path / f"{joined}.br").stat().st_size < whole / 4
