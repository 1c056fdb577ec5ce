"""The page's files as one document: order of modules, what is refused, hashes that fit."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib import resources
from pathlib import Path

import pytest

from hexsight.review.bundle import BundleError, bundle_modules, bundle_page, digest

PAGE = (
    '<!doctype html>\n<head>\n<meta charset="utf-8">\n'
    '<link rel="stylesheet" href="static/a.css">\n<link rel="stylesheet" href="static/b.css">\n'
    '<script type="module" src="static/main.js"></script>\n</head>\n<body>\n<p>x</p>\n</body>\n'
)
FILES = {
    "index.html": PAGE,
    "a.css": "p { margin: 0 }",
    "b.css": "q { margin: 0 }",
    "main.js": 'import { twice as two } from "./b.js";\nconsole.log(two(21));\n',
    "b.js": 'import { one, NAMES } from "./c.js";\n'
    "export function twice(x) { return one * 2 * x + NAMES.length; }\n"
    "const hidden = 1;\n",
    "c.js": "export const one = 1, hidden = 2;\nexport const NAMES = [];\n"
    "export async function wait() { await 0; }\nexport class Thing {}\n",
}


def _page_file(name: str) -> str:
    return resources.files("hexsight.review").joinpath("static", name).read_text(encoding="utf-8")


def test_what_is_imported_comes_before_who_imports_it():
    text = bundle_modules(FILES.__getitem__, "main.js")
    assert text.index("// c.js") < text.index("// b.js") < text.index("// main.js")
    assert "const { twice: two } = module1;" in text
    assert "return { one, NAMES, wait, Thing };" in text
    assert not re.search(r"^(import|export)\b", text, re.MULTILINE)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('import x from "./c.js";', "import x"),
        ('import * as all from "./c.js";', "import \\*"),
        ('import { one } from "https://example.org/x.js";', "import"),
        ("export default 1;", "export default"),
        ("export let x = 1;", "export let"),
        ("export { x };", "export { x }"),
        ('import { twice } from "./main.js";', "import each other"),
        ('import { hidden } from "./c.js";', "no such export"),
    ],
)
def test_what_cannot_be_put_into_one_file_is_refused(line: str, told: str):
    files = {**FILES, "b.js": line + "\nexport function twice(x) { return x; }\n"}
    with pytest.raises(BundleError, match=told):
        bundle_modules(files.__getitem__, "main.js")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("main.js", 'const x = "</SCRIPT>";'),
        ("main.js", "// <!-- x"),
        ("a.css", "p::after { content: '</style>' }"),
    ],
)
def test_what_would_end_its_element_is_refused(name: str, text: str):
    files = {**FILES, name: text}
    with pytest.raises(BundleError, match="would end it"):
        bundle_page(files.__getitem__, "index.html", "")


def test_the_policy_names_just_the_style_and_the_program_that_are_inside():
    block = '<script type="application/json" id="x">{"a":"<\\/body></head>"}</script>\n'
    text = bundle_page(FILES.__getitem__, "index.html", block)
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', text)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    program = re.search(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    assert policy is not None
    assert style is not None
    assert program is not None
    assert f"script-src '{digest(program[1])}'" in policy[1]
    assert f"style-src '{digest(style[1])}'" in policy[1]
    assert "http" not in policy[1]
    assert text.index("Content-Security-Policy") < text.index("<style>")
    assert block in text
    assert text.index(block) > text.index("<p>x</p>")
    assert "static/" not in text


def test_the_page_itself_can_be_put_into_one_file():
    text = bundle_page(_page_file, "index.html", "")
    assert text.count('<script type="module">') == 1
    assert "static/" not in re.sub(r"//.*", "", text)


@pytest.mark.skipif(shutil.which("node") is None, reason="no node at hand to run the program")
def test_a_bundled_program_runs(tmp_path: Path):
    program = tmp_path / "p.mjs"
    program.write_text(bundle_modules(FILES.__getitem__, "main.js"), encoding="utf-8")
    ran = subprocess.run(["node", str(program)], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "42"
