"""What other suites call an outcome: reads the table of the C++ side, benchmarks/harness/record/outcome_words.inc.

    words.name_in("kTorchDynamo", "FAIL_SHAPE")          # "fail_accuracy"
    words.from_name_in("kTorchDynamo", "OOM")            # "OUT_OF_MEMORY"; None for a word that it does not have

outcome.h says what the names mean; words_test.py holds both against docs/accuracy.md.
"""

import re

_TABLE = "benchmarks/harness/record/outcome_words.inc"


def _read():
    with open(_TABLE, encoding="utf-8") as f:
        text = f.read()
    words, failed = {}, {}
    for system, outcome, word in re.findall(r'^ASSAY_OUTCOME_WORD\((\w+), (\w+), "(.*)"\)$', text, re.M):
        words.setdefault(system, []).append((outcome, word))
    for system, word in re.findall(r'^ASSAY_FAILED_RUN\((\w+), "(.*)"\)$', text, re.M):
        failed[system] = word
    return words, failed


WORDS, _FAILED = _read()


def name_in(system, outcome):
    return next((word for known, word in WORDS[system] if known == outcome), _FAILED[system])


def from_name_in(system, word):
    found = next((outcome for outcome, known in WORDS[system] if known == word), None)
    if not found and system == "kTorchDynamo" and re.fullmatch(r"fail_batch_invariance_at_[1-9]\d*", word):
        return "FAIL_ACCURACY"
    return found
