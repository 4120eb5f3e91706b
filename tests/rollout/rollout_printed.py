"""What commands of ``rollout`` print for programs, held against a schema."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import yaml

if TYPE_CHECKING:
    import jsonschema_rs
    from rollout_live_tools import Place
    from split_lab import Answer


class Printed:
    """Commands in both formats: both say the same, stdout holds nothing else, and it keeps a schema."""

    def __init__(self, place: Place, schema: jsonschema_rs.Validator) -> None:
        self._place, self._schema = place, schema

    def __call__(self, code: int, *words: str) -> Any:
        """Run a command that may be repeated."""
        answers = [self._place.run(*words, f"--output={form}") for form in ("json", "yaml")]
        found = self.read(answers[0])
        assert [answer.code for answer in answers] == [code, code], answers[0].err
        assert yaml.safe_load(answers[1].out) == found
        return found

    def once(self, code: int, *words: str, form: str = "json") -> Any:
        """Run a command."""
        answer = self._place.run(*words, f"--output={form}")
        assert answer.code == code, answer.err
        return self.read(answer, form)

    def read(self, answer: Answer, form: str = "json") -> Any:
        found = json.loads(answer.out) if form == "json" else yaml.safe_load(answer.out)
        self._schema.validate(found)
        assert answer.out.endswith("\n")
        return found
