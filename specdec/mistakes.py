"""Classic mistakes as small changes to `speculative.py`, among some that only look wrong.

This is data: what is changed, where it was seen, and why it matters. Whether a change
keeps the law is for `specdec.certificate` to find out, not for this file to say. The
order goes from what one notices at once to what one hardly does.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Patch:
    """A change to the text of `speculative.py`.

    Attributes:
        name: an id for addresses and tests.
        title: what is done now; it does not say whether that is right.
        seen: one sentence on where this was met; links and code as in Markdown.
        why: what follows from it, for those who have answered.
        changes: (old lines, new lines), each replaced exactly once.
    """

    name: str
    title: str
    seen: str
    why: str
    changes: tuple[tuple[str, str], ...]

    def applied_to(self, text: str) -> str:
        """Returns the text with all changes made.

        Raises:
            ValueError: old lines that are not there, or there more than once.
        """
        for old, new in self.changes:
            if (times := text.count(old)) != 1:
                raise ValueError(f"{self.name}: {times} places match {old!r}, need exactly 1")
            text = text.replace(old, new)
        return text


# The lines that several patches change.
_COIN = """\
        if rng.random() >= p[token] / q[token]:  # keep with probability min(1, p/q)
"""
_RECOVER = """\
            return i, sample(residual(p, q), rng)  # the first miss is resampled
"""
_BONUS = """\
    return len(draft_tokens), sample(target_probs[-1], rng)  # all kept: a bonus token
"""
_GUESS = """\
            guesses.append(sample(rows[-1], rng))  # the draft goes on from its own guesses
"""
_LIKELIEST_GUESS = """\
            guesses.append(int(np.argmax(rows[-1])))
"""

PATCHES = (
    Patch(
        "coin-always-zero", "The coin always shows 0",
        "A new sampler in [vllm-ascend](https://github.com/vllm-project/vllm-ascend/issues/"
        "13730) compared the ratio with a coin that was the constant 0.",
        "Every guess that the target could say at all is kept: nothing is ever refused. It is "
        "as fast as can be, and the text is the draft's.",
        ((_COIN, _COIN.replace("rng.random()", "0.0")),)),
    Patch(
        "refused-guess-counted", "num_accepted counts the guess that failed, too",
        "In [lucidrains/speculative-decoding](https://github.com/lucidrains/"
        "speculative-decoding/issues/3) a reader found refused tokens in the output.",
        "The refused guess comes out, and the word that should have replaced it comes after "
        "it, although it was drawn for another place.",
        ((_RECOVER, _RECOVER.replace("return i,", "return i + 1,")),)),
    Patch(
        "first-choice-only", "Guesses are compared with the target's first choice",
        "On AMD GPUs, [SGLang](https://github.com/sgl-project/sglang/pull/37134) compared the "
        "guesses with the argmax, whatever the temperature.",
        "That is greedy decoding: right at temperature 0, where p is one-hot. At any other, "
        "the target's second choices never come out again.",
        ((_COIN + _RECOVER, """\
        if token != np.argmax(p):
            return i, int(np.argmax(p))
"""),
         (_BONUS, "    return len(draft_tokens), int(np.argmax(target_probs[-1]))\n"))),
    Patch(
        "ratio-turned-round", "The ratio stands the other way round",
        "A reader of [LLMSpeculativeSampling](https://github.com/feifeibear/"
        "LLMSpeculativeSampling/issues/36) asked for this change: Chen et al. call the draft p "
        "and the target q.",
        "The letters differ from paper to paper, the roles do not. Kept with min(1, q/p), "
        "exactly those guesses pass that the draft likes too much.",
        ((_COIN, "        if rng.random() * p[token] >= q[token]:  # min(1, q/p)\n"),)),
    Patch(
        "likeliest-guess", "The draft proposes its likeliest token",
        "For speed, [transformers](https://github.com/huggingface/transformers/issues/32867) let "
        "the assistant draft greedily, and left the ratio as it was.",
        "The q of the ratio has to be the law that the guess was drawn from. This guess was "
        "not drawn at all: its q is one-hot, and divided by the soft q it is kept too often.",
        ((_GUESS, _LIKELIEST_GUESS),)),
    Patch(
        "recover-from-p", "After a miss, the token is drawn from p",
        "[Spec-RL](https://github.com/ShopeeLLM/Spec-RL/issues/14) does this on purpose, in "
        "roll-outs for reinforcement learning.",
        "What refusals take away from some words has to go to those the draft neglects, and "
        "to no others. Drawn from p, a part goes to words that had their full share.",
        ((_RECOVER, _RECOVER.replace("residual(p, q)", "p")),)),
    Patch(
        "match-the-targets-draw", "Greedy guesses, compared with a draw of the target's own",
        "[llama.cpp](https://github.com/ggml-org/llama.cpp/blob/master/common/sampling.cpp) "
        "checks its guesses like this; in [mlxcel](https://github.com/lablup/mlxcel/issues/902) "
        "the same rule was filed as a defect.",
        "Look at what is emitted: at every place a fresh draw from p, whatever was guessed. "
        "The guess decides only how far one pass gets.",
        ((_COIN + _RECOVER, """\
        own = sample(p, rng)
        if own != token:
            return i, own
