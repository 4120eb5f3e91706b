"""The certificates of one bed: an authority of its own, one serving certificate, and one for each client."""

from __future__ import annotations

import dataclasses
import datetime as dt
import ipaddress
from typing import TYPE_CHECKING, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

if TYPE_CHECKING:
    from pathlib import Path

LIFE: Final = dt.timedelta(days=365)
CLOCKS_DIFFER: Final = dt.timedelta(hours=1)
SERVER_NAMES: Final = (
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
)
SERVER_ADDRESSES: Final = ("127.0.0.1", "10.0.0.1")


@dataclasses.dataclass(frozen=True)
class Pair:
    """The files of one certificate and its key, both PEM."""

    cert: Path
    key: Path


class Authority:
    """Signs certificates; lives as long as this object, so that nobody can sign another one later."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name("c9s-testbed")
        self.ca = folder / "ca.crt"
        basic = x509.BasicConstraints(ca=True, path_length=0)
        builder = self._builder(self._name, self._key).add_extension(basic, critical=True)
        self._write(self.ca, builder.sign(self._key, hashes.SHA256()))

    def server(self, file: str) -> Pair:
        """Give a certificate for every server of the bed: all listen on loopback."""
        names: list[x509.GeneralName] = [x509.DNSName(name) for name in SERVER_NAMES]
        names += [x509.IPAddress(ipaddress.ip_address(one)) for one in SERVER_ADDRESSES]
        usage = ExtendedKeyUsageOID.SERVER_AUTH
        return self._pair(file, _name(file), usage, x509.SubjectAlternativeName(names))

    def client(self, file: str, user: str, group: str | None = None) -> Pair:
        """Give a certificate that says user and group to the API server."""
        return self._pair(file, _name(user, group), ExtendedKeyUsageOID.CLIENT_AUTH, None)

    def _pair(
        self,
        file: str,
        subject: x509.Name,
        usage: x509.ObjectIdentifier,
        names: x509.SubjectAlternativeName | None,
    ) -> Pair:
        key = ec.generate_private_key(ec.SECP256R1())
        builder = self._builder(subject, key)
        builder = builder.add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
        if names is not None:
            builder = builder.add_extension(names, critical=False)
        pair = Pair(self._folder / f"{file}.crt", self._folder / f"{file}.key")
        self._write(pair.cert, builder.sign(self._key, hashes.SHA256()))
        write_key(pair.key, key)
        return pair

    def _builder(
        self, subject: x509.Name, key: ec.EllipticCurvePrivateKey
    ) -> x509.CertificateBuilder:
        now = dt.datetime.now(dt.UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - CLOCKS_DIFFER)
            .not_valid_after(now + LIFE)
        )

    def _write(self, path: Path, cert: x509.Certificate) -> None:
        path.write_bytes(cert.public_bytes(serialization.Encoding.PEM))


def write_key(path: Path, key: ec.EllipticCurvePrivateKey | None = None) -> None:
    """Write a key, by default a new one, that only this user can read."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    path.touch(mode=0o600)
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            # The API server finds the public half of a ServiceAccount key in this form only.
            serialization.PrivateFormat.TraditionalOpenSSL,
            serialization.NoEncryption(),
        )
    )


def _name(user: str, group: str | None = None) -> x509.Name:
    parts = [x509.NameAttribute(NameOID.COMMON_NAME, user)]
    if group is not None:
        parts.append(x509.NameAttribute(NameOID.ORGANIZATION_NAME, group))
    return x509.Name(parts)
