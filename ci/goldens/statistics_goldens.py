"""Rewrites benchmarks/harness/statistics/testing/testdata/goldens.json: tools/bazel run //ci/goldens:statistics_goldens_update

Inputs and what SciPy says of them. Where SciPy has no such function (moderated t, Hodges-Lehmann, Mann-Kendall), the
published formula is written down here a second time, in the plainest way and with SciPy's own parts; nothing is taken
from the C++ side. Run it after an upgrade of SciPy, and read the diff.
"""

import json
import os
import sys

import numpy as np
import scipy
from scipy import integrate, optimize, special, stats


def numbers(values):
    return [float(v) for v in values]


def samples(seed):
    """name -> values: sizes at the limits, skew, ties, magnitudes from nanoseconds to log ratios."""
    rng = np.random.default_rng(seed)
    return {
        "two": rng.normal(1, 1, 2),
        "three": rng.normal(0.001, 0.01, 3),
        "normal 8": rng.normal(0, 0.007, 8),
        "normal 10, shifted": rng.normal(0.02, 0.007, 10),
        "skewed 15": rng.lognormal(0, 0.8, 15),
        "nanoseconds 20": 1e6 + rng.gamma(2, 5e3, 20),
        "ties 12": np.round(rng.normal(3, 1.2, 12)),
        "normal 30": rng.normal(-0.5, 1, 30),
        "nearly constant": 1e9 + np.arange(6) * 1e-3,
    }


def paired_t():
    for name, x in samples(1).items():
        for confidence in (0.9, 0.95, 0.99):
            test = stats.ttest_rel(x, np.zeros_like(x))
            low, high = test.confidence_interval(confidence)
            yield {"name": name, "x": numbers(x), "confidence": confidence, "estimate": x.mean(),
                   "standard_error": stats.sem(x), "df": test.df, "statistic": test.statistic,
                   "p": test.pvalue, "low": low, "high": high}


def welch_t():
    second = list(samples(2).items())
    for (name, x), (other, y) in zip(samples(1).items(), second[3:] + second[:3]):
        test = stats.ttest_ind(y, x, equal_var=False)
        low, high = test.confidence_interval(0.95)
        yield {"name": name + " / " + other, "x": numbers(x), "y": numbers(y), "estimate": y.mean() - x.mean(),
               "standard_error": np.hypot(stats.sem(x), stats.sem(y)), "df": test.df, "statistic": test.statistic,
               "p": test.pvalue, "low": low, "high": high}


def moderated_t():
    """Smyth 2004: the prior by section 6.2, the test by section 4; inverse trigamma by a root finder."""
    rng = np.random.default_rng(3)
    for cases, pairs, prior_df in ((300, 10, 20.0), (50, 5, 4.0), (12, 8, 1.5), (40, 6, np.inf)):
        scale = 0.007**2 * (np.ones(cases) if np.isinf(prior_df) else prior_df / rng.chisquare(prior_df, cases))
        data = rng.normal(0.001, 1, (cases, pairs)) * np.sqrt(scale)[:, None]
        variances, d = data.var(axis=1, ddof=1), pairs - 1
        e = np.log(variances) - special.digamma(d / 2) + np.log(d / 2)
        excess = e.var(ddof=1) - special.polygamma(1, d / 2)
        if excess > 0:
            half = optimize.brentq(lambda x: special.polygamma(1, x) - excess, 1e-6, 1e9, xtol=1e-14, rtol=1e-14)
            df, variance = 2 * half, np.exp(e.mean() + special.digamma(half) - np.log(half))
            posterior = (df * variance + d * variances[0]) / (df + d)
        else:
            df, variance = np.inf, np.exp(e.mean())
            posterior = variance
        x, error = data[0], np.sqrt(posterior / pairs)
        t = x.mean() / error
        reach = stats.t.isf(0.025, df + d) * error
        yield {"name": "%d cases of %d pairs" % (cases, pairs), "variances": numbers(variances), "df_each": d,
               "prior_df": -1 if np.isinf(df) else df, "prior_variance": variance, "x": numbers(x),
               "statistic": t, "p": 2 * stats.t.sf(abs(t), df + d), "low": x.mean() - reach, "high": x.mean() + reach}


