"""A source in which warnings are no errors, so that they refuse no mutant: a fault may leave a variable unused.

    lenient(path, data)       # the bytes, with pragmas before them; lines keep their numbers

The compiler's flags stay as they are: with other flags nothing of a mutant's neighbours would be in a disk cache.
"""

# The warnings of -Wall and -Wextra that a fault may bring about.
_WARNINGS = (
    "pragmas", "address", "array-bounds", "bool-compare", "bool-operation", "cast-function-type", "dangling-pointer", "deprecated-copy",
    "div-by-zero", "empty-body", "ignored-qualifiers", "int-in-bool-context", "logical-not-parentheses", "maybe-uninitialized",
    "missing-field-initializers", "nonnull", "overflow", "parentheses", "range-loop-construct", "reorder", "return-type",
    "self-assign", "shift-count-negative", "shift-count-overflow", "sign-compare", "stringop-overflow", "switch",
    "tautological-compare", "type-limits", "uninitialized", "unused-but-set-parameter", "unused-but-set-variable", "unused-function",
    "unused-parameter", "unused-result", "unused-value", "unused-variable",
)
_PRAGMAS = "".join('#pragma GCC diagnostic ignored "-W%s"\n' % name for name in _WARNINGS).encode() + b"#line 1\n"


def lenient(path, data):
    """Python has no pragmas, and stays as it is."""
    return data if path.endswith(".py") else _PRAGMAS + data
