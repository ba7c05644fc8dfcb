"""The error model of operator cases: how far a right operator may be from its reference.

The reference is the same operator in float64 on the case's inputs, rounded to its dtype (benchmarks/harness/runner/
operator_truth.h). What is left is the rounding of the kernel itself, of two kinds:

    u     the unit roundoff of the case's dtype: half the distance of a number to the next, relative to it. A result is
          rounded to the dtype once at least, which changes it by at most u times itself.
    v     2^-24, that of float32, in which ATen's kernels compute and add, on CPUs and GPUs, whatever the dtype
          (ATen/OpMathType.h; AMX, AVX512-BF16 and tensor cores multiply bf16 and fp16 and add in float32). Where a kernel
          adds in the dtype, its row has more roundings.

    kind            of which outputs                                    limits
    sums(n)         sums of n terms of both signs                       rms <= r*u + g(n)*v, max <= 8 times that, in units of
                                                                        the truth's standard deviation
    relative(n)     element by element; sums of n terms of one sign     |got - want| <= ((q + k)*u' + ...)*|want|, see below
    copies()        copies                                              |got - want| <= u/2*|want|: nothing but equality
    counts()        integers and booleans                               EXACT
    of_dtype()      results of an operator whose errors nobody has      those of models of the dtype (tolerances.bzl)
                    modelled, such as one out of a trace

g(n) = min(n, 8*sqrt(n)). n*v bounds the sum of n terms in any order for any terms (N. Higham, Accuracy and Stability of
Numerical Algorithms, section 4.2). Rounding errors have both signs, so they grow as a random walk does: lambda*sqrt(n)*v
holds but for a chance of n*exp(-lambda^2/2), 1e-14*n for lambda = 8 (N. Higham, T. Mary, SIAM J. Sci. Comput. 41, 2019).
This is 20 times the error of adding the seeded inputs one by one: rms 0.4*sqrt(n)*v of the sum's standard deviation.

`roundings` are those that a result passes through in the case's dtype: 1 for the output alone, one more for each value
that a kernel or a backward formula keeps in the dtype on its way. They are independent, so r = sqrt(roundings) for the
root mean square, and q = roundings for single elements.

relative(n): |got - want| <= (roundings*u + (k + g(n))*v)*|want| + k*v. k = 16 units of float32 are for the functions:
exp, tanh and erf of ATen's vector libraries are within 1 to 4 of them, and a formula has a few; the absolute part is for
differences of numbers about 1, as in 1 + erf(x). The 8 of sums is for the largest of millions of errors against their
root mean square: normal values reach 6 standard deviations, and there the dtype's spacing is 8 times that at 1. Rows whose
values reach further say so.

Under --matmul-precision, the operands of float32 products may be rounded before they are multiplied: to TF32 on CUDA, to bf16 on
the CPU (rounded_verify_of()). Sums then have w in u's place, for both operands of a product. For bf16 it is u of bf16, 2^-8: two
roundings to the nearest are 0.41*u each in the root mean square. For TF32 it is 2^-10, twice the unit roundoff of its 11 bits:
a tensor core cuts off the bits that do not fit where no kernel has rounded them, which makes a product smaller by 0.69 * 2^-10
on average. The other kinds have no products, and keep their limits.

They are tight: with any of them a result times 1.01 fails, which //benchmarks/operators:operator_cases_test proves for
every output of every operator. (r*u is below 0.01 up to 6 roundings of bf16.)

Not for models, whose limits are measured (tolerances.bzl). Example: result("result", ["m", "n"], sums("k"))
"""

load(":tolerances.bzl", "default_verify", "precision_verify", "verify")

# Unit roundoffs: 8, 11 and 24 significant bits.
_ROUNDOFF = {"bf16": 1.0 / (1 << 8), "fp16": 1.0 / (1 << 11), "fp32": 1.0 / (1 << 24)}
_ACCUMULATION = 1.0 / (1 << 24)
_WALK = 8.0

