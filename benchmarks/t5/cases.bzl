"""The cases of the t5 family: OpenXLA's and TorchDynamo's lengths and batches, generation, and training."""

load("//defs:cases.bzl", "cases", "generation", "matching")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:text_cases.bzl", "DTYPES", "published_cases", "tiny_training", "words_training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "verify")
load("//models/t5:variants.bzl", "TINY")

def _lengths(sequence_length, decoder_length):
    return {"decoder_length": decoder_length, "sequence_length": sequence_length}

# Scores that are not scaled make differences of rounding grow from step to step, in transformers as here. t5_tiny's
# three steps are held to float64's limits.
_PUBLISHED_TRAINING = verify(
    rms_limit = 4e-3,
    max_limit = 2e-2,
    gradient_factor = 10,
    provenance = "transformers' own float32, third step against float64: logits rms 2.2e-3, max 6.0e-3 of std; norms of gradients 1.5e-3, 8.2e-3; gradients 2.3e-2, 0.13. Here 2.2e-3, 6.0e-3; 1.3e-3, 6.9e-3; 2.0e-2, 0.10",
)

CASES = [
    # Distances of a short row have a bucket each; those of the long one fill all buckets.
    cases(
        models = [m.name for m in TINY],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = [_lengths(8, 8), _lengths(160, 144)],
        large = left_out_by_default(TINY) + [matching(dtype = ["bf16", "fp16"], sequence_length = [160])],
    ),
    # TorchDynamo's batches are 8, and 32 for mT5, whose rows have 128 tokens; OpenXLA has one such row for t5_small.
    published_cases(["t5_small", "t5_base", "t5_large"], batches = [1, 8], parameters = [_lengths(128, 128), _lengths(1024, 1024)]),
    published_cases(["mt5_small"], batches = [1, 32], parameters = [_lengths(128, 128)]),
    published_cases(["t5_large"], batches = [1, 16, 24, 32, 48, 64, 512], parameters = [_lengths(512, 512)]),
    cases(
        models = ["t5_tiny"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = [{"sequence_length": 16}],
        large = [matching(dtype = ["bf16", "fp16"])],
        run = generation(new_tokens = 24),
    ),
] + [
    published_cases(
        ["t5_small"],
        dtypes = ["fp32", "bf16"],
        batches = [1],
        parameters = [{"sequence_length": 128}],
        run = generation(new_tokens = new_tokens),
    )
    for new_tokens in [16, 32, 64, 128, 256]
] + [
    published_cases(
        ["t5_large"],
        dtypes = ["fp32", "bf16"],
        batches = [1, 16, 24, 32, 48],
        parameters = [{"sequence_length": 512}],
        run = generation(new_tokens = new_tokens),
    )
    for new_tokens in [16, 32, 64, 128, 256]
] + [
    tiny_training([m.name for m in TINY], words_training(), [_lengths(8, 8)]),
    published_cases(
        ["t5_small"],
        dtypes = ["fp32"],
        batches = [8],
        parameters = [_lengths(128, 128)],
        verify = dict(AUTOCAST_TRAINING, fp32 = _PUBLISHED_TRAINING),
        run = words_training(),
    ),
]
