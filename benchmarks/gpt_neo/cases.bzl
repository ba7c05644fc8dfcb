"""The cases of the gpt_neo family: TorchDynamo's lengths and batches, generation, and training."""

load("//defs:cases.bzl", "cases", "matching")
load("//defs:text_cases.bzl", "DTYPES", "decoder_cases", "lengths", "published_cases", "sgd_training", "tiny_training", "words_training")
load("//defs:tolerances.bzl", "default_verify")
load("//models/gpt_neo:variants.bzl", "TINY", "TINY_HEADS")

# A row of classes has two scores, so that two rows would say little.
_OF_CLASSES = {dtype: default_verify(dtype, batch = 8) for dtype in DTYPES}
_HEADS = [m.name for m in TINY_HEADS]

CASES = decoder_cases(
    # Tokens of the long row are up to 200 apart.
    tiny = TINY,
    # TorchDynamo has 32 rows of GPT-Neo, and one of GPT-J.
    published = [
        published_cases(["gpt_neo_125m", "gpt_neo_1_3b"], batches = [1, 8, 32], parameters = lengths(128)),
        published_cases(["gptj_6b"], batches = [1, 2], parameters = lengths(128)),
    ],
    run = words_training(),
) + [
    cases(
        models = _HEADS,
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8),
        large = [matching(dtype = ["fp16"])],
        verify = _OF_CLASSES,
    ),
    published_cases(["gpt_neo_1_3b_sequence_classification"], batches = [1, 32], parameters = lengths(128), verify = _OF_CLASSES),
    published_cases(["gptj_6b_qa"], batches = [1, 2], parameters = lengths(128)),
    tiny_training(_HEADS, sgd_training()),
]