# --matmul-precision -> w of the operands of float32 products, and what they are rounded to
_OPERANDS = {"high": (1.0 / (1 << 10), "TF32"), "medium": (_ROUNDOFF["bf16"], "bf16")}

DTYPES_OF_OPERATORS = sorted(_ROUNDOFF)

def _root(x):
    """The square root, by Newton's method: Starlark has none."""
    root = float(x) if x > 1 else 1.0
    for _ in range(64):
        root = 0.5 * (root + x / root)
    return root

def _growth(terms):
    return min(float(terms), _WALK * _root(terms)) if terms else 0.0

def _error(kind, rule, terms = "", roundings = 1, functions = 0, largest = 0):
    return struct(
        assay_error = True,
        kind = kind,
        rule = rule,
        terms = terms,
        roundings = roundings,
        functions = functions,
        largest = largest,
    )

def sums(terms, roundings = 1, largest = 8):
    """Sums of this many terms (a product of sizes: "k", "c*3*3") of both signs; single errors are up to `largest` times the limit."""
    return _error("sums", "RELATIVE_TO_STD", str(terms), roundings, largest = largest)

def relative(terms = "", roundings = 1, functions = 16):
    """Errors element by element; with `terms`, sums of this many terms of one sign."""
    return _error("relative", "ALLCLOSE", str(terms), roundings, functions)

def copies():
    """Copies of input values."""
    return _error("copies", "ALLCLOSE")

def counts():
    """Integers or booleans."""
    return _error("counts", None)

def of_dtype():
    """Results of an operator without an error model: the limits of the dtype."""
    return _error("", "RELATIVE_TO_STD")

def _limit(error, terms, u, w):
    v = _ACCUMULATION
    if error.kind == "copies":
        return u / 2
    if error.kind == "sums":
        return _root(error.roundings) * w + _growth(terms) * v
    return error.roundings * u + (error.functions + _growth(terms)) * v

def verify_of(errors, dtype):
    """A case's limits: of each rule the largest that one of its outputs needs.

    Args:
      errors: of each output (error, number of terms).
      dtype: of the case.
    Returns:
      suite.proto's VerifyParameters.
    """
    if _is_of_dtype(errors):
        return default_verify(dtype)
    return _verify_of(errors, _ROUNDOFF[dtype], _ROUNDOFF[dtype], "")

def rounded_verify_of(errors):
    """The limits of a float32 case whose products are rounded: {"high": VerifyParameters, "medium": ...}; {} without sums."""
    if _is_of_dtype(errors):
        return {precision: precision_verify(precision) for precision in _OPERANDS}
    if not [e for e, _ in errors if e.kind == "sums"]:
        return {}
    return {
        precision: _verify_of(errors, _ROUNDOFF["fp32"], w, "; operands of products in " + name)
        for precision, (w, name) in _OPERANDS.items()
    }

def _is_of_dtype(errors):
    return bool([e for e, _ in errors if not e.kind])

def _verify_of(errors, u, w, how):
    found, words, functions, largest = {}, [], 0, 0.0
    for error, terms in errors:
        if error.kind == "counts":
            continue
        limit = _limit(error, terms, u, w)
        found[error.rule] = max(found.get(error.rule, 0.0), limit)
        largest = max(largest, error.largest * limit)
        functions = max(functions, error.functions)
        of = ["n = %d" % terms] if terms else []
        of += ["%d roundings" % error.roundings] if error.roundings > 1 else []
        word = error.kind + ("(%s)" % ", ".join(of) if of else "")
        if word not in words:
            words.append(word)
    rms, rtol = found.get("RELATIVE_TO_STD"), found.get("ALLCLOSE")
    return verify(
        rule = "RELATIVE_TO_STD" if rms else "ALLCLOSE",
        rms_limit = rms,
        max_limit = largest if rms else None,
        # If all outputs are integers, nothing reads it.
        rtol = rtol or (None if rms else u),
        atol = functions * _ACCUMULATION if functions else None,
        provenance = "error model of defs/operator_limits.bzl: " + (", ".join(words) or "integers") + how,
    )
