"""What the page says of the code in force: which text it is, and whether it is exact."""

from difflib import SequenceMatcher

from specdec import certificate, edition


class RunningCode:
    """`source` identifies the code, `certify` enumerates it, a model a call."""

    ACTIONS = ("source", "certify")
    QUIET = True  # enumeration runs the code thousands of times: what it prints is dropped

    def source(self) -> dict:
        """Returns the SHA-256 of the text in force, and which of its lines a reader changed."""
        code = edition.current()
        return {
            "sha256": code.sha256,
            "changed_lines": changed_lines(edition.original().text, code.text)}

    def certify(self, *, first: bool) -> dict:
        """Enumerates the code in force on the next of the named small models.

        One model a call, so that a reader who presses Run meanwhile need not wait for all.

        Args:
            first: begins again with the first model, as after a change of the code.

        Returns:
            {"done": whether that was the last, "certificate": the verdict on all so far}.
        """
        if first:
            self.certificates: list[certificate.Certificate] = []
        models = certificate.small_models()
        self.certificates.append(certificate.certify(
            edition.current().module.speculative_decode, [models[len(self.certificates)]]))
        return {
            "done": len(self.certificates) == len(models),
            "certificate": certificate.combine(self.certificates).as_dict()}


SCENE = RunningCode


def changed_lines(before: str, after: str) -> list[int]:
    """Returns the numbers, from 1, of the lines of `after` that are not those of `before`."""
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return [line + 1 for kind, _, _, start, end in matcher.get_opcodes() if kind != "equal"
            for line in range(start, end)]
