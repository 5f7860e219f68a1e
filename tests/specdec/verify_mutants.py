"""Wrong variants of `verify`.

Each names the one part it replaces: `verify_with` without replacement is the algorithm
itself. Glossary: p is the target's row, q the draft's, u a uniform number.
"""

import math

import numpy as np

from specdec.speculative import residual, sample

VERIFY_MUTANTS = {}  # name -> verify(...) whose output follows another law
LAW_PRESERVING_MUTANTS = {}  # name -> verify(...), right but for events of probability 0


def register(mutants):
    def add(mutant):
        mutants[mutant.__name__] = mutant
        return mutant

    return add


def normalised(weights):
    """Returns weights / Σ weights; uniform when there are none, so that nothing crashes."""
    weights = weights if weights.sum() > 0 else weights + 1
    return weights / weights.sum()


def inverse_cdf(probs, u):
    """Returns the id whose interval of the cumulated probs holds u."""
    total = 0
    for token, prob in enumerate(probs):
        total = total + prob
        if u < total:
            return token
    return int(np.flatnonzero(probs)[-1])  # rounding left the total just below 1


def bfloat16(x):
    """Returns x rounded to the 8 significant bits of a bfloat16."""
    mantissa, exponent = math.frexp(float(x))
    return math.ldexp(round(mantissa * 256) / 256, exponent)


def keep(u, p, q, token):
    return u < p[token] / q[token]


def recover(p, q, token):
    return residual(p, q)


def bonus(target_probs):
    return target_probs[-1]


def verify_with(target_probs, draft_probs, draft_tokens, rng, *,
                keep=keep, recover=recover, bonus=bonus):
    """Verifies as `specdec.speculative.verify` does, with replaceable parts."""
    for i, token in enumerate(draft_tokens):
        p, q = target_probs[i], draft_probs[i]
        if not keep(rng.random(), p, q, token):
            return i, sample(recover(p, q, token), rng)
    return len(draft_tokens), sample(bonus(target_probs), rng)


@register(VERIFY_MUTANTS)
def resample_from_p(*step):
    """The recovered token is drawn from p instead of the residual."""
    return verify_with(*step, recover=lambda p, q, token: p)


@register(VERIFY_MUTANTS)
def absolute_difference_as_residual(*step):
    """The residual is |p − q| instead of max(p − q, 0)."""
    return verify_with(*step, recover=lambda p, q, token: normalised(abs(p - q)))


@register(VERIFY_MUTANTS)
def residual_with_p_and_q_swapped(*step):
    """The residual is max(q − p, 0) instead of max(p − q, 0)."""
    return verify_with(*step, recover=lambda p, q, token: residual(q, p))


@register(VERIFY_MUTANTS)
def ban_the_rejected_token(*step):
    """The recovered token is drawn from p without the rejected token."""
    def recover(p, q, token):
        return normalised(np.where(np.arange(len(p)) == token, 0 * p, p))

    return verify_with(*step, recover=recover)


@register(VERIFY_MUTANTS)
def epsilon_in_the_residual(*step):
    """A ten-thousandth is added to the residual so that it cannot be all zero."""
    def recover(p, q, token):
        return normalised(np.maximum(p - q, 0) * 10_000 + 1)

    return verify_with(*step, recover=recover)


@register(VERIFY_MUTANTS)
def accept_with_the_inverse_ratio(*step):
    """A guess is kept with probability min(1, q/p) instead of min(1, p/q)."""
    return verify_with(*step, keep=lambda u, p, q, token: u * p[token] < q[token])


@register(VERIFY_MUTANTS)
def accept_with_p(*step):
    """A guess is kept with probability p, as if q were one-hot, though q is soft."""
    return verify_with(*step, keep=lambda u, p, q, token: u < p[token])


@register(VERIFY_MUTANTS)
def accept_without_a_coin(*step):
    """A guess is kept if and only if p >= q: no uniform decides."""
    return verify_with(*step, keep=lambda u, p, q, token: p[token] >= q[token])


@register(VERIFY_MUTANTS)
def accept_leniently(*step):
    """A guess is kept with probability min(1, 2p/q): lenience one half, not said."""
    return verify_with(*step, keep=lambda u, p, q, token: u * q[token] < 2 * p[token])


