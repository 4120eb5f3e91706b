"""docs/troubleshooting.md leads to every cause, and every section of symptoms says what to run or where to go."""

from __future__ import annotations

import re

from page_places import text_of

from kubectl_c9s.resources.causes import CAUSES

PAGE = text_of("docs/troubleshooting.md")


def test_every_cause_is_reached_from_a_symptom() -> None:
    assert sorted(CAUSES.keys() - set(re.findall(r"\(causes/([a-z0-9-]+)\.md\)", PAGE))) == []


def test_every_symptom_has_a_command_or_a_page() -> None:
    sections = re.split(r"^## ", PAGE, flags=re.MULTILINE)[1:]
    assert len(sections) > 10
    empty = [
        one.partition("\n")[0] for one in sections if not re.search(r"^\$ |\]\(", one, re.MULTILINE)
    ]
    assert empty == []
