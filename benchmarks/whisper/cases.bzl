"""The cases of the whisper family: 30 seconds of sound, generation, and training."""

load("//defs:cases.bzl", "cases", "generation", "matching", "training")
load("//defs:text_cases.bzl", "words_training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING")

def _lengths(*lengths):
    return [{"decoder_length": length} for length in lengths]

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

CASES = [
    cases(
        models = ["whisper_mini"],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = _lengths(8),
        large = [matching(dtype = ["fp16"])],
    ),
    # TorchDynamo has 8 rows.
    cases(
        models = ["whisper_tiny", "whisper_base", "whisper_small"],
        dtypes = ["fp32", "bf16", "fp16"],
        batches = [1, 8],
        parameters = _lengths(16, 128),
        large = [matching()],
    ),
    cases(
        models = ["whisper_mini"],
        dtypes = _DTYPES,
        batches = [1, 8],
        parameters = _lengths(4),
        large = [matching(dtype = ["bf16", "fp16"])],
        run = generation(new_tokens = 8),
    ),
    cases(
        models = ["whisper_tiny", "whisper_base", "whisper_small"],
        dtypes = ["fp32", "bf16"],
        batches = [1, 8],
        parameters = _lengths(4),
        large = [matching()],
        run = generation(new_tokens = 64),
    ),
    cases(
        models = ["whisper_mini"],
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = _lengths(8),
        verify = AUTOCAST_TRAINING,
        run = words_training(),
    ),
]
