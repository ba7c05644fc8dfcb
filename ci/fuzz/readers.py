"""The properties of Python's readers of outside bytes: they return a result that can be written and read again, or
raise their own error.

    readers.TARGETS["lock"](data)     raises AssertionError, or what the reader let escape, where the promise is broken

Used by readers_test.py (short form) and fuzz_python.py (long form). Not for C++: ci/fuzz/fuzz.bzl.
"""

from artifacts.format import lock_table, reference_blob, safetensors_file

LONGEST_MESSAGE = 5000  # characters; a terminal's worth


def _check_message(error):
    text = str(error)
    assert text, "an error has a message"
    assert len(text) <= LONGEST_MESSAGE, "a message of %d characters: %s…" % (len(text), text[:100])


def lock(data):
    """A lock.bzl."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return  # lock_table.read says so with the line
    try:
        table = lock_table.parse(text)
    except lock_table.LockError as error:
        _check_message(error)
        return
    assert lock_table.parse(lock_table.render(table)) == table, "what is rendered is parsed"


def safetensors(data):
    """A tensor file."""
    try:
        tensors, metadata = safetensors_file.decode(data)
    except safetensors_file.SafetensorsError as error:
        _check_message(error)
        return
    assert safetensors_file.decode(safetensors_file.encode(tensors, metadata)) == (tensors, metadata)


def blob(data):
    """A reference blob."""
    try:
        outputs, metadata = reference_blob.decode(data)
    except (reference_blob.BlobError, safetensors_file.SafetensorsError) as error:
        _check_message(error)
        return
    assert reference_blob.decode(reference_blob.encode(outputs, metadata)) == (outputs, metadata)


# corpus folder -> property
TARGETS = {"lock": lock, "reference_blob": blob, "safetensors": safetensors}
