"""The two limits of a rollout policy, and changes of them (config-and-chart.md §1).

A *block* is what stands under ``spec.rollout``: None when it is absent, else a mapping, which may be empty. Absent
fields and 0 both mean off, but writing an explicit zero where the field is absent is a change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from kubectl_c9s.resources.live import Rollout

LARGEST: Final = 2_147_483_647
"""The largest value a field takes: int32."""
Field: TypeAlias = Literal["batchSize", "maxConcurrentPerHost"]
FIELDS: Final[tuple[Field, Field]] = ("batchSize", "maxConcurrentPerHost")
Block: TypeAlias = "Mapping[str, int] | None"


class Limits(NamedTuple):
    """``batchSize`` and ``maxConcurrentPerHost``; None is an absent field. Absent and 0 both mean off."""

    batch_size: int | None = None
    max_concurrent_per_host: int | None = None

    @property
    def batch(self) -> int:
        """Give the batch size in force, 0 for off."""
        return self.batch_size or 0

    @property
    def per_host(self) -> int:
        """Give the limit per host in force, 0 for off."""
        return self.max_concurrent_per_host or 0


def limits_of(block: Block) -> Limits:
    """Read a block."""
    block = block or {}
    return Limits(*(block.get(field) for field in FIELDS))


def limits_in(policy: Rollout | None) -> Limits:
    """Read the policy of a live object."""
    return Limits(policy.batch_size, policy.max_concurrent_per_host) if policy else Limits()


class Edit(NamedTuple):
    """What is to be done to a block: values to set, fields to remove; other fields stay as they are."""

    values: tuple[tuple[Field, int], ...] = ()
    removed: tuple[Field, ...] = ()

    def on(self, block: Block) -> Block:
        """Give the block afterwards: an absent one stays absent when there is nothing to set."""
        if block is None and not self.values:
            return None
        kept = {key: value for key, value in (block or {}).items() if key not in self.removed}
        return kept | dict(self.values)


def edit_to(block: Block, wanted: Limits) -> Edit:
    """Give the edit that writes the wanted limits where they differ; a field that is None is left alone."""
    present = limits_of(block)
    pairs = zip(FIELDS, present, wanted, strict=True)
    return Edit(tuple((field, new) for field, old, new in pairs if new is not None and new != old))
