"""The error of whatever computes references."""


class ReferenceError(RuntimeError):
    """The other implementation and ours don't fit together; the message says where."""
