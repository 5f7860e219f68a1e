"""What the page says of the code that runs: which file it is, and whether it is exact."""

import hashlib
from pathlib import Path

from specdec import certificate, speculative


class RunningCode:
    """`source` identifies the file, `certify` enumerates it, a model a call."""

    ACTIONS = ("source", "certify")

    def __init__(self) -> None:
        self.certificates: list[certificate.Certificate] = []

    def source(self) -> dict:
        """Returns the SHA-256 of the file that Python imported as `speculative`."""
        content = Path(speculative.__file__).read_bytes()
        return {"file": "speculative.py", "sha256": hashlib.sha256(content).hexdigest()}

    def certify(self) -> dict:
        """Enumerates the running code on the next of the named small models.

        One model a call, so that a reader who presses Run meanwhile need not wait for all.

        Returns:
            {"done": whether that was the last, "certificate": the verdict on all so far}.
        """
        models = certificate.small_models()
        if len(self.certificates) == len(models):
            self.certificates = []
        next_model = models[len(self.certificates)]
        self.certificates.append(
            certificate.certify(speculative.speculative_decode, [next_model]))
        return {
            "done": len(self.certificates) == len(models),
            "certificate": certificate.combine(self.certificates).as_dict()}


SCENE = RunningCode
