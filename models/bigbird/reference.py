"""BigBird by Hugging Face transformers, with block-sparse attention."""

import transformers
from transformers.models.big_bird import modeling_big_bird

from models.text_reference import bert_settings, forward, loss, provenance  # noqa: F401

# The scores of words do not read it.
WITHOUT_GRADIENT = ("bert.pooler.",)


def build(parameters):
    settings = bert_settings(parameters, "block_size", "num_random_blocks")
    module = transformers.BigBirdForMaskedLM(transformers.BigBirdConfig(attention_type="block_sparse", **settings))
    for part in module.modules():
        if isinstance(part, modeling_big_bird.BigBirdBlockSparseAttention):
            # In training numpy would draw the random blocks.
            part.train = lambda mode=True, part=part: part
            part.training = False
    return module
