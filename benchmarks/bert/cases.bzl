"""The cases of the bert family: OpenXLA's sequence lengths and batch sizes, in every dtype."""

load("//defs:cases.bzl", "adam", "adamw", "cases", "matching", "sgd", "training")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "verify")
load("//models/bert:variants.bzl", "MODELS")

CASES = [
    cases(
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8, 64, 128, 256],
        parameters = [{"sequence_length": s} for s in [8, 32, 64, 128, 256, 384, 512]],
        large = left_out_by_default(MODELS) + [
            # A short row, the usual one and the longest that the position table holds find what the others find, and
            # float32 finds what is wrong with a length: bf16 takes 40 s of processor time for the longest without AVX-512.
            matching(sequence_length = [32, 64, 256, 384]),
            matching(dtype = ["bf16"], sequence_length = [512]),
            matching(dtype = ["fp64"], sequence_length = [128, 512]),
        ],
    ),
    # Gradients are clipped as in BERT's own training (google-research/bert, optimization.py), whose epsilon is 1e-6 too.
    # Rates at which an update is not lost in the rounding of float32 weights; and rate times decay is a power of two, so
    # that 1 - rate * decay, by which AdamW multiplies, has no rounding of its own.
    cases(
        models = ["bert_base"],
        dtypes = ["fp32", "fp64"],
        batches = [2, 8],
        parameters = [{"sequence_length": 8}, {"sequence_length": 128}],
        large = [matching(dtype = ["fp64"]), matching(batch = [8]), matching(sequence_length = [128])],
        verify = dict(
            AUTOCAST_TRAINING,
            # clip_grad_norm_ sums 110 million squares in float32, which is 1e-4 off; SGD's updates are so as well.
            fp32 = verify(
                rms_limit = 1e-3,
                max_limit = 5e-3,
                provenance = "bert_base b2 s8: SGD rms 1.1e-4, max 5.9e-4 of std, through the norm that gradients are clipped by; Adam rms 9e-6",
            ),
        ),
        train = training(
            [
                sgd(learning_rate = 0.125, momentum = 0.9),
                adam(learning_rate = 1e-4, epsilon = 1e-6),
                adamw(learning_rate = 1.0 / 8192, epsilon = 1e-6, weight_decay = 1.0 / 64),
            ],
            loss = "mean",
            clip_norm = 1.0,
        ),
    ),
]
