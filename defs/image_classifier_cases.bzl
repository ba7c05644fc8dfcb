"""image_classifier_cases(): the cases that families of image classifiers share: every dtype at the usual batch sizes.

Example, in benchmarks/<family>/cases.bzl:

    CASES = [image_classifier_cases(MODELS)]
"""

load(":cases.bzl", "cases", "matching")

def image_classifier_cases(models, in_default_tier = 1):
    """The cases of the models. The first of them stand for the others in the default tier.

    Args:
      models: the family's MODELS, or those of one of its implementations.
      in_default_tier: how many of them; more than one where they run different code.
    Returns:
      what benchmarks() takes as one of its `cases`.
    """
    return cases(
        models = [m.name for m in models],
        dtypes = ["fp32", "fp64", "bf16", "fp16"],
        batches = [1, 8, 64, 128, 256],
        large = [matching(dtype = ["fp64", "fp16"]), matching(model = [m.name for m in models[in_default_tier:]])],
    )
