"""Wrong variants of `speculative_decode`.

Each names the one part it replaces: `decode_with` without replacement is the algorithm
itself. Glossary: p is the target's row, q the draft's, u a uniform number.
"""

from functools import partial

import numpy as np

from specdec.speculative import Step, residual, sample, verify
from tests.specdec.verify_mutants import inverse_cdf, keep, normalised, register

DECODE_MUTANTS = {}  # name -> speculative_decode(...) whose output follows another law
LAW_PRESERVING_DECODE_MUTANTS = {}  # name -> speculative_decode(...), only slower


def top_k(probs, k=2):
    """Returns probs with all but the k likeliest set to 0, normalised."""
    kept = np.argsort(-probs, kind="stable")[:k]
    return normalised(np.where(np.isin(np.arange(len(probs)), kept), probs, 0 * probs))


class ReplayedNoise:
    """A generator that hands out the same uniforms again after each `reset`."""

    def __init__(self, rng):
        self.rng, self.drawn, self.position = rng, [], 0

    def reset(self):
        self.position = 0

    def random(self):
        if self.position == len(self.drawn):
            self.drawn.append(self.rng.random())
        self.position += 1
        return self.drawn[self.position - 1]

    def choice(self, size, p):
        return inverse_cdf(p, self.random())


def clamp(gamma, wanted):
    return min(gamma, wanted - 1)


def propose(draft, context, count, rng, *, choose=sample):
    guesses, rows = [], []
    for _ in range(count):
        rows.append(draft(context + guesses)[-1])
        guesses.append(choose(rows[-1], rng))
    return guesses, rows


def score(target, context, guesses):
    return target(context + guesses, num_rows=len(guesses) + 1)


def remember(context, guesses, num_accepted, next_token):
    return context + guesses[:num_accepted] + [next_token]


def cut(tokens, stop_tokens):
    """Returns (tokens up to the first stop token, whether there is one)."""
    for i, token in enumerate(tokens):
        if token in stop_tokens:
            return tokens[: i + 1], True
    return tokens, False


def decode_with(target, draft, prompt, num_tokens, gamma, rng, *,
                verify=verify, stop_tokens=(), clamp=clamp, propose=propose, score=score,
                remember=remember, cut=cut):
    """Decodes as `specdec.speculative_decode` does, with replaceable parts."""
    context, wanted = list(prompt), num_tokens
    while wanted > 0:
        guesses, rows = propose(draft, context, clamp(gamma, wanted), rng)
        target_probs = score(target, context, guesses)
        num_accepted, next_token = verify(target_probs, rows, guesses, rng)
        tokens, ended = cut(guesses[:num_accepted] + [next_token], stop_tokens)
        wanted = 0 if ended else wanted - len(tokens)
        context = remember(context, guesses, num_accepted, next_token)
        yield Step(guesses, target_probs, np.array(rows), num_accepted, next_token, tokens)


@register(DECODE_MUTANTS)
def argmax_draft_with_soft_q(*call, **options):
    """The draft guesses its likeliest token, the ratio uses the soft q."""
    def choose(q, rng):
        return int(np.argmax(q))

    return decode_with(*call, **options, propose=partial(propose, choose=choose))


@register(DECODE_MUTANTS)
def beam_draft_with_soft_q(*call, **options):
    """The guesses are the best of a beam search: likely under q, but no sample of q."""
    def propose(draft, context, count, rng):
        beams = [(1, [], [])]
        for _ in range(count):
            longer = []
            for weight, guesses, rows in beams:
                q = draft(context + guesses)[-1]
                longer += [(weight * q[token], [*guesses, token], [*rows, q])
                           for token in range(len(q)) if q[token] > 0]
            beams = sorted(longer, key=lambda beam: -beam[0])[:2]
        return beams[0][1:]

    return decode_with(*call, **options, propose=propose)


@register(DECODE_MUTANTS)
def top_k_in_the_draws_of_the_draft_only(*call, **options):
    """Guesses are drawn from the top 2 of q, the q stored is the whole one."""
    def choose(q, rng):
        return sample(top_k(q), rng)

    return decode_with(*call, **options, propose=partial(propose, choose=choose))


@register(DECODE_MUTANTS)
def top_k_on_the_target_only(*call, **options):
    """The target's rows are cut to their top 2, a sampling parameter nobody asked of it."""
    def top_k_score(target, context, guesses):
        return np.array([top_k(p) for p in score(target, context, guesses)])

    return decode_with(*call, **options, score=top_k_score)


