"""The cases of the gpt2 family: all tokens at once, new tokens one after another, and training."""

load("//defs:cases.bzl", "cases", "execution", "generation", "matching")
load("//defs:text_cases.bzl", "DTYPES", "lengths", "published_cases", "published_training", "sgd_training", "tiny_training", "words_training")
load("//defs:tolerances.bzl", "default_verify", "verify")
load("//models/gpt2:variants.bzl", "PUBLISHED")

# The twelve blocks' sums round, and another number of threads or processor sums otherwise.
_TWELVE_BLOCKS = verify(
    rms_limit = 3e-5,
    max_limit = 2e-4,
    provenance = "b1 s128: rms 9.8e-6, 1.04e-5, 1.01e-5 of std with 2, 1, 4 threads; token by token 9.8e-6, where transformers' float32 with its cache has 9.65e-6",
)

CASES = [
    cases(
        models = ["gpt2_tiny"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8, 128),
        # Generation reads more tokens than eight, and its reference is the larger one.
        large = [matching(dtype = ["bf16", "fp16"]), matching(sequence_length = [128])],
    ),
    # hf_GPT2 of TorchBench has 4 rows of 512 tokens, 8 where it trains; OpenXLA's GPT2LMHEAD 1, 64 and 128 of 512.
    cases(
        models = ["gpt2"],
        dtypes = ["fp32", "bf16"],
        batches = [1, 4, 8, 64, 128],
        parameters = lengths(128, 512),
        # The tiny one runs the same code in every dtype; one case tells that size is no matter.
        large = [matching(dtype = ["bf16"]), matching(sequence_length = [512])],
        verify = {"fp32": _TWELVE_BLOCKS},
    ),
    # TorchDynamo's DistillGPT2 has 32 rows of 512 tokens.
    published_cases(
        [m.name for m in PUBLISHED if m.name != "gpt2"],
        dtypes = ["fp32", "bf16"],
        batches = [1, 8, 32],
        parameters = lengths(16, 128, 512),
    ),
    # TorchBench's nanogpt makes 32 tokens behind 64.
    published_cases(["nanogpt"], dtypes = ["fp32", "bf16"], batches = [1, 8], parameters = lengths(64)),
    published_cases(["nanogpt"], dtypes = ["fp32", "bf16"], batches = [1], parameters = lengths(64), run = generation(new_tokens = 32)),
    # A row has two scores, so that two rows would say little. TorchDynamo has 8 rows of 1,024 tokens.
    cases(
        models = ["gpt2_tiny_sequence_classification"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(8),
        large = [matching(dtype = ["fp16"])],
        verify = {dtype: default_verify(dtype, batch = 8) for dtype in DTYPES},
    ),
    published_cases(
        ["gpt2_sequence_classification"],
        dtypes = ["fp32", "bf16"],
        batches = [1, 8],
        parameters = lengths(128, 1024),
        verify = {dtype: default_verify(dtype, batch = 8) for dtype in ["fp32", "bf16"]},
    ),
    cases(
        models = ["gpt2_tiny"],
        dtypes = DTYPES,
        batches = [1, 8],
        parameters = lengths(64),
        large = [matching(dtype = ["bf16", "fp16"])],
        run = generation(new_tokens = 16),
    ),
    published_cases(
        ["gpt2"],
        dtypes = ["fp32", "bf16"],
        batches = [1, 8],
        parameters = lengths(128),
        run = generation(new_tokens = 128),
    ),
    cases(
        models = ["gpt2_tiny", "gpt2"],
        dtypes = ["fp32"],
        batches = [1],
        parameters = lengths(64, 128),
        executions = [execution(lowering = "int8_dynamic")],
        large = [matching()],
        run = generation(new_tokens = 16),
    ),
    cases(
        models = ["gpt2_tiny", "gpt2"],
        dtypes = ["bf16"],
        batches = [1],
        parameters = lengths(64, 128),
        executions = [execution(lowering = "int8_weights")],
        large = [matching()],
        run = generation(new_tokens = 16),
    ),
    # llama-bench's users compare these; OpenXLA's pipelines make 4 and 200 tokens.
    published_cases(
        ["gpt2"],
        dtypes = ["fp32"],
        batches = [1],
        parameters = lengths(128),
        verify = {"fp32": _TWELVE_BLOCKS},
        run = generation(new_tokens = 32),
    ),
    cases(
        models = ["gpt2"],
        dtypes = ["fp32"],
        batches = [1],
        parameters = lengths(8),
        large = [matching()],
        # Rounding grows with the tokens that went in one after another; that of transformers in float32 is the same.
        verify = {
            "fp32": verify(
                rms_limit = 3e-5,
                max_limit = 2e-4,
                provenance = "b1: rms 1.4e-5, max 4.7e-5 of std; transformers' float32, token by token with its cache: rms 1.2e-5, max 8.9e-5",
            ),
        },
        run = generation(new_tokens = 200),
    ),
    tiny_training(["gpt2_tiny_sequence_classification"], sgd_training()),
    tiny_training(["gpt2_tiny"], words_training(), lengths(8, 128), large = [matching(sequence_length = [128])]),
    published_training(["gpt2"], words_training()),
]