"""),
         (_GUESS, _LIKELIEST_GUESS))),
    Patch(
        "ratio-doubled", "A guess is kept twice as readily",
        "[lucidrains/speculative-decoding](https://github.com/lucidrains/speculative-decoding/"
        "blob/0434d06cf7d88224d0457685c9d6e487606e3c1a/speculative_decoding/"
        "speculative_decoding.py) has a setting for it, `lenience`.",
        "Leviathan et al. describe lenience and say that it is lossy: a word may come out "
        "up to twice as often as p says. Fair enough, when the reader is told.",
        ((_COIN, _COIN.replace("p[token]", "2 * p[token]")),)),
    Patch(
        "full-length-last-step", "The last step drafts as many guesses as the others",
        "[jaymody's NumPy version](https://github.com/jaymody/speculative-sampling/blob/"
        "03b4759da6e894bacdc2f396dc4fd88c913bf94d/main.py) looks at the number of tokens "
        "between steps only.",
        "Each word is drawn as it should be, there are just too many of them: another law of "
        "the output, its length included, that no count of words can show.",
        (("        for _ in range(min(gamma, wanted - 1)):\n",
          "        for _ in range(gamma):\n"),)),
    Patch(
        "stop-word-passed-by", "Only the last token of a step is compared with the stop tokens",
        "[transformers](https://github.com/huggingface/transformers/issues/47912) looked for "
        "the end of the text only at the end of what a step had accepted.",
        "A stop token among the guesses is passed by, and the text goes on beyond its end. Only "
        "models with a stop token can show that; the playground has none.",
        (("""\
        for i, token in enumerate(emitted):
            if token in stop_tokens:
                emitted, wanted = emitted[: i + 1], 0
                break
""", """\
        if emitted[-1] in stop_tokens:
            wanted = 0
"""),)),
    Patch(
        "ban-the-refused", "After a miss, only the refused token is ruled out",
        "An early [EAGLE](https://github.com/SafeAILab/EAGLE/issues/20) took the refused token "
        "out of p; [xLLM](https://github.com/xLLM-AI/xllm/pull/2175) subtracted q at that one "
        "token.",
        "With two words that is the residual: one word is left. With more, the mass should go "
        "where p exceeds q, and goes wherever p is large.",
        ((_RECOVER, """\
            others = np.where(np.arange(len(p)) == token, 0, p)
            return i, sample(others, rng)
"""),)),
    Patch(
        "draft-lags-behind", "The draft's context lacks the last token",
        "In [mlxcel](https://github.com/lablup/mlxcel/issues/994) the draft's cache was rewound "
        "too far after each miss.",
        "The draft guesses worse. But its q is still the law that the guesses are drawn from, "
        "and for the law of the output any such q will do: only the speed suffers.",
        (("""\
            rows.append(_rows("draft_probs", draft(tokens + guesses))[-1])
""", """\
            cached = tokens[:-1] or tokens
            rows.append(_rows("draft_probs", draft(cached + guesses))[-1])
"""),)),
    Patch(
        "refused-guess-cached", "The cache keeps the refused guess",
        "In [mlx-lm](https://github.com/ml-explore/mlx-lm/pull/1109) some caches could not be "
        "trimmed, and the call that should have done so did nothing.",
        "One word is put out, and both models go on from another: each row is right for a "
        "text that nobody sees.",
        (("        tokens = tokens + emitted\n",
          "        tokens = tokens + (guesses + [next_token])[: len(emitted)]\n"),)),
    Patch(
        "filter-in-the-draw-only", "Guesses are drawn from the top 2 of q",
        "Two drafters of [transformers](https://github.com/huggingface/transformers/issues/"
        "47932) drew after top-k and top-p, and handed on the q from before.",
        "The filter makes the words it keeps likelier than q says. Divided by that q, they are "
        "kept too often by just what was filtered away.",
        ((_GUESS, """\
            top = np.argsort(-rows[-1], kind="stable")[:2]
            guesses.append(int(top[sample(rows[-1][top], rng)]))
"""),)),
    Patch(
        "recover-one-row-late", "After a miss, the residual takes p from the next row",
        "In [OpenVINO GenAI](https://github.com/openvinotoolkit/openvino.genai/issues/4190) the "
        "replacement came from the row behind the refused token.",
        "That row is the law of what follows the refused guess, a word that is not in the text.",
        ((_RECOVER, _RECOVER.replace("residual(p, q)", "residual(target_probs[i + 1], q)")),)),
    Patch(
        "second-chance", "A guess that fails may still match the target's own draw",
        "A sampler of [rtp-llm](https://github.com/alibaba/rtp-llm/pull/1295) kept a guess if "
        "its coin passed, or if the target's sample agreed with it.",
        "Each rule alone is exact. Together they are two chances where one was due, and the "
        "residual gives back only what the first rule took.",
        ((_COIN, """\
        if rng.random() >= p[token] / q[token] and sample(p, rng) != token:
