"""The cases of the whisper family: 30 seconds of sound, generation, and training."""

load("//defs:cases.bzl", "cases", "generation", "matching")
load("//defs:text_cases.bzl", "DTYPES", "published_cases", "tiny_training", "words_training")
load("//defs:tolerances.bzl", "default_verify")

def _lengths(*lengths):
    return [{"decoder_length": length} for length in lengths]

_PUBLISHED = ["whisper_tiny", "whisper_base", "whisper_small"]

_OF_CLASSES = {dtype: default_verify(dtype, batch = 8) for dtype in DTYPES}

CASES = [
    cases(
        models = ["whisper_mini"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = _lengths(8),
        large = [matching(dtype = ["fp16"])],
    ),
    # TorchDynamo has 8 rows.
    published_cases(_PUBLISHED, batches = [1, 8], parameters = _lengths(16, 128)),
    cases(
        models = ["whisper_mini"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = _lengths(4),
        large = [matching(dtype = ["bf16", "fp16"])],
        run = generation(new_tokens = 8),
    ),
    published_cases(
        _PUBLISHED,
        dtypes = ["fp32", "bf16"],
        batches = [1, 8],
        parameters = _lengths(4),
        run = generation(new_tokens = 64),
    ),
    # A row has two scores, so that two rows would say little.
    cases(
        models = ["whisper_mini_audio_classification"],
        dtypes = DTYPES,
        batches = [1, 8],
        large = [matching(dtype = ["fp16"])],
        verify = _OF_CLASSES,
    ),
    # TorchBench has 64 and 8 rows.
    published_cases(
        ["whisper_tiny_audio_classification", "distil_whisper_medium_audio_classification"],
        batches = [1, 8, 64],
        parameters = [{}],
        verify = _OF_CLASSES,
    ),
    tiny_training(["whisper_mini"], words_training(), _lengths(8)),
]
