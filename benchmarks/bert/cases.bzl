"""The cases of the bert family: OpenXLA's sequence lengths and batch sizes, in every dtype."""

load("//defs:cases.bzl", "adam", "adamw", "cases", "execution", "matching", "sgd", "training")
load("//defs:default_tier.bzl", "left_out_by_default")
load("//defs:text_cases.bzl", "DTYPES", "PUBLISHED_TRAINING", "lengths", "published_cases", "published_names", "published_training", "sgd_training", "tiny_training", "words_training")
load("//defs:tolerances.bzl", "AUTOCAST_TRAINING", "default_verify")
load("//models/bert:variants.bzl", "ENCODERS", "MASKED_LMS", "QUESTION_ANSWERERS", "SEQUENCE_CLASSIFIERS")

# Gradients are clipped as in BERT's own training (google-research/bert, optimization.py), whose epsilon is 1e-6 too. Rates at
# which an update is not lost in the rounding of float32 weights; and rate times decay is a power of two, so that
# 1 - rate * decay, by which AdamW multiplies, has no rounding of its own.
def _training(loss):
    return training(
        [
            sgd(learning_rate = 0.125, momentum = 0.9),
            adam(learning_rate = 1e-4, epsilon = 1e-6),
            adamw(learning_rate = 1.0 / 8192, epsilon = 1e-6, weight_decay = 1.0 / 64),
        ],
        loss = loss,
        clip_norm = 1.0,
    )

CASES = [
    cases(
        models = published_names(ENCODERS),
        dtypes = DTYPES,
        batches = [1, 8, 64, 128, 256],
        parameters = lengths(8, 32, 64, 128, 256, 384, 512),
        # The tiny one runs the same code in every dtype; one case tells that size is no matter.
        large = [
            matching(model = ["bert_large"]),
            matching(dtype = ["fp64", "bf16", "fp16"]),
            matching(sequence_length = [8, 32, 64, 256, 384, 512]),
        ],
    ),
    # A short row, the usual one and the longest that the position table holds find what others would find.
    cases(
        models = ["bert_tiny"],
        dtypes = DTYPES,
        batches = [1, 8, 64],
        parameters = lengths(8, 128, 512),
        large = [matching(dtype = ["fp16"])],
    ),
    cases(
        models = ["bert_tiny", "bert_base"],
        dtypes = ["fp32"],
        batches = [1, 8],
        parameters = lengths(8, 128, 384),
        executions = [execution(lowering = "int8_dynamic")],
        large = [matching(model = ["bert_base"]), matching(sequence_length = [128, 384])],
    ),
    cases(
        models = ["bert_tiny", "bert_base"],
        dtypes = ["bf16"],
        batches = [1, 8],
        parameters = lengths(8, 128, 384),
        executions = [execution(lowering = lowering) for lowering in ["int8_weights", "int4_weights", "fp8_dynamic", "mxfp8_dynamic", "nvfp4_dynamic"]],
        large = [matching(model = ["bert_base"]), matching(batch = [8]), matching(sequence_length = [128, 384])],
    ),
    # Hugging Face's batch in TorchDynamo's benchmarks is 32.
    cases(
        models = [m.name for m in MASKED_LMS],
        dtypes = DTYPES,
        batches = [1, 8, 32],
        parameters = lengths(8, 128, 512),
        large = left_out_by_default(MASKED_LMS) + [matching(sequence_length = [128, 512])],
    ),
    cases(
        models = ["bert_tiny_qa"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 128),
        large = [matching(dtype = ["fp16"]), matching(sequence_length = [128])],
    ),
    # SQuAD's length; TorchDynamo has 32 rows.
    published_cases(published_names(QUESTION_ANSWERERS), dtypes = DTYPES, batches = [1, 2, 8, 32], parameters = lengths(384)),
    # A row has two scores, so that two rows would say little.
    cases(
        models = [m.name for m in SEQUENCE_CLASSIFIERS],
        dtypes = DTYPES,
        batches = [1, 8, 32],
        parameters = lengths(8, 128),
        large = left_out_by_default(SEQUENCE_CLASSIFIERS) + [matching(sequence_length = [128])],
        verify = {dtype: default_verify(dtype, batch = 8) for dtype in DTYPES},
    ),
    published_cases(
        ["bert_base"],
        dtypes = ["fp32", "fp64"],
        batches = [2, 8],
        parameters = lengths(8, 128),
        verify = dict(AUTOCAST_TRAINING, fp32 = PUBLISHED_TRAINING),
        run = _training("mean"),
    ),
    published_training(["bert_base_masked_lm"], words_training()),
    tiny_training(["bert_tiny"], _training("mean"), lengths(8, 128), large = [matching(sequence_length = [128])]),
    tiny_training(["bert_tiny_masked_lm"], _training("own"), lengths(8, 128), large = [matching(sequence_length = [128])]),
    tiny_training(["bert_tiny_sequence_classification"], _training("own")),
    # The same number added to all scores changes no loss, so the gradient of their bias is rounding alone, of which Adam
    # makes whole steps.
    tiny_training(["bert_tiny_qa"], sgd_training()),
]