"""),)),
    Patch(
        "one-hot-rule", "Greedy guesses, kept with probability p; else p without the guess",
        "In [EAGLE](https://github.com/SafeAILab/EAGLE/issues/283) a reader found q fixed at 1 "
        "in the acceptance test, and asked.",
        "Kept with p(x); else, with 1 − p(x), another word z comes with p(z) / (1 − p(x)). The "
        "product is p(z), whatever proposed x. It is the usual rule with a one-hot q.",
        ((_COIN, _COIN.replace(" / q[token]", "")),
         (_RECOVER, """\
            return i, sample(np.where(np.arange(len(p)) == token, 0, p), rng)
"""),
         (_GUESS, _LIKELIEST_GUESS))),
    Patch(
        "bonus-at-another-temperature", "The bonus token is drawn at another temperature",
        "At one commit of [EAGLE](https://github.com/SafeAILab/EAGLE/blob/"
        "8009b6d89d725ff8322728390f049c0f1fd7e04b/eagle/model/utils.py) the checked rows are "
        "at the temperature asked for, the row after them is not.",
        "Only the word after a fully kept draft is off. A test of the first token never meets "
        "it, and with a poor draft hardly anything does: bonus tokens are rare then.",
        ((_BONUS, _BONUS.replace("target_probs[-1]", "target_probs[-1] ** 2")),)),
    Patch(
        "unsure-guess-is-the-last", "Drafting stops after a guess that q finds unlikely",
        "[transformers](https://github.com/huggingface/transformers/pull/33258) ends a draft "
        "early when the assistant gives its own token too little.",
        "How many guesses are made may depend on the text and on the guesses, as long as each "
        "of them is put to the test. The unlikely one is.",
        ((_GUESS, _GUESS + """\
            if rows[-1][guesses[-1]] <= 0.2:
                break
"""),)),
    Patch(
        "unsure-guess-dropped", "A guess that q finds unlikely is thrown away",
        "[ik_llama.cpp](https://github.com/ikawrakow/ik_llama.cpp/pull/1820) drops the last "
        "drafted token when its probability is low.",
        "There the guess is the draft's first choice, and nothing is lost. Here it is drawn: "
        "the unlikely ones never meet the test, so those that do are no sample of q.",
        ((_GUESS, """\
            guesses.append(sample(rows[-1], rng))
            if rows[-1][guesses[-1]] <= 0.2:
                del rows[-1], guesses[-1]
                break
"""),)),
    Patch(
        "coin-used-twice", "The coin that refused a guess also draws the token after it",
        "[vllm-ascend](https://github.com/vllm-project/vllm-ascend/pull/16370) used one uniform "
        "number for the refusal and for the inverse-CDF draw that follows.",
        "A coin that refuses is a large one, so the draw looks only at the upper end. With two "
        "words the residual holds a single one, and there is nothing to choose.",
        ((_COIN + _RECOVER, """\
        u = rng.random()
        if u >= p[token] / q[token]:
            return i, int(np.argmax(residual(p, q).cumsum() > u))
"""),)),
    Patch(
        "one-coin-for-all", "All coins of a run are one number",
        "Given a seed, [LLMSpeculativeSampling](https://github.com/feifeibear/"
        "LLMSpeculativeSampling/blob/76117cfdc07a6529d2bddfd692a4773538d8e2a9/sampling/"
        "speculative_sampling.py) sets it anew before each coin.",
        "The first token meets one fair coin and is exactly right. But a coin that was low once "
        "is low for good: each word depends on how lucky those before it were.",
        (("def verify(target_probs, draft_probs, draft_tokens, rng) ->",
          "def verify(target_probs, draft_probs, draft_tokens, rng, u) ->"),
         (_COIN, _COIN.replace("rng.random()", "u")),
         ("    tokens, wanted = list(prompt), num_tokens\n",
          "    tokens, wanted = list(prompt), num_tokens\n    u = rng.random()\n"),
         ("verify(target_probs, rows, guesses, rng)\n",
          "verify(target_probs, rows, guesses, rng, u)\n"))),
    Patch(
        "half-precision-draw", "Guesses are drawn from q in half precision",
        "[DeepSpec](https://github.com/deepseek-ai/DeepSpec/issues/31) drew from bfloat16 "
        "probabilities and checked with those of float32.",
        "Rounding errors do not average out: each row errs the same way each time. It takes "
        "exact arithmetic, or a very great many tokens, to see so little.",
        ((_GUESS, """\
            half = rows[-1].astype(np.float16)
            guesses.append(sample(half.astype(float), rng))
"""),)),
)
