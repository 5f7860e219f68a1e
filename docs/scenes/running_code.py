"""What a page says of the code in force: which text it is, and whether it is exact."""

from difflib import SequenceMatcher

from specdec import certificate, edition

PATHS_A_CALL = 50  # some 20 ms: whoever presses Run meanwhile hardly waits


class RunningCode:
    """`source` identifies a file's code; `certify` enumerates speculative.py, some paths a call."""

    ACTIONS = ("source", "certify")

    def source(self, *, file: str) -> dict:
        """Returns the SHA-256 of the text of a file in force, and the lines a reader changed.

        Args:
            file: "speculative.py", ...: see `specdec.edition.original`.
        """
        code = edition.current(file)
        return {
            "sha256": code.sha256,
            "changed_lines": changed_lines(edition.original(file).text, code.text)}

    def certify(self, *, first: bool) -> dict:
        """Goes on enumerating speculative.py in force on the named small models.

        Args:
            first: begins again with the first model, as after a change of the code.

        Returns:
            {"done": whether all models are through, "certificate": the verdict on those that
            are}.
        """
        if first:
            decode = edition.current("speculative.py").module.speculative_decode
            self.examinations = [
                certificate.Examination(decode, model) for model in certificate.small_models()]
        unfinished = [one for one in self.examinations if not one.certificate]
        done = unfinished[0].advance(PATHS_A_CALL) and len(unfinished) == 1
        so_far = [one.certificate for one in self.examinations if one.certificate]
        return {"done": done, "certificate": certificate.combine(so_far).as_dict()}


SCENE = RunningCode


def changed_lines(before: str, after: str) -> list[int]:
    """Returns the numbers, from 1, of the lines of `after` that are not those of `before`."""
    matcher = SequenceMatcher(None, before.splitlines(), after.splitlines(), autojunk=False)
    return [line + 1 for kind, _, _, start, end in matcher.get_opcodes() if kind != "equal"
            for line in range(start, end)]
