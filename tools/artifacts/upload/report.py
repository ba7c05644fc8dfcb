"""An upload's report: a summary, the line for user.bazelrc, and a table if something needs attention."""

from collections import Counter

from artifacts.format.quantity import duration_text, size_text
from tools.artifacts.upload.bucket import ABSENT, CREATED, THERE
from tools.artifacts.upload.sending import DIFFERENT, FAILED, NOT_SENT, SPOILED

NOT_ASKED = "not asked"
_ORDER = (CREATED, ABSENT, NOT_ASKED, THERE, DIFFERENT, SPOILED, FAILED, NOT_SENT)
_WORDS = {CREATED: "uploaded", ABSENT: "to upload", NOT_ASKED: "to upload", DIFFERENT: "different there"}
_MOST_KEYS = 2
SENT, LOOKED = {CREATED, THERE}, {ABSENT, THERE}  # what is right after an upload, after a dry run


def exit_code(results, right=SENT):
    """1 where bytes differ, else 0 where every state is right, else 2."""
    states = {result.state for result in results}
    if states & {DIFFERENT, SPOILED}:
        return 1
    return 0 if states <= right else 2


def finished(results, bucket, seconds):
    text = "" if seconds < 0.5 else " in " + duration_text(seconds)
    lines = _table([result for result in results if result.message])
    lines.append("%s%s: %s" % (_counts(results), text, bucket.text))
    if exit_code(results):
        lines.append("Everything else is done; once that is fixed, run this again: it continues from here.")
    else:
        lines.append("Tests read from there with this line in user.bazelrc:")
        lines.append("  build --repo_env=ASSAY_BUCKET=" + bucket.bazelrc_value)
    return "\n".join(lines)


def rehearsed(results, where):
    """The report of a dry run: every object."""
    return "\n".join(_table(results) + ["%s: %s" % (_counts(results), where)])


def interrupted(results):
    after = "No part of an object is visible; run this again, and it goes on from here."
    return "upload_artifacts: stopped. %s. %s" % (_counts(results), after)


def missing(blobs, folders):
    """About blobs that no folder holds."""
    lines = ["nothing was sent, because %d of the lock's blobs are not on this machine:" % len(blobs)]
    lines += ["  %s  %s  %s" % (blob.name, size_text(blob.size), _keys(blob.keys)) for blob in blobs[:20]]
    if len(blobs) > 20:
        lines.append("  and %d more" % (len(blobs) - 20))
    lines += ["looked in"] + ["  " + folder for folder in folders]
    pattern = "^(%s)$" % "|".join(blob.keys[0] for blob in blobs[:5]) if len(blobs) <= 5 else "REGEX"
    lines.append("Compute them: tools/bazel run //tools:generate_artifacts -- --filter='%s'" % pattern)
    lines.append("or say where they are: --from=DIR; or leave them out: --filter=REGEX")
    return "\n".join(lines)


def _counts(results):
    """e.g. 50 uploaded (1.1 MB), 7 already there (0.2 MB)"""
    number, size = Counter(), Counter()
    for result in results:
        number[result.state] += 1
        size[result.state] += result.item.size
    return ", ".join("%d %s (%s)" % (number[s], _WORDS.get(s, s), size_text(size[s])) for s in _ORDER if number[s])


def _table(results):
    lines = []
    for result in results:
        item = result.item
        state = _WORDS.get(result.state, result.state)
        lines.append("%-15s %9s  %s  %s" % (state, size_text(item.size), item.name, _keys(item.keys)))
        if result.message:
            lines.append("  " + result.message)
    return lines


def _keys(keys):
    return " ".join(keys[:_MOST_KEYS]) + (" and %d more" % (len(keys) - _MOST_KEYS) if len(keys) > _MOST_KEYS else "")
