"""image_classifier_family(): what the benchmarks/<family>/BUILD.bazel of an image classifier calls, and the cases that those share.

Every model gets every dtype at the usual batch sizes; what a family has beside them stands in its call. Example:

    image_classifier_family(
        cases = [
            further_batches("alexnet", [1024]),
            small_training_cases(["alexnet"], resolution = 64),
            image_training_cases(["alexnet"]),
        ],
        lock = LOCK,
        models = MODELS,
    )
"""

load(":benchmarks.bzl", "benchmarks")
load(":cases.bzl", "adam", "adamw", "cases", "execution", "matching", "sgd", "training")
load(":default_tier.bzl", "left_out_by_default")
load(":tolerances.bzl", "AUTOCAST_TRAINING", "verify")

_DTYPES = ["fp32", "fp64", "bf16", "fp16"]

def image_classifier_family(models, lock, cases = [], also = {}, without = {}):
    """Makes every target of benchmarks/<family>, whose code is models/<family>; the default case is the first model's.

    Args:
      models: the family's MODELS.
      lock: LOCK of lock.bzl beside the BUILD file.
      cases: rows beside image_classifier_cases().
      also: as of image_classifier_cases().
      without: as of image_classifier_cases().
    """
    family = native.package_name().split("/")[-1]
    benchmarks(
        cases = [image_classifier_cases(models, also, without)] + cases,
        default_case = models[0].name + "_fp32_b1",
        goldens = "//models/%s:testdata" % family,
        library = "//models/" + family,
        lock = lock,
        models = models,
    )

def image_classifier_cases(models, also = {}, without = {}):
    """The cases of the models. left_out_by_default() of default_tier.bzl decides which run by default.

    Args:
      models: the family's MODELS, or those of one of its implementations.
      also: model -> why it runs by default although a number chooses its code.
      without: model -> why it does not although a text or a flag does.
    Returns:
      what benchmarks() takes as one of its `cases`.
    """
    return cases(
        models = [m.name for m in models],
        dtypes = _DTYPES,
        batches = [1, 8, 64, 128, 256],
        large = left_out_by_default(models, also, without),
    )

def further_batches(model, batches):
    """A model at further batch sizes, every dtype, all of it large."""
    return cases(models = [model], dtypes = _DTYPES, batches = batches, large = [matching()])

def channels_last_cases(model):
    """A model in the channels_last format, eight images, all of it large."""
    return cases(
        models = [model],
        dtypes = ["fp32", "bf16"],
        batches = [8],
        executions = [execution(memory_format = "channels_last")],
        large = [matching()],
    )

def integer_cases(models, batches, resolution = None):
    """Models on integers of 8 bits, float32.

    Args:
      models: names.
      batches: images.
      resolution: small images of the default tier; None: the models' own, all of it large.
    Returns:
      what benchmarks() takes as one of its `cases`.
    """
    return cases(
        models = models,
        dtypes = ["fp32"],
        batches = batches,
        parameters = [{"resolution": resolution} if resolution else {}],
        executions = [execution(lowering = "int8_static")],
        large = [] if resolution else [matching()],
    )

# A ReLU whose input is near zero may open or close by rounding. That changes gradients, and later steps, by far more
# than rounding does. In float64 it does not happen, so the default limits hold there.
_VERIFY = dict(
    AUTOCAST_TRAINING,
    fp32 = verify(
        rms_limit = 1e-2,
        max_limit = 1e-1,
        gradient_factor = 10,
        provenance = "16 networks b8: gradients rms 2.3e-2, max 0.26 of std (shufflenet_v2_x1_0, third step), all else rms 3.5e-3, max 1.5e-2 (resnext50_32x4d)",
    ),
)

# Learning rates of SGD and of Adam for verification. For a timed step they do not matter: it runs at a rate near 0.
_LEARNING_RATES = (1e-3, 1e-5)

# For float64 networks whose largest gradients are a hundred times their spread, with batch statistics of only 8 values.
_FP64_GRADIENTS = verify(
    rms_limit = 1e-11,
    max_limit = 1e-10,
    gradient_factor = 50,
    provenance = "12 networks b8 r32 on three kinds of CPU: the largest gradient, 55 to 264 times their std, is off by up to 2.3e-10 of std (mnasnet1_0, third step); all else within the default's limits",
)

# For networks whose largest gradients are a hundred times their spread: rounding may change such a gradient by
# a large part of its value.
HEAVY_TAILED = {
    "fp32": verify(
        rms_limit = 5e-3,
        max_limit = 1e-1,
        gradient_factor = 50,
        provenance = "mobilenet_v2 b8: gradients rms 2.8e-2, of 256 max 0.41 of std, the largest of all 3 of std off; all else rms 1.7e-3, max 1.2e-2; mnasnet1_0 alike",
    ),
    "fp64": _FP64_GRADIENTS,
}

# For networks so steep that a rounding error of one step grows a hundredfold in the next.
STEEP = (1e-5, 1e-6)

def _sgd(learning_rate):
    return sgd(learning_rate = learning_rate, momentum = 0.9, nesterov = True, weight_decay = 1e-4)

def small_training_cases(models, resolution, loss = "cross_entropy", batch = 8, **parameters):
    """One training case of each model for the default tier: small images in float64, by SGD alone.

    It covers what evaluation does not compute: batch statistics, auxiliary losses, gradients. The cases of mlp and
    bert verify the other optimizers, which get the same gradients.

    Args:
      models: names.
      resolution: of the images, pixels.
      loss: as of training().
      batch: images.
      **parameters: further ones of the cases.
    Returns:
      what benchmarks() takes as one of its `cases`.
    """
    return cases(
        models = models,
        dtypes = ["fp64"],
        batches = [batch],
        parameters = [dict(parameters, resolution = resolution)],
        run = training([_sgd(STEEP[0])], loss = loss),
        verify = {"fp64": _FP64_GRADIENTS},
    )

def row_gradient_cases(models):
    """Private training without its noise: the gradient of each image alone is scaled to a norm of 1 at most.

    Args:
      models: names; without batch norms.
    Returns:
      what benchmarks() takes as one of its `cases`.
    """
    return cases(
        models = models,
        dtypes = ["fp32", "fp64"],
        batches = [4, 64],
        run = training([_sgd(_LEARNING_RATES[0])], loss = "cross_entropy", row_clip_norm = 1.0),
        large = [matching(batch = [64]), matching(dtype = ["fp32"])],
        verify = _VERIFY,
    )

def image_training_cases(models, loss = "cross_entropy", learning_rates = _LEARNING_RATES, verify = {}, **row):
    """Training steps of the models by SGD, Adam or AdamW.

    Args:
      models: names.
      loss: as of training(); "mean" where a model has no labels.
      learning_rates: of SGD, and of Adam and AdamW; STEEP: small ones.
      verify: limits by dtype, over those that all share.
      **row: of cases(); by default eight images, float32 and float64, all of it large.
    Returns:
      what benchmarks() takes as one of its `cases`.
    """
    return cases(
        models = models,
        run = training(
            [
                _sgd(learning_rates[0]),
                # An epsilon above the rounding errors of small gradients (benchmarks/mlp/cases.bzl).
                adam(learning_rate = learning_rates[1], epsilon = 1e-6),
                adamw(learning_rate = learning_rates[1], epsilon = 1e-6),
            ],
            loss = loss,
        ),
        verify = dict(_VERIFY, **verify),
        **dict(dict(batches = [8], dtypes = ["fp32", "fp64"], large = [matching()]), **row)
    )
