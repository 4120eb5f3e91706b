"""Names in texts get their new names; what rules look for, counts and plain words stay."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kubectl_c9s.diagnosis.redactnames import Names
from kubectl_c9s.diagnosis.redactwords import PHRASES, WORDS
from kubectl_c9s.diagnosis.scheduling import why_unschedulable

ROOT = Path(__file__).parents[2]
PODS = ("leaf1-5d8f9-x7x2p", "lab-m")
STAYS = (
    "0/5 nodes are available: 2 Insufficient cpu. preemption: 0/5 nodes are available: 5 No preemption victims found.",
    "0/3 nodes are available: 3 node(s) had untolerated taint {node.kubernetes.io/unreachable: }.",
    "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 Insufficient hugepages-2Mi.",
    "0/9 nodes are available: 4 Too many pods, 5 node(s) didn't match pod topology spread constraints.",
    "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
    "Kubelet stopped posting node status.", "no pod sandbox exists", "kubelet has sufficient memory available",
    "network is not ready: container runtime network not ready: NetworkReady=false reason:NetworkPluginNotReady",
    "failed to sync configmap cache: timed out waiting for the condition",
    "back-off 5m0s restarting failed container", "Startup probe failed: dial tcp: i/o timeout",
    "Back-off pulling image", "requested: requests.cpu=200m, used: limits.memory=512Mi",
    "Deployment does not have minimum availability.", "the last applied workload was left unchanged",
)  # fmt: skip
REASONS = """
NodeProfileResolved NodeProfileNotFound NodeProfileConflict PlanApplied PlanPending PlanInvalidInput PlanMissingInput
PlanUnsupported PlanInvariant PlanSideEffect PlanSerialization OCIMetadataInvalidRequest
OCIMetadataInvalidAuthentication
OCIMetadataInvalidTrust OCIMetadataResolveManifest OCIMetadataUnsupportedMediaType OCIMetadataSelectPlatform
OCIMetadataInspectManifest OCIMetadataConfigTooLarge OCIMetadataFetchConfig OCIMetadataInvalidConfig
OCIMetadataPlatformMismatch OCIMetadataCanonicalMetadata ImagePullSecretMissing ImagePullSecretUnreadable PlanRejected
PlanArtifactConflict DeploymentInvalid DeploymentApplyFailed Prepared PreparationCompleted HelperNotReady HelperPending
DirectPodPending ConnectivityReady ContainersReady DirectContainersNotReady LinkLifecycleAction LinkLive LinkRestart
LinkRecreate DeviceStateReset Accepted InvalidSpec EndpointsUnresolved EndpointConflict TopologyReady ready notready
ChildResourceConflict deploying running degraded deployfailed PodReadyToStartContainers PodSandboxNotReady PodScheduled
Unschedulable SchedulingGated Initialized Ready MemoryPressure DiskPressure PIDPressure NetworkUnavailable KubeletReady
KubeletNotReady NodeStatusUnknown KubeletHasSufficientPID ReplicaFailure FailedCreate ErrImagePull ImagePullBackOff
InvalidImageName ErrImageNeverPull CreateContainerConfigError CreateContainerError RunContainerError CrashLoopBackOff
ContainerCreating PodInitializing OOMKilled Completed Error Evicted Failed BackOff Unhealthy FailedMount
FailedAttachVolume FailedCreatePodSandBox FailedScheduling Pending Succeeded Running Unknown True False NoSchedule
NoExecute PreferNoSchedule Pod Node Topology Link NodeProfile Config Deployment ReplicaSet Lease Update Apply unknown
""".split()  # noqa: SIM905 - a list of a hundred words
RULES = [
    "exceeded quota", "is forbidden", "violates PodSecurity", "denied the request", "failed calling webhook",
    "not found", "Startup probe failed",
]  # fmt: skip
PIECES = st.sampled_from([
    *RULES, "failed to sync", "cache", "0/5 nodes are available: ", "2 Too many pods", "3 Insufficient cpu",
    "1 Insufficient acme.example/fpga", "4 node(s) were unschedulable", " preemption: ", ", ", ". ", " ", '"',
    "leaf1", "lab-m", "dns-cache", "42", "10.0.0.7", "is", "forbidden", "not", "found", "2", "worker-1/lab", "Zürich",
    "x_y", "17", ": ", "(", ")",
])  # fmt: skip


def names_of(*texts: str, known: tuple[str, ...] = PODS) -> Names:
    """Give the names of a dump that has these objects and texts."""
    names = Names()
    for name in known:
        names.name(name)
    for text in texts:
        names.text(text)
    names.settle()
    for name in known:
        names.name(name)
    return names


def told(text: str, known: tuple[str, ...] = PODS) -> str:
    return names_of(text, known=known).text(text)


@pytest.mark.parametrize("text", STAYS)
def test_plain_words_and_counts_stay(text: str) -> None:
    assert told(text) == text


@pytest.mark.parametrize("reason", REASONS)
def test_reasons_and_kinds_stay(reason: str) -> None:
    names = Names()
    names.word(reason)
    names.name("leaf1")
    names.settle()
    assert names.word(reason) == reason


def test_a_reason_of_somebody_else_shows_only_plain_words() -> None:
    names = Names()
    names.word("AcmeQuotaDenied")
    names.settle()
    assert re.fullmatch(r"[a-z]+\d+QuotaDenied|[a-z]+\d+[a-z]*\d*", names.word("AcmeQuotaDenied"))
    assert "Acme" not in names.word("AcmeQuotaDenied")


@pytest.mark.parametrize(
    "text",
    [
        'pods "leaf1-5d8f9-x7x2p" is forbidden: exceeded quota: compute, requested: pods=1',
        "back-off 5m0s restarting failed container=main pod=leaf1-5d8f9-x7x2p_lab-m(17)",
        "Successfully assigned lab-m/leaf1-5d8f9-x7x2p to 10.0.0.7",
        "leaf1-5d8f9-x7x2p.lab-m.svc: no such host",
    ],
)
def test_a_name_in_a_text_is_the_new_name(text: str) -> None:
    names = names_of(text)
    new = names.text(text)
    for name in PODS:
        assert name not in new
        assert (names.name(name) in new) is (name in text)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("dial tcp 172.30.0.1:22: connect: connection refused", ["172.30.0.1"]),
        ("dial tcp [2001:db8::17]:22: i/o timeout", ["2001", "db8", "::17"]),
        ("no route to ::ffff:10.1.2.3 via fe80::1%eth0", ["10.1.2.3", "2.3", "ffff", "fe80"]),
        ("link aa:bb:cc:0d:ee:ff is down", ["aa:bb", "0d"]),
        ('pulling "quay.example:5000/acme/nos:9.9@sha256:0a1b"', ["quay", "5000", "acme", "nos", "9.9", "0a1b"]),
        ('sandbox "b831b33e0c05b45e"', ["b831"]),
        ('couldn\'t find key "TOKEN_2" in Secret "hunter2"', ["hunter2", "TOKEN_2"]),
        ("user=jane.doe@acme.example password:Pa55w0rd!", ["jane", "doe", "acme", "Pa55"]),
        ('serial "12345678" or 1234567890', ["12345678"]),
        ('"7" is not "42"', ['"7"', '"42"']),
        ("https://vault.acme.example/v1/secret?t=9f3e", ["vault", "acme", "9f3e"]),
        ("Zürich-7 und Straße", ["rich", "Stra", "-7"]),
        ("eyJhbGciOi.eyJzdWIi.SflKxw", ["eyJ", "Sfl"]),
    ],
)  # fmt: skip
def test_addresses_images_and_secrets_go(text: str, hidden: list[str]) -> None:
    new = told(text)
    assert [one for one in hidden if one in new] == []


def test_the_port_of_an_address_stays() -> None:
    assert re.fullmatch(r"dial tcp [a-z]+\d+:22: refused", told("dial tcp 172.30.0.1:22: refused"))


def test_a_time_of_day_is_no_address() -> None:
    assert told("since 10:09:52 waiting") == "since 10:09:52 waiting"


@pytest.mark.parametrize("name", ["node", "quota", "found", "cache"])
def test_an_object_called_like_a_word_is_renamed_and_phrases_stay(name: str) -> None:
    text = f'{name} "{name}" not found: exceeded quota, failed to sync configmap cache'
    names = names_of(text, known=(name,))
    new = names.text(text)
    assert new.count(names.name(name)) >= 1
    assert "not found: exceeded quota, failed to sync configmap cache" in new.replace(
        names.name(name), name
    )


def test_a_host_called_by_a_number_does_not_change_counts() -> None:
    text = '0/2 nodes are available: 2 Too many pods; node "2" is full'
    names = names_of(text, known=("2",))
    assert names.text(text).startswith("0/2 nodes are available: 2 Too many pods; node ")
    assert '"2"' not in names.text(text)


@given(st.lists(PIECES, max_size=14).map(" ".join))
@example("failed to sync dns-cache")
@example("cannot found this forbidden")
def test_rules_find_in_the_new_text_what_they_find_in_the_old_one(text: str) -> None:
    names = names_of(text, known=(*PODS, "dns-cache", "2", "found"))
    new = names.text(text)
    assert [rule in new for rule in RULES] == [rule in text for rule in RULES]
    both = "failed to sync" in text and "cache" in text
    assert ("failed to sync" in new and "cache" in new) is both
    sub, remedies = why_unschedulable(text)
    own = sub.removeprefix("insufficient-")
    wanted = sub if own == sub else f"insufficient-{names.key(own)}"
    assert why_unschedulable(new) == (wanted, remedies)


WORDY = st.lists(
    st.sampled_from([
        "dns", "cache", "node", "a", "io", "leaf1", "7", "server", "x", "lab", "2Gi", "Zürich", "fe80",
    ]), min_size=1, max_size=4,
)  # fmt: skip
GLUE = st.sampled_from([" ", "-", ".", "/", ":", "_", '"', "'", "=", ", ", "(", ") ", "::"])


@given(
    st.lists(WORDY.map("-".join), max_size=4),
    st.lists(st.tuples(WORDY.map("-".join), GLUE), max_size=8),
)
@example(["dns-cache"], [("dns-cache-a", " ")])
def test_names_made_of_words_go_whatever_stands_beside_them(
    known: list[str], pieces: list[tuple[str, str]]
) -> None:
    text = "".join(piece + glue for piece, glue in pieces)
    new = names_of(text, known=tuple(known)).text(text)
    for name in known:
        alone = rf"(?<![^\W_]){re.escape(name)}(?![^\W_])"
        if "-" in name and not re.fullmatch(r"[\d-]+", name):
            assert re.search(alone, new) is None


def test_a_rule_that_asks_a_message_for_words_finds_them_verbatim() -> None:
    """What rules compare with must be a phrase: else a name could be taken for it, or it for a name."""
    asked = set()
    for path in (ROOT / "kubectl_c9s/diagnosis").glob("*.py"):
        for one in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(one, ast.Compare) and isinstance(one.left, ast.Constant):
                where = one.comparators[0]
                if isinstance(where, ast.Attribute) and where.attr in ("message", "text"):
                    asked.add(str(one.left.value))
    assert len(asked) > 2
    assert {one for one in asked if not PHRASES.fullmatch(one)} <= {"cache"}


def test_every_word_of_a_phrase_is_a_plain_word() -> None:
    """Else a phrase that is not quite one would be half replaced, for no gain."""
    found = {
        word.lower() for word in re.findall(r"[A-Za-z]{2,}", PHRASES.pattern.split("|Insuff")[0])
    }
    assert found - WORDS <= {"pod's", "didn"}