def equivalence():
    for name, x in samples(4).items():
        for margin in (0.005, 0.02, 2.0):
            p = max(stats.ttest_1samp(x, -margin, alternative="greater").pvalue,
                    stats.ttest_1samp(x, margin, alternative="less").pvalue)
            low, high = stats.ttest_1samp(x, 0).confidence_interval(0.9)
            yield {"name": name, "estimate": x.mean(), "standard_error": stats.sem(x), "df": len(x) - 1,
                   "margin": margin, "p": p, "low": low, "high": high}


def signed_rank():
    rng = np.random.default_rng(6)
    for n in (1, 2, 5, 8, 12, 20, 50, 90):
        d = rng.normal(0.4, 1, n)
        yield {"x": numbers(d), "statistic": stats.wilcoxon(d, alternative="greater", method="approx").statistic,
               "exact_p": stats.wilcoxon(d, method="exact").pvalue,
               "normal_p": stats.wilcoxon(d, method="approx", correction=True).pvalue}
    for n in (6, 9, 12):
        d = np.round(rng.normal(0.8, 1.5, n))
        kept = d[d != 0]
        ranks = stats.rankdata(abs(kept))
        signs = np.array(np.meshgrid(*[[0, 1]] * len(kept))).reshape(len(kept), -1)
        sums, seen = ranks @ signs, ranks[kept > 0].sum()
        far = abs(sums - ranks.sum() / 2) >= abs(seen - ranks.sum() / 2) - 1e-9
        yield {"x": numbers(d), "statistic": seen, "exact_p": far.mean(),
               "normal_p": stats.wilcoxon(kept, method="approx", correction=True).pvalue}


def benjamini_hochberg():
    rng = np.random.default_rng(7)
    for p in (np.array([0.03]), rng.uniform(0, 1, 30), np.concatenate([rng.uniform(0, 1e-3, 5), rng.uniform(0, 1, 295)]),
              np.array([0.01, 0.01, 0.5, 0.5, 1.0, 0.0])):
        yield {"p": numbers(p), "q": numbers(stats.false_discovery_control(p))}


def quantile_ranks():
    for probability in (0.1, 0.25, 0.5, 0.9, 0.99):
        for n in (6, 10, 36, 37, 100, 368, 1000, 5000):
            for confidence in (0.9, 0.95, 0.99):
                interval = stats.quantile_test(np.arange(1.0, n + 1), p=probability).confidence_interval(confidence)
                exists = bool(np.isfinite(interval.low) and np.isfinite(interval.high))
                case = {"n": n, "probability": probability, "confidence": confidence, "exists": exists}
                if exists:
                    case.update(low=int(interval.low), high=int(interval.high),
                                coverage=stats.binom.cdf(interval.high - 1, n, probability) -
                                stats.binom.cdf(interval.low - 1, n, probability))
                yield case


def hodges_lehmann():
    for name, x in samples(8).items():
        averages = [(x[i] + x[j]) / 2 for i in range(len(x)) for j in range(i + 1)]
        yield {"name": name, "x": numbers(x), "one": np.median(averages)}


def power():
    for df, alpha in ((4, 0.05), (4, 0.05 / 300), (9, 0.05), (9, 0.001), (9, 0.05 / 300), (29, 0.001), (29.5, 0.05)):
        critical = stats.t.isf(alpha / 2, df)

        def wrong_sign(shift):  # P(T < -critical); nct.cdf gives NaN there
            root = np.sqrt(df)
            return integrate.quad(lambda u: stats.norm.cdf(-shift - critical * u) * stats.chi.pdf(u * root, df) * root,
                                  0, np.inf)[0]

        def found(shift):
            return stats.nct.sf(critical, df, shift) + wrong_sign(shift)

        for wanted in (0.5, 0.8, 0.95):
            shift = optimize.brentq(lambda s: found(s) - wanted, 1e-3, 2 * critical + 4, xtol=1e-12)
            yield {"df": df, "alpha": alpha, "power": wanted, "shift": shift}