@register(VERIFY_MUTANTS)
def ratio_with_q_in_bfloat16(*step):
    """q is stored with 8 significant bits, the guess was sampled from all of them."""
    return verify_with(
        *step, keep=lambda u, p, q, token: u * bfloat16(q[token]) < p[token])


@register(VERIFY_MUTANTS)
def ratio_with_p_at_another_temperature(*step):
    """p is sharpened (temperature 1/2) in the ratio only, not in the residual."""
    def keep(u, p, q, token):
        return u < normalised(p * p)[token] / q[token]

    return verify_with(*step, keep=keep)


@register(VERIFY_MUTANTS)
def bonus_from_the_row_before(*step):
    """The bonus token is drawn from the row of the last guess, not the row after it."""
    return verify_with(*step, bonus=lambda target_probs: target_probs[-2:][0])


@register(VERIFY_MUTANTS)
def one_uniform_for_all_guesses(target_probs, draft_probs, draft_tokens, rng):
    """The seed is reset before each guess, so that all meet the same uniform."""
    u = rng.random()
    return verify_with(target_probs, draft_probs, draft_tokens, rng,
                       keep=lambda _, p, q, token: keep(u, p, q, token))


@register(VERIFY_MUTANTS)
def one_uniform_for_rejection_and_recovery(target_probs, draft_probs, draft_tokens, rng):
    """The uniform that rejected a guess also draws the token recovered."""
    for i, token in enumerate(draft_tokens):
        p, q = target_probs[i], draft_probs[i]
        u = rng.random()
        if not keep(u, p, q, token):
            return i, inverse_cdf(residual(p, q), u)
    return len(draft_tokens), sample(target_probs[-1], rng)


@register(VERIFY_MUTANTS)
def recover_from_the_next_row(target_probs, draft_probs, draft_tokens, rng):
    """The residual is taken one row too far on the target's side."""
    for i, token in enumerate(draft_tokens):
        p, q = target_probs[i], draft_probs[i]
        if not keep(rng.random(), p, q, token):
            return i, sample(residual(target_probs[i + 1], q), rng)
    return len(draft_tokens), sample(target_probs[-1], rng)


@register(VERIFY_MUTANTS)
def keep_the_rejected_guess_too(target_probs, draft_probs, draft_tokens, rng):
    """num_accepted counts the rejected guess, which is therefore emitted."""
    num_accepted, next_token = verify_with(target_probs, draft_probs, draft_tokens, rng)
    return min(num_accepted + 1, len(draft_tokens)), next_token


@register(VERIFY_MUTANTS)
def continue_after_a_rejection(target_probs, draft_probs, draft_tokens, rng):
    """A rejection does not end the scan: all up to the last guess kept are emitted."""
    num_accepted = 0
    for i, token in enumerate(draft_tokens):
        if keep(rng.random(), target_probs[i], draft_probs[i], token):
            num_accepted = i + 1
    if num_accepted == len(draft_tokens):
        return num_accepted, sample(target_probs[-1], rng)
    p, q = target_probs[num_accepted], draft_probs[num_accepted]
    return num_accepted, sample(residual(p, q), rng)


@register(LAW_PRESERVING_MUTANTS)
def accept_at_equality(*step):
    """`u <= p/q`: at u = 0 a token with p = 0 is kept."""
    return verify_with(*step, keep=lambda u, p, q, token: u <= p[token] / q[token])


@register(LAW_PRESERVING_MUTANTS)
def empty_residual_becomes_token_zero(*step):
    """0/0 in a residual without mass, and the NaN is read as token 0."""
    def recover(p, q, token):
        excess = np.maximum(p - q, 0)
        return excess if excess.sum() > 0 else np.where(np.arange(len(p)) == 0, 1, 0 * p)

    return verify_with(*step, recover=recover)


@register(LAW_PRESERVING_MUTANTS)
def nan_hidden_by_fmax(*step):
    """Rows go unchecked, and `np.fmax` reads their NaN as 0 (`np.maximum` would not)."""
    return verify_with(*step, recover=lambda p, q, token: normalised(np.fmax(p - q, 0)))
