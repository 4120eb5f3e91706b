"""Advice on limits per host: they count devices that boot, and only a probe tells when one has booted.

A slot is free again when the primary container has started; without a startup probe that is as soon as it runs
(admission.md §5.3), so that the limit only spreads the creation of containers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from kubectl_c9s.resources.listing import some
from kubectl_c9s.validation.things import listed, mapping

if TYPE_CHECKING:
    from kubectl_c9s.validation.things import Thing
    from kubectl_c9s.validation.world import Member, World

_CAP: Final = "maxConcurrentPerHost"
_PROBES: Final = ("spec", "statusProbes")
_SHOWN: Final = 5


def advise_on_probes(world: World) -> None:
    """Warn about profiles without probes where the Config or their Topology limits starts per host."""
    caps = [config for config in world.of("Config") if _cap(config.spec)]
    for profile in world.of("NodeProfile"):
        if caps:
            whose = f"{_CAP}: {_cap(caps[0].spec)} of the Config"
            _advise(profile, whose)
        elif profile.derived and (own := _cap(mapping(profile.thing.obj.get("spec")))):
            _advise(profile, f"{_CAP}: {own} of the Topology")


def _cap(spec: dict[str, Any]) -> int:
    cap = mapping(spec.get("rollout")).get(_CAP)
    return cap if isinstance(cap, int) and not isinstance(cap, bool) and cap > 0 else 0


def _advise(profile: Member, cap: str) -> None:
    probes = mapping(profile.spec.get("statusProbes"))
    # Without the block the value is Go's, false; with it, the API server's default, true (split.md §1.4).
    if not probes.get("enabled", "statusProbes" in profile.spec):
        what = "status probes are off, so a device counts as started as soon as its container runs"
        _warn(profile.thing, (*_PROBES, "enabled"), f"{cap} means little here: {what}")
    elif excluded := [
        name for name in listed(probes.get("excludedNodes")) if isinstance(name, str)
    ]:
        what = f"excluded from probes: {some(excluded, _SHOWN)}"
        _warn(
            profile.thing, (*_PROBES, "excludedNodes"), f"{cap} means little for the nodes {what}"
        )


def _warn(thing: Thing, path: tuple[str, ...], message: str) -> None:
    # A Topology has the same fields at the same place, so one warning stands for all profiles it makes.
    thing.warning("cap-without-probes", path, message)