def bootstrap():
    """Ends of SciPy's BCa interval: mean and standard deviation over seeds, at 20000 resamples."""
    for name, x in samples(10).items():
        if len(x) < 8:
            continue
        for what, statistic in (("mean", np.mean), ("deviation", lambda v, axis: np.std(v, axis=axis, ddof=1))):
            ends = [stats.bootstrap((x,), statistic, n_resamples=20000, method="BCa", batch=2000,
                                    rng=np.random.default_rng(s)).confidence_interval for s in range(12)]
            lows, highs = np.array([e.low for e in ends]), np.array([e.high for e in ends])
            yield {"name": name, "x": numbers(x), "statistic": what, "low": lows.mean(), "low_sd": lows.std(ddof=1),
                   "high": highs.mean(), "high_sd": highs.std(ddof=1)}


def mann_kendall():
    rng = np.random.default_rng(11)
    walks = [rng.normal(0, 1, 8), np.arange(20.0), rng.normal(0, 1, 50) + np.arange(50) * 0.02,
             np.round(rng.normal(0, 1.5, 60)), np.round(np.arange(40) / 7 + rng.normal(0, 1, 40))]
    for x in walks:
        n = len(x)
        s = sum(np.sign(x[j] - x[i]) for i in range(n) for j in range(i + 1, n))
        t = np.unique(x, return_counts=True)[1]
        variance = (n * (n - 1) * (2 * n + 5) - (t * (t - 1) * (2 * t + 5)).sum()) / 18
        # SciPy's tau leaves out the continuity correction; without it the two agree.
        tau = stats.kendalltau(np.arange(n), x, method="asymptotic")
        assert np.isclose(2 * stats.norm.sf(abs(s) / np.sqrt(variance)), tau.pvalue)
        z = max(0, abs(s) - 1) / np.sqrt(variance)
        d = x - x.mean()
        yield {"x": numbers(x), "p": 2 * stats.norm.sf(z), "lag1": (d[1:] * d[:-1]).sum() / (d * d).sum()}


def tukey():
    for name, x in samples(12).items():
        x = np.sort(np.append(x, x.mean() + 40 * x.std()))
        q1, q3 = np.quantile(x, [0.25, 0.75])
        fences = [q1 - 3 * (q3 - q1), q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1), q3 + 3 * (q3 - q1)]
        yield {"name": name, "x": numbers(x), "fences": numbers(fences), "outside": int(((x < fences[1]) | (x > fences[2])).sum()),
               "high_severe": int((x > fences[3]).sum())}


def main():
    if "BUILD_WORKSPACE_DIRECTORY" not in os.environ:
        sys.exit("start it with: tools/bazel run //ci/goldens:statistics_goldens_update")
    topics = (paired_t, welch_t, moderated_t, equivalence, signed_rank, benjamini_hochberg, quantile_ranks,
              hodges_lehmann, power, bootstrap, mann_kendall, tukey)
    lines = ['  "made_by": "ci/goldens/statistics_goldens.py, scipy %s, numpy %s"' % (scipy.__version__, np.__version__)]
    for topic in topics:
        cases = ",\n".join("    " + json.dumps(case, default=float, allow_nan=False) for case in topic())
        lines.append('  "%s": [\n%s\n  ]' % (topic.__name__, cases))
    path = os.path.join(os.environ["BUILD_WORKSPACE_DIRECTORY"], "benchmarks/harness/statistics/testing/testdata/goldens.json")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as out:
        out.write("{\n%s\n}\n" % ",\n".join(lines))
    print("wrote", path)


if __name__ == "__main__":
    main()
