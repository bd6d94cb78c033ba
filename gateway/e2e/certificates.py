"""A small certificate authority made with openssl, as an operator would."""

import subprocess


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Authority:
    def __init__(self, folder, name):
        self.folder = folder
        self.name = name
        self.certificate = folder / f"{name}.pem"
        self.key = folder / f"{name}.key"
        key(self.key)
        openssl("req", "-x509", "-new", "-key", self.key, "-subj", f"/CN={name}", "-days", 30, "-out", self.certificate)

    def issue(self, name, names="", days=30):
        """(certificate and issuer's, key) for a subject name; with negative days the certificate has expired."""
        certificate, private, request = (self.folder / f"{name}{end}" for end in (".pem", ".key", ".csr"))
        key(private)
        openssl("req", "-new", "-key", private, "-subj", f"/CN={name}", "-out", request)
        extensions = self.folder / f"{name}.ext"
        extensions.write_text(f"subjectAltName={names}\n" if names else "basicConstraints=CA:FALSE\n")
        if days > 0:
            openssl(
                "x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-CAcreateserial",
                "-extfile", extensions, "-days", days, "-out", certificate,
            )
        else:
            self._expired(request, certificate)
        certificate.write_text(certificate.read_text() + self.certificate.read_text())
        return certificate, private

    def _expired(self, request, certificate):
        """`openssl x509` of Debian 12 accepts no dates; `openssl ca` does, with a separate folder."""
        database = self.folder / f"{self.name}.db"
        database.mkdir(exist_ok=True)
        (database / "index.txt").touch()
        if not (database / "serial").exists():
            (database / "serial").write_text("01\n")
        config = database / "ca.cnf"
        config.write_text(
            f"[ca]\ndefault_ca=own\n[own]\ndatabase={database}/index.txt\nserial={database}/serial\n"
            f"new_certs_dir={database}\ndefault_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n"
        )
        openssl(
            "ca", "-batch", "-config", config, "-cert", self.certificate, "-keyfile", self.key, "-in", request,
            "-startdate", "20200101000000Z", "-enddate", "20200201000000Z", "-out", certificate, "-notext",
        )


def key(file):
    """A P-256 key in openssl's default form, readable by its owner only."""
    openssl("ecparam", "-name", "prime256v1", "-genkey", "-noout", "-out", file)
    file.chmod(0o600)
