"""The cases of the tts_angular family: TorchBench's 50 frames and batch size, 64 in training and in evaluation, and a small one for tests."""

load("//defs:cases.bzl", "adam", "cases", "matching", "nondeterministic", "sgd", "training")
load("//defs:nondeterminism.bzl", "RECURRENT_LAYER")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]
_RECURRENT = [nondeterministic(RECURRENT_LAYER)]

def _training(model, batch, large):
    return cases(
        models = [model],
        dtypes = ["fp32", "fp64"],
        batches = [batch],
        large = large,
        verify = AUTOCAST_TRAINING,
        run = training(
            [sgd(learning_rate = 0.05, momentum = 0.9), adam(learning_rate = 5e-4, epsilon = 1e-6)],
            loss = "own",
        ),
    )

CASES = [
    cases(models = ["tts_angular_tiny"], dtypes = _DTYPES, batches = [1, 8, 64], large = [matching(dtype = ["fp16"])], nondeterministic = _RECURRENT),
    # The tiny one runs the same code.
    cases(models = ["tts_angular"], dtypes = _DTYPES, batches = [1, 8, 64], large = [matching()], nondeterministic = _RECURRENT),
    # TorchBench trains with a loss that is NaN: its 64 rows are of 64 speakers, and a mean over each speaker's other
    # utterances is one of nothing. Here each speaker has two rows.
    _training("tts_angular_tiny", batch = 8, large = [matching(dtype = ["fp32"])]),
    _training("tts_angular", batch = 64, large = [matching()]),
]
