"""What there is in a cluster in memory at the beginning, and what others do to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from reconcile_sim_judge import LEASES, NODES, POLICIES
from reconcile_sim_server import FIELDS, Json, SimServer, block, key_of

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

SPACE = "c9s"
CONFIGS, TOPOLOGIES = "configs.c9s.run", "topologies.c9s.run"
MANAGER = (SPACE, "clabernetes-manager")
NUMBERS = (0, 0, 1, 5, 9)


class Others:
    """People and programs that write, as chance has it."""

    def __init__(self, server: SimServer, chance: random.Random) -> None:
        self.server, self.chance = server, chance

    def populate(self) -> None:
        """Make what there is at the beginning."""
        chance = self.chance
        lease = made("coordination.k8s.io/v1", "Lease", *MANAGER, spec={"leaseDurationSeconds": 15})
        lease["metadata"]["labels"] = {"c9s.run/component": "manager"}
        self.server.put(LEASES, lease, "manager")
        if chance.random() < 0.9:
            self.put_config()
        # Another installation's: not ours.
        other = made(
            "c9s.run/v1alpha1", "Config", "away", "clabernetes", spec={"rollout": {"batchSize": 77}}
        )
        self.server.put(CONFIGS, other, "manager")
        for number in range(3):
            if chance.random() < 0.7:
                self.put_topology(number)
        for number in range(chance.randrange(1, 4)):
            self.put_node(number)
        for number in range(chance.choice((1, 1, 1, 2))):
            self.put_policy(number)

    def put_config(self) -> None:
        """Make the Config, with more in it than limits."""
        obj = made(
            "c9s.run/v1alpha1",
            "Config",
            SPACE,
            "clabernetes",
            spec={"imagePull": {"policy": "Always"}},
        )
        self._give_block(obj)
        self.server.put(CONFIGS, obj, "manager")

    def put_topology(self, number: int) -> None:
        """Make a Topology; some are in namespaces that a rule fits."""
        namespace = ("ci-1", "ci-2", "lab")[number]
        obj = made(
            "c9s.run/v1alpha1",
            "Topology",
            namespace,
            "lab",
            spec={"definition": {"containerlab": "x"}},
        )
        obj["metadata"]["labels"] = {"tier": self.chance.choice(("ci", "prod"))}
        self._give_block(obj)
        if self.server.objects[TOPOLOGIES].get(key_of(obj)) is None:
            self.server.put(TOPOLOGIES, obj)

    def put_node(self, number: int) -> None:
        """Make a Node that waits for its mark."""
        if (("lab", f"n{number}")) not in self.server.objects[NODES]:
            spec = {"kind": "linux", "image": "x"}
            self.server.put(NODES, made("c9s.run/v1alpha1", "Node", "lab", f"n{number}", spec=spec))

    def _give_block(self, obj: Json) -> None:
        if self.chance.random() < 0.7:
            fields = self.chance.sample(FIELDS, self.chance.randrange(3))
            obj["spec"]["rollout"] = {field: self.chance.choice(NUMBERS) for field in fields}

    def put_policy(self, number: int) -> None:
        """Make a policy, or change it."""
        obj = made(
            "toolkit.c9s.run/v1alpha1", "RolloutPolicy", SPACE, f"p{number}", spec=self._spec()
        )
        key = key_of(obj)
        if key in self.server.objects[POLICIES]:
            self.server.edit(POLICIES, key, lambda one: one.update(spec=obj["spec"]))
        else:
            self.server.put(POLICIES, obj)

    def _spec(self) -> Json:
        chance = self.chance
        spec: Json = {"mode": chance.choice(("Enforce",) * 12 + ("Report",))}
        if chance.random() < 0.05:
            spec["suspend"] = True
        fields = chance.sample(FIELDS, chance.choice((0, 1, 2, 2)))
        spec["config"] = {field: chance.choice(NUMBERS) for field in fields}
        matches = [{"namespaces": ["ci-*"], "labels": {"tier": "ci"}}, {"namespaces": ["*-1"]}, {}]
        spec["topologies"] = [
            {"match": match, chance.choice(FIELDS): chance.choice(BOUNDS)}
            for match in chance.sample(matches, chance.randrange(4))
        ]
        guards: Json = {"allowRelease": chance.random() < 0.5}
        if chance.random() < 0.2:
            guards["yieldTo"] = chance.choice(([], ["user"]))
        return spec | {"guards": guards}

    def others(self) -> None:
        """Let somebody else do something."""
        chance = self.chance
        action: Callable[[], object] = chance.choice((
            self._user, self._user, self._user, self._user, self._user, self._user, self._gitops, self._drop_zeros,
            self._touch, self._touch, self._objects, self._policy, self._nodes, self._track,
        ))  # fmt: skip
        action()

    def _any(self) -> tuple[str, Any]:
        found = [
            (name, key)
            for name in (CONFIGS, TOPOLOGIES)
            for key in sorted(self.server.objects[name])
        ]
        return self.chance.choice(found) if found else (CONFIGS, ("", ""))

    def _write(self, manager: str) -> None:
        field, number = self.chance.choice(FIELDS), self.chance.choice((*NUMBERS, None))

        def change(obj: Json) -> None:
            rollout = obj["spec"].setdefault("rollout", {})
            if number is None:
                rollout.pop(field, None)
            else:
                rollout[field] = number

        self.server.edit(*self._any(), change, manager)

    def _user(self) -> None:
        self._write("user")

    def _gitops(self) -> None:
        if self.chance.random() < 0.4:
            self._write("kustomize-controller")

    def _track(self) -> None:
        def change(obj: Json) -> None:
            labels = obj["metadata"].setdefault("labels", {})
            if (
                labels.pop("kustomize.toolkit.fluxcd.io/name", None) is None
                and self.chance.random() < 0.3
            ):
                labels["kustomize.toolkit.fluxcd.io/name"] = "labs"

        self.server.edit(*self._any(), change)

    def _drop_zeros(self) -> None:
        def change(obj: Json) -> None:
            rollout = block(obj)
            for field in [field for field, value in rollout.items() if value == 0]:
                del rollout[field]

        self.server.edit(*self._any(), change, "manager")

    def _touch(self) -> None:
        def change(obj: Json) -> None:
            obj.setdefault("status", {})["conditions"] = [
                {"type": "X", "status": str(self.chance.random())}
            ]

        self.server.edit(*self._any(), change, "manager")

    def _objects(self) -> None:
        name, key = self._any()
        if self.chance.random() < 0.3:
            self.server.remove(name, key)
        else:
            self.put_topology(self.chance.randrange(3))
            if (SPACE, "clabernetes") not in self.server.objects[
                CONFIGS
            ] and CONFIGS not in self.server.gone:
                self.put_config()

    def _policy(self) -> None:
        number = self.chance.randrange(2)
        if self.chance.random() < 0.2:
            self.server.remove(POLICIES, (SPACE, f"p{number}"))
        elif POLICIES not in self.server.gone:
            self.put_policy(number)

    def _nodes(self) -> None:
        number = self.chance.randrange(4)
        key = "lab", f"n{number}"

        def mark(obj: Json) -> None:
            marks = obj["metadata"].setdefault("annotations", {})
            marks["c9s.run/startup-admitted"] = obj["metadata"]["uid"]

        choice = self.chance.random()
        if choice < 0.5:
            self.put_node(number)
        elif choice < 0.8:
            self.server.edit(NODES, key, mark, "manager")
        else:
            self.server.remove(NODES, key)


BOUNDS: tuple[Json, ...] = (
    {"max": 5}, {"min": 5}, {"default": 5}, {"default": 3, "max": 6}, {"min": 2, "default": 4, "max": 5},
    {"default": 0},
)  # fmt: skip


def made(version: str, kind: str, namespace: str, name: str, **parts: Any) -> Json:
    """Make an object."""
    return {
        "apiVersion": version,
        "kind": kind,
        "metadata": {"namespace": namespace, "name": name},
        **parts,
    }
