"""The components of a control plane of our own: what each is started with, and how it says that it is well.

A command line follows from the bed's folder, its state and nothing else, so any process can start a component
again. Order is the order of starting; ``etcd`` and ``kube-apiserver`` are what a bed cannot be without.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from bed_certs import Authority, write_key
from bed_client import Access, reachable, read_kubeconfig, write_private
from bed_state import write_whole

if TYPE_CHECKING:
    import ssl

    from bed_certs import Pair
    from bed_state import BedState

HERE: Final = Path(__file__).parent
NEEDED: Final = ("etcd", "kube-apiserver")
COMPONENTS: Final = (*NEEDED, "kube-controller-manager", "kube-scheduler", "kwok")
# `etcd-peer` is no component, but etcd will have a second port.
PORT_NAMES: Final = (*COMPONENTS, "etcd-peer")

# Those of a real cluster that clabernetes' objects meet; the rest would only take memory.
CONTROLLERS: Final = (
    "clusterrole-aggregation-controller",  # without it the roles admin, edit and view are empty
    "deployment-controller",
    "garbage-collector-controller",
    "namespace-controller",
    "node-lifecycle-controller",
    "pod-garbage-collector-controller",
    "replicaset-controller",
    "resourcequota-controller",
    "root-ca-certificate-publisher-controller",
    "serviceaccount-controller",
    "serviceaccount-token-controller",
    "taint-eviction-controller",
)
KWOK_FILES: Final = tuple(sorted(path.name for path in (HERE / "kwok").glob("*.yaml")))
USERS: Final = {  # file: user and group in the certificate
    "admin": ("testbed-admin", "system:masters"),
    "kube-controller-manager": ("system:kube-controller-manager", None),
    "kube-scheduler": ("system:kube-scheduler", None),
    "kwok": ("kwok", None),
}


def kubeconfig(folder: Path, user: str = "admin") -> Path:
    """Give the kubeconfig of one of :data:`USERS`."""
    return folder / f"{user}.kubeconfig"


def prepare(folder: Path, state: BedState) -> None:
    """Write certificates, keys, kubeconfigs and settings of a new bed."""
    authority = Authority(folder / "pki")
    authority.server("server")
    authority.client("kubelet-client", "kube-apiserver-kubelet-client")
    write_key(folder / "pki/service-accounts.key")
    for file, (user, group) in USERS.items():
        pair = authority.client(file, user, group)
        access = _access(state, authority.ca, pair)
        write_private(kubeconfig(folder, file), access.kubeconfig())


def _access(state: BedState, ca: Path, pair: Pair) -> Access:
    ca_text, cert, key = (one.read_text(encoding="ascii") for one in (ca, pair.cert, pair.key))
    return Access(f"https://127.0.0.1:{state.ports['kube-apiserver']}", ca_text, cert, key)


def copy_settings(folder: Path) -> set[str]:
    """Bring the settings into the bed's folder; give the components that must read them again."""
    (folder / "kwok").mkdir(exist_ok=True)
    names = {name: f"kwok/{name}" for name in KWOK_FILES}
    changed = {
        name
        for name, file in names.items()
        if write_whole(folder / file, (HERE / file).read_text(encoding="utf-8"))
    }
    policy = (HERE / "audit-policy.yaml").read_text(encoding="utf-8")
    audit = write_whole(folder / "audit-policy.yaml", policy)
    return ({"kwok"} if changed else set()) | ({"kube-apiserver"} if audit else set())


def command(name: str, folder: Path, state: BedState) -> list[str]:
    """Give the whole command line of a component."""
    own = {
        "etcd": _etcd,
        "kube-apiserver": _apiserver,
        "kube-controller-manager": _controller_manager,
        "kube-scheduler": _scheduler,
        "kwok": _kwok,
    }[name](folder, state.ports)
    flags = [f"--{key}={value}" for key, value in own.items()]
    return [state.tools[name], *flags, *state.flags.get(name, [])]


def _etcd(folder: Path, ports: dict[str, int]) -> dict[str, str]:
    client, peer = (f"http://127.0.0.1:{ports[name]}" for name in ("etcd", "etcd-peer"))
    return {
        "name": "testbed",
        "data-dir": f"{folder}/etcd",
        "listen-client-urls": client,
        "advertise-client-urls": client,
        "listen-peer-urls": peer,
        "initial-advertise-peer-urls": peer,
        "initial-cluster": f"testbed={peer}",
        "unsafe-no-fsync": "true",  # what a power cut would lose is of no use to anybody
        "log-level": "warn",
    }


