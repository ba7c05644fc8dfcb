"""Data that the case tables of models of text share.

    load("//defs:text_cases.bzl", "lengths", "published_cases", "published_training", "tiny_encoder_cases", "words_training")

    CASES = tiny_encoder_cases(words = ["albert_tiny_masked_lm"], answers = ["albert_tiny_qa"]) + [
        published_cases(["albert_base_masked_lm"], batches = [1, 8], parameters = lengths(128, 512)),
        published_training(["albert_base_masked_lm"], words_training()),
    ]
"""

load(":cases.bzl", "adamw", "cases", "generation", "matching", "sgd", "training")
load(":default_tier.bzl", "left_out_by_default")
load(":tolerances.bzl", "AUTOCAST_TRAINING", "verify")

DTYPES = ["fp32", "fp64", "bf16", "fp16"]

def lengths(*numbers):
    """The parameters of cases whose rows have these numbers of tokens."""
    return [{"sequence_length": number} for number in numbers]

def words_training(epsilon = 1e-6):
    """Training by scores of words. Rates and decay as benchmarks/bert/cases.bzl explains them; `epsilon` is AdamW's."""
    return training(
        [sgd(learning_rate = 0.125, momentum = 0.9), adamw(learning_rate = 1.0 / 8192, epsilon = epsilon, weight_decay = 1.0 / 64)],
        loss = "own",
        clip_norm = 1.0,
    )

# clip_grad_norm_ sums 110 million squares in float32, which is 1e-4 off; SGD's updates are so as well.
PUBLISHED_TRAINING = verify(
    rms_limit = 1e-3,
    max_limit = 5e-3,
    provenance = "bert_base b2 s8: SGD rms 1.1e-4, max 5.9e-4 of std, through the norm that gradients are clipped by; Adam rms 9e-6",
)

def published_training(models, run, parameters = lengths(128)):
    """Training steps of published sizes, 8 rows in float32; `run` as of cases()."""
    return cases(
        models = models,
        dtypes = ["fp32"],
        batches = [8],
        parameters = parameters,
        large = [matching()],
        verify = dict(AUTOCAST_TRAINING, fp32 = PUBLISHED_TRAINING),
        run = run,
    )

def sgd_training():
    """Training by SGD alone, for models with a gradient that is rounding, of which Adam makes whole steps."""
    return training([sgd(learning_rate = 0.125, momentum = 0.9)], loss = "own", clip_norm = 1.0)

def published_names(models):
    """The names of models that are not tiny."""
    return [m.name for m in models if "_tiny" not in m.name]

def published_cases(models, batches, parameters, dtypes = ["fp32", "bf16", "fp16"], **more):
    """Cases of published sizes. Tests leave them out by default: small models run the same code, in float64 too.

    Args:
      models: names.
      batches: as of cases().
      parameters: as of cases().
      dtypes: as of cases().
      **more: as of cases().
    Returns:
      a row of CASES.
    """
    return cases(models = models, dtypes = dtypes, batches = batches, parameters = parameters, large = [matching()], **more)

def tiny_training(models, run, parameters = lengths(8), verify = AUTOCAST_TRAINING, large = []):
    """Training steps of tiny models, which tests verify by default: two rows in float32 and float64."""
    return cases(
        models = models,
        dtypes = ["fp32", "fp64"],
        batches = [2],
        parameters = parameters,
        verify = verify,
        large = large,
        run = run,
    )

def tiny_encoder_cases(words, answers):
    """The cases of an encoder's tiny models, which tests verify by default: each once in three dtypes, and training.

    Args:
      words: models that score words.
      answers: models that say where an answer begins and ends. As in bert, the gradient of their scores' bias is rounding.
    Returns:
      rows of CASES.
    """
    return [
        cases(
            models = words + answers,
            dtypes = DTYPES,
            batches = [1, 8],
            parameters = lengths(8, 128),
            large = [matching(dtype = ["fp16"]), matching(batch = [8]), matching(sequence_length = [128])],
        ),
        tiny_training(words, words_training()),
        tiny_training(answers, sgd_training()),
    ]

def decoder_cases(tiny, published, run):
    """The cases of decoders: all tokens at once, generation, and training of the tiny models.

    Args:
      tiny: models, TINY of variants.bzl. Their long row has 200 tokens.
      published: rows of published_cases(), whose models generate, too.
      run: the training.
    Returns:
      CASES.
    """
    names = [m.name for m in tiny]
    return [
        cases(
            models = names,
            dtypes = DTYPES,
            batches = [1, 8],
            parameters = lengths(8, 200),
            large = left_out_by_default(tiny) + [matching(dtype = ["fp32", "bf16"], sequence_length = [200])],
        ),
    ] + published + [
        cases(
            models = names,
            dtypes = DTYPES,
            batches = [1, 8],
            parameters = lengths(16),
            large = [matching(dtype = ["bf16", "fp16"])],
            run = generation(new_tokens = 8),
        ),
        published_cases(
            [name for row in published for name in row.models],
            dtypes = ["fp32", "bf16"],
            batches = [1, 8],
            parameters = lengths(128),
            run = generation(new_tokens = 128),
        ),
        tiny_training(names, run),
    ]