@register(DECODE_MUTANTS)
def greedy_processor_returns_softmax(*call, **options):
    """Rows that are one-hot, or final as they are, go through a softmax once more."""
    def softmax_score(target, context, guesses):
        exp = np.exp(score(target, context, guesses).astype(float))
        return exp / exp.sum(axis=1, keepdims=True)

    return decode_with(*call, **options, score=softmax_score)


@register(DECODE_MUTANTS)
def one_uniform_for_guess_and_recovery(*call, **options):
    """The noise that drew a guess also draws the token recovered in its place."""
    noise = []

    def choose(q, rng):
        noise.append(rng.random())
        return inverse_cdf(q, noise[-1])

    def noted_propose(*draft):
        noise.clear()
        return propose(*draft, choose=choose)

    def verify(target_probs, draft_probs, draft_tokens, rng):
        for i, token in enumerate(draft_tokens):
            p, q = target_probs[i], draft_probs[i]
            if not keep(rng.random(), p, q, token):
                return i, inverse_cdf(residual(p, q), noise[i])
        return len(draft_tokens), sample(target_probs[-1], rng)

    return decode_with(*call, **options | {"propose": noted_propose, "verify": verify})


@register(DECODE_MUTANTS)
def seed_reset_every_step(target, draft, prompt, num_tokens, gamma, rng, **options):
    """Each step starts the generator anew: each token's law is right, the joint is not."""
    noise = ReplayedNoise(rng)

    def fresh_propose(*draft):
        noise.reset()
        return propose(*draft)

    return decode_with(target, draft, prompt, num_tokens, gamma, noise,
                       **options, propose=fresh_propose)


@register(DECODE_MUTANTS)
def target_cache_misses_the_last_token(*call, **options):
    """The target goes on from a cache that lacks the last token emitted."""
    def stale_score(target, context, guesses):
        return score(target, context[:-1] or context, guesses)

    return decode_with(*call, **options, score=stale_score)


@register(DECODE_MUTANTS)
def cache_keeps_the_rejected_guess(*call, **options):
    """The caches are rolled back one short: the rejected guess stays, not its recovery."""
    def remember(context, guesses, num_accepted, next_token):
        return context + (guesses + [next_token])[: num_accepted + 1]

    return decode_with(*call, **options, remember=remember)


@register(DECODE_MUTANTS)
def target_rows_all_from_the_first_prefix(*call, **options):
    """The target scores every guess from the context before the first."""
    def score(target, context, guesses):
        return np.repeat(target(context), len(guesses) + 1, axis=0)

    return decode_with(*call, **options, score=score)


@register(DECODE_MUTANTS)
def penalties_counted_once_a_step(*call, **options):
    """The target's row knows the text before the step and the last guess, none between."""
    def score(target, context, guesses):
        prefixes = [guesses[max(i - 1, 0) : i] for i in range(len(guesses) + 1)]
        return np.array([target(context + prefix)[-1] for prefix in prefixes])

    return decode_with(*call, **options, score=score)


@register(DECODE_MUTANTS)
def target_cut_to_the_drafts_vocabulary(target, draft, *call, **options):
    """The draft lacks the last word, and p is cut to fit, where q should gain a zero."""
    def cut(model):
        def shorter(tokens, num_rows=1):
            rows = model(tokens, num_rows=num_rows)
            return np.array([normalised(row[:-1]) for row in rows])

        return shorter

    return decode_with(cut(target), cut(draft), *call, **options)


@register(DECODE_MUTANTS)
def stop_token_inside_the_block_missed(*call, **options):
    """Only the last token of a step is compared with the stop tokens."""
    def cut(tokens, stop_tokens):
        return tokens, tokens[-1] in stop_tokens

    return decode_with(*call, **options, cut=cut)


@register(DECODE_MUTANTS)
def more_tokens_than_asked_for(*call, **options):
    """gamma is not clamped to the tokens still wanted, and the surplus is emitted."""
    return decode_with(*call, **options, clamp=lambda gamma, wanted: gamma)


@register(LAW_PRESERVING_DECODE_MUTANTS)
def draft_forgets_its_own_guesses(*call, **options):
    """Every guess is drawn from the draft's row before the first: slower, still exact."""
    def propose(draft, context, count, rng):
        rows = [draft(context)[-1]] * count
        return [sample(q, rng) for q in rows], rows

    return decode_with(*call, **options, propose=propose)


@register(LAW_PRESERVING_DECODE_MUTANTS)
def draft_cache_misses_the_last_token(*call, **options):
    """The draft goes on from a cache that lacks the last token: slower, still exact."""
    def stale_propose(draft, context, count, rng):
        return propose(draft, context[:-1] or context, count, rng)

    return decode_with(*call, **options, propose=stale_propose)
