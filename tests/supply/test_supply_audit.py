"""The audit finds what it is for, says loudly what it could not ask, and asks what it claims to ask."""

from __future__ import annotations

from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import audit
import inventory
import locked
import pytest
from audit_services import ADVISORY, index_page, serving

if TYPE_CHECKING:
    from pathlib import Path

HASH = "a" * 64
NOWHERE = "http://127.0.0.1:9"
LOCK = (locked.ROOT / locked.RUN).read_text(encoding="utf-8")
JINJA = next(pin.version for pin in locked.pins(LOCK) if pin.name == "jinja2")


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Ask nobody but who a test names, and remember no answers."""
    monkeypatch.setenv("AUDIT_OSV_URL", NOWHERE)
    monkeypatch.setenv("UV_DEFAULT_INDEX", NOWHERE)
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "uv"))
    monkeypatch.setenv("UV_INSECURE_HOST", "127.0.0.1")
    monkeypatch.delenv("AUDIT_REQUIRED", raising=False)


def lock_of(folder: Path, *lines: str) -> Path:
    path = folder / "some.lock"
    path.write_text("".join(f"{line} --hash=sha256:{HASH}\n" for line in lines), encoding="utf-8")
    return path


def test_what_needs_no_network_is_well() -> None:
    assert list(audit.offline()) == []


def test_a_known_vulnerability_fails_the_audit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(advisories={("jinja2", JINJA): ADVISORY}) as address:
        monkeypatch.setenv("AUDIT_OSV_URL", f"{address}/v1/query")
        assert audit.main() == 1
    out = capsys.readouterr().out
    assert f"audit: error: jinja2 {JINJA}: CVE-2024-22195, mended in 3.1.3\n" in out
    assert "lock complete" not in out


def test_every_package_of_the_lock_is_asked_for_and_one_that_is_accepted_does_not_fail(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    versions = {pin.name: pin.version for pin in locked.pins(LOCK)}
    with serving(advisories=dict.fromkeys(versions.items(), ADVISORY)) as address:
        monkeypatch.setenv("AUDIT_OSV_URL", f"{address}/v1/query")
        found = audit.vulnerable(locked.ROOT / locked.RUN, [])
        assert {line.partition(" ")[0] for line in found} == versions.keys()
        assert audit.vulnerable(lock_of(tmp_path, "jinja2==3.1.2"), []) == []
        for name in (ADVISORY["id"], *ADVISORY["aliases"]):
            assert audit.vulnerable(locked.ROOT / locked.RUN, [name]) == []


@pytest.mark.parametrize("status", [404, 500, 503])
def test_a_service_that_fails_is_not_taken_for_one_that_knows_of_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: int
) -> None:
    with serving(status=status) as address:
        monkeypatch.setenv("AUDIT_OSV_URL", f"{address}/v1/query")
        with pytest.raises(audit.NotAsked, match="vulnerabilities"):
            audit.vulnerable(lock_of(tmp_path, "jinja2==3.1.2"), [])


def test_services_that_do_not_answer_are_said_on_a_line_each_and_are_an_error_when_required(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert audit.main() == 0
    told = [line for line in capsys.readouterr().out.splitlines() if "NOT ASKED" in line]
    assert [line.split(":")[1] for line in told] == [" warning", " warning"]
    assert "withdrawn releases" in told[0]
    assert "vulnerabilities" in told[1]
    monkeypatch.setenv("AUDIT_REQUIRED", "1")
    assert audit.main() == 1
    assert capsys.readouterr().out.count("audit: error: NOT ASKED") == 2


def test_packages_that_a_service_passes_over_were_not_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    # pip-audit itself says "no known vulnerabilities" and ends with 0.
    answer = '{"dependencies": [{"name": "jinja2", "skip_reason": "Dependency not found on PyPI"}], "fixes": []}'
    monkeypatch.setattr(audit, "run", lambda *_: CompletedProcess([], 0, answer, ""))
    with pytest.raises(audit.NotAsked, match="1 of 1 packages: Dependency not found"):
        audit.vulnerable(lock_of(tmp_path, "jinja2==3.1.2"), [])


@pytest.mark.parametrize(("yanked", "found"), [("broken wheel", 1), (True, 1), (False, 0)])
def test_a_release_that_was_withdrawn_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, yanked: str | bool, found: int
) -> None:
    page = index_page("jinja2", "3.1.2", HASH, yanked=yanked)
    with serving(pages={"jinja2": page}) as address:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{address}/simple")
        lines = audit.withdrawn(lock_of(tmp_path, "jinja2==3.1.2"))
    assert len(lines) == found
    assert all("jinja2==3.1.2` is yanked" in line for line in lines)


def test_a_release_that_is_gone_is_an_error_and_no_silence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    page = index_page("jinja2", "3.1.3", HASH, yanked=False)
    with serving(pages={"jinja2": page}) as address:
        monkeypatch.setenv("UV_DEFAULT_INDEX", f"{address}/simple")
        found = "\n".join(audit.withdrawn(lock_of(tmp_path, "jinja2==3.1.2")))
    assert "there is no version of jinja2==3.1.2" in found


def test_a_lock_that_was_changed_by_hand_fails(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "requirements/run.lock"
    other.parent.mkdir()
    other.write_text(LOCK.replace(f"jinja2=={JINJA}", "jinja2==2.0"), encoding="utf-8")
    monkeypatch.setattr(locked, "RUN", str(other))
    assert audit.main() == 1
    out = capsys.readouterr().out
    assert f"jinja2: the lock has 2.0, packages.json {JINJA}; run make lock" in out


def test_a_licence_that_is_not_allowed_fails() -> None:
    strong = inventory.Package("strong", "1", "GPL-3.0-only", [], [])
    found = list(audit.licences_of([*inventory.load(), strong]))
    assert found[0] == "strong 1: licence GPL-3.0-only, not in licences.toml"
    assert "THIRD-PARTY-LICENSES.txt: no text of strong 1 (GPL-3.0-only); run make lock" in found
    assert "docs/licences.md is not fresh; run make lock" in found