def _apiserver(folder: Path, ports: dict[str, int]) -> dict[str, str]:
    pki = folder / "pki"
    return _serving(folder, ports["kube-apiserver"]) | {
        "etcd-servers": f"http://127.0.0.1:{ports['etcd']}",
        "advertise-address": "127.0.0.1",
        "endpoint-reconciler-type": "none",  # loopback is no address an endpoint may have
        "service-cluster-ip-range": "10.0.0.0/16",
        "authorization-mode": "RBAC",
        "client-ca-file": f"{pki}/ca.crt",
        # Extension servers would come with such a certificate. There are none, but the others ask for this.
        "requestheader-client-ca-file": f"{pki}/ca.crt",
        "requestheader-allowed-names": "front-proxy-client",
        "requestheader-username-headers": "X-Remote-User",
        "requestheader-group-headers": "X-Remote-Group",
        "requestheader-extra-headers-prefix": "X-Remote-Extra-",
        "service-account-issuer": "https://kubernetes.default.svc.cluster.local",
        "service-account-key-file": f"{pki}/service-accounts.key",
        "service-account-signing-key-file": f"{pki}/service-accounts.key",
        "kubelet-client-certificate": f"{pki}/kubelet-client.crt",
        "kubelet-client-key": f"{pki}/kubelet-client.key",
        "kubelet-certificate-authority": f"{pki}/ca.crt",
        "kubelet-preferred-address-types": "InternalIP",
        "allow-privileged": "true",  # devices are privileged
        "audit-policy-file": f"{folder}/audit-policy.yaml",
        "audit-log-path": f"{folder}/audit.log",
        "audit-log-maxsize": "4096",  # MB; the default would turn the page in the middle of a test
    }


def _serving(folder: Path, port: int) -> dict[str, str]:
    return {
        "bind-address": "127.0.0.1",
        "secure-port": str(port),
        "tls-cert-file": f"{folder}/pki/server.crt",
        "tls-private-key-file": f"{folder}/pki/server.key",
    }


def _client(name: str, folder: Path, ports: dict[str, int]) -> dict[str, str]:
    config = str(kubeconfig(folder, name))
    keys = ("kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig")
    leader = {"leader-elect": "false"}  # there is one; waiting for a Lease would slow a restart
    return _serving(folder, ports[name]) | dict.fromkeys(keys, config) | leader


def _controller_manager(folder: Path, ports: dict[str, int]) -> dict[str, str]:
    return _client("kube-controller-manager", folder, ports) | {
        "controllers": ",".join(CONTROLLERS),
        "use-service-account-credentials": "true",
        "service-account-private-key-file": f"{folder}/pki/service-accounts.key",
        "root-ca-file": f"{folder}/pki/ca.crt",
    }


def _scheduler(folder: Path, ports: dict[str, int]) -> dict[str, str]:
    return _client("kube-scheduler", folder, ports)


def _kwok(folder: Path, ports: dict[str, int]) -> dict[str, str]:
    port = str(ports["kwok"])
    return {
        "kubeconfig": str(kubeconfig(folder, "kwok")),
        "config": ",".join(f"{folder}/kwok/{name}" for name in KWOK_FILES),
        "enable-crds": "ClusterPortForward",
        "manage-all-nodes": "true",
        "node-lease-duration-seconds": "40",
        "cidr": "10.128.0.0/14",
        "server-address": f"127.0.0.1:{port}",
        "node-ip": "127.0.0.1",
        "node-port": port,
        "tls-cert-file": f"{folder}/pki/server.crt",
        "tls-private-key-file": f"{folder}/pki/server.key",
        "v": "WARN",  # more would be a line for every step of every Pod
    }


def healthy(name: str, folder: Path, state: BedState) -> bool:
    """Ask a component whether it is ready to work."""
    port = state.ports[name]
    if name == "etcd":
        return reachable(f"http://127.0.0.1:{port}/health")
    path = "readyz" if name == "kube-apiserver" else "healthz"
    return reachable(f"https://127.0.0.1:{port}/{path}", tls(folder))


def tls(folder: Path) -> ssl.SSLContext:
    """Give the settings with which the administrator meets the servers of a bed."""
    return read_kubeconfig(kubeconfig(folder)).tls()
