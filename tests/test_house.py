"""The house: what is installed, what the pages promise, what the imports cost."""

from __future__ import annotations

import ast
import configparser
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

from installed import packed_files

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "kubectl_c9s"
HEAVY = {"jinja2", "jsonschema_rs", "kubernetes", "msgspec", "rich", "ruamel", "yaml"}


def setup_cfg() -> configparser.ConfigParser:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    return config


def test_a_wheel_holds_every_file_of_the_package(wheel: Path) -> None:
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert packed == set(packed_files())


def test_a_wheel_brings_its_commands_and_the_licence(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    names = {name.partition(".dist-info/")[2]: name for name in archive.namelist()}
    entries = configparser.ConfigParser()
    entries.read_string(archive.read(names["entry_points.txt"]).decode())
    assert dict(entries["console_scripts"]) == {
        "kubectl-c9s": "kubectl_c9s.cli.main:console",
        "c9s": "kubectl_c9s.cli.main:console",
        "kubectl_complete-c9s": "kubectl_c9s.cli.complete:console",
    }
    assert archive.read(names["licenses/LICENSE"]) == (ROOT / "LICENSE").read_bytes()


def test_an_installed_tool_needs_no_checkout(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    lab = tmp_path / "lab.yaml"
    lab.write_bytes((ROOT / "examples/small/topology.yaml").read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "kubectl_c9s", "split", "-f", "lab.yaml", "-o", "name"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "site")},
        check=True,
        capture_output=True,
        text=True,
    )
    assert "node.c9s.run/r1" in done.stdout.splitlines()


def test_declared_dependencies_are_those_the_package_imports() -> None:
    assert foreign_packages(PACKAGE) == declared(setup_cfg()["options"]["install_requires"])


def test_tests_and_examples_import_nothing_undeclared() -> None:
    config = setup_cfg()
    known = declared(config["options"]["install_requires"])
    known |= declared(config["options.extras_require"]["dev"])
    assert foreign_packages(ROOT / "tests", ROOT / "tools") <= known
    assert foreign_packages(ROOT / "examples") <= known


def declared(requirements: str) -> set[str]:
    return set(map(normal, re.findall(r"^[\w.-]+", requirements, re.MULTILINE)))


def foreign_packages(*folders: Path) -> set[str]:
    files = [file for folder in folders for file in folder.rglob("*.py")]
    ours = {"kubectl_c9s", "__future__"} | {file.stem for file in files}
    names = set().union(*map(imports, files)) - ours - sys.stdlib_module_names
    homes = importlib.metadata.packages_distributions()
    return {normal(homes[name][0]) for name in names}


def imports(file: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_every_dependency_has_its_reason_on_the_page() -> None:
    page = (ROOT / "docs/dependencies.md").read_text(encoding="utf-8")
    for requirement in setup_cfg()["options"]["install_requires"].split("\n"):
        if requirement:
            name = re.split(r"[<>=]", requirement)[0]
            bounds = requirement.removeprefix(name)
            assert re.search(
                rf"^\| {re.escape(name)} \|.*`{re.escape(bounds)}`", page, re.MULTILINE
            )


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import json, sys\n"
        "from kubectl_c9s.cli.main import main\n"
        "sys.argv = ['kubectl-c9s', '--help']\n"
        "try:\n    main()\n"
        "finally:\n    print(json.dumps(sorted(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True
    )
    loaded = {name.partition(".")[0] for name in json.loads(done.stderr.splitlines()[-1])}
    assert "kubectl_c9s" in loaded
    assert loaded & HEAVY == set()


def test_commands_named_on_the_pages_are_targets_of_the_makefile() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    named = {
        target
        for page in pages
        for target in re.findall(r"(?:\$ |`)make ([a-z-]+)", page.read_text(encoding="utf-8"))
    }
    assert {"try", "test"} <= named <= targets


def test_ci_runs_lint_and_then_the_test_command_of_the_readme() -> None:
    commands = (ROOT / ".ci/run").read_text(encoding="utf-8").splitlines()
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make lint" in commands
    assert commands[-1] == "make test"
    assert re.search(r"^\$ make test\b", readme, re.MULTILINE)


def test_changelog_fragments_are_named_by_the_rules() -> None:
    rule = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\.(added|changed|fixed|removed|security)\.md")
    names = {path.name for path in (ROOT / "changelog.d").iterdir()} - {"README.md"}
    assert [name for name in sorted(names) if not rule.fullmatch(name)] == []
