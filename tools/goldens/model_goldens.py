"""Rewrites models/*/testdata from the independent implementations: tools/bazel run //tools/goldens:model_goldens_update

  state_<model>.txt     name, dtype and shape of each tensor of the state_dict, in its order
  forward_<what>.txt    outputs of a small model in float64, one number a line

Run it after an upgrade of torchvision or transformers, and read the diff. Tensors are filled by the stand-in generator
of models/testing/golden.h, so these tests need nothing of the harness.
"""

import math
import os
import sys

import numpy as np
import torch
import torchvision
import transformers
from torchvision.models.resnet import BasicBlock, Bottleneck, ResNet

ROOT3 = math.sqrt(3.0)
TORCH = "torch %s" % torch.__version__.split("+")[0]
TORCHVISION = "torchvision %s" % torchvision.__version__.split("+")[0]
TRANSFORMERS = "transformers %s" % transformers.__version__
FILLED = "float64, CPU, tensors filled by models/testing/golden.h"


def words(name, count):
    """models/testing/golden.h's 32-bit words: a hash of (FNV-1a of the name, index)."""
    seed = 2166136261
    for byte in name.encode():
        seed = ((seed ^ byte) * 16777619) & 0xFFFFFFFF
    mask = np.uint64(0xFFFFFFFF)
    word = (np.arange(1, count + 1, dtype=np.uint64) * np.uint64(2654435761) + np.uint64(seed)) & mask
    for shift, factor in ((15, 2246822519), (13, 3266489917)):
        word = ((word ^ (word >> np.uint64(shift))) * np.uint64(factor)) & mask
    return word ^ (word >> np.uint64(16))


def uniform(name, shape):
    count = math.prod(shape)
    steps = (words(name, count) >> np.uint64(8)).astype(np.int64) - (1 << 23)
    return (steps.astype(np.float64) * 2.0**-23).reshape(shape)


def fill(model, init):
    """`init(name, shape)` gives (multiplier, offset, slope); values are rounded to float32 as models/init.h says."""
    for name, tensor in model.state_dict().items():
        if tensor.is_floating_point():
            multiplier, offset, slope = init(name, tuple(tensor.shape))
            values = multiplier * (offset + slope * uniform(name, tuple(tensor.shape)))
            tensor.copy_(torch.from_numpy(values.astype(np.float32)).to(tensor.dtype))
    return model


def weight(shape, gain=1.0):
    return ROOT3 * gain / math.sqrt(math.prod(shape[1:])), 0, 1


def resnet_init(last_norm):
    def init(name, shape):
        if name.endswith(last_norm):
            return 0.3, 1, 0.5
        if name.endswith("running_mean") or name.endswith("bias"):
            return ROOT3 * 0.1, 0, 1
        return (1, 1, 0.5) if len(shape) == 1 else weight(shape)

    return init


def bert_init(name, shape):
    if "embeddings.weight" in name:
        return ROOT3, 0, 1
    if name.endswith("bias"):
        return ROOT3 * 0.1, 0, 1
    if "LayerNorm.weight" in name:
        return 1, 1, 0.5
    gain = 2.0 if ".query." in name or ".key." in name else 0.3 if "attention.output.dense" in name else 1.0
    return weight(shape, gain)


def mlp_init(name, shape):
    del name
    return weight(shape) if len(shape) == 2 else (ROOT3 * 0.1, 0, 1)


def mlp():
    nn = torch.nn
    return nn.Sequential(nn.Linear(32, 512), nn.ReLU(), nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 32), nn.Softmax(dim=-1))


def bert(**config):
    return transformers.BertModel(transformers.BertConfig(**config))


def write(path, source, lines):
    path = os.path.join(os.environ["BUILD_WORKSPACE_DIRECTORY"], "models", path)
    with open(path, "w", encoding="utf-8") as file:
        file.write("# %s\n%s" % (source, "".join(line + "\n" for line in lines)))
    print(path)


def write_state(path, source, model):
    write(path, source + ": name dtype shape", [
        "%s %s %s" % (name, str(t.dtype).replace("torch.", ""), "x".join(map(str, t.shape)) or "scalar")
        for name, t in model.state_dict().items()
    ])


def write_numbers(path, source, tensors):
    write(path, source, [repr(value) for t in tensors for value in t.flatten().tolist()])


def states():
    with torch.device("meta"):
        for name in ("resnet18", "resnet34", "resnet50", "resnet101", "resnet152", "resnext50_32x4d", "wide_resnet50_2"):
            model = getattr(torchvision.models, name)()
            write_state("resnet/testdata/state_%s.txt" % name, "%s %s().state_dict(), %s" % (TORCHVISION, name, TORCH), model)
        write_state("bert/testdata/state_bert_base.txt", "%s BertModel(BertConfig()).state_dict(), %s" % (TRANSFORMERS, TORCH), bert())
        large = dict(hidden_size=1024, num_hidden_layers=24, num_attention_heads=16, intermediate_size=4096)
        write_state("bert/testdata/state_bert_large.txt", "%s BertModel(BertConfig(%s)).state_dict(), %s" % (
            TRANSFORMERS, ", ".join("%s=%d" % item for item in large.items()), TORCH), bert(**large))
        write_state("mlp/testdata/state_mlp.txt", "%s Sequential(Linear(32, 512), ReLU(), Linear(512, 512), ReLU(), "
                    "Linear(512, 32), Softmax(-1)).state_dict()" % TORCH, mlp())


def image(shape):
    return torch.from_numpy((ROOT3 * uniform("input:x", shape)).astype(np.float32).astype(np.float64))


def resnet_forwards():
    variants = (("basic", BasicBlock, "bn2.weight", {}), ("bottleneck", Bottleneck, "bn3.weight", dict(groups=4, width_per_group=16)))
    for name, block, last_norm, options in variants:
        for mode in ("eval", "train"):
            model = fill(ResNet(block, [2, 1, 1, 2], num_classes=8, **options).double(), resnet_init(last_norm)).train(mode == "train")
            outputs, what = [model(image((2, 3, 64, 64)))], "logits"
            if mode == "train":
                outputs += [model.bn1.running_mean[:8], model.layer4[1].bn1.running_var[:8]]
                what += ", then bn1.running_mean[:8], layer4.1.bn1.running_var[:8]"
            write_numbers("resnet/testdata/forward_%s_%s.txt" % (name, mode), "%s ResNet(%s, [2, 1, 1, 2], num_classes=8%s), %s, x (2, 3, 64, 64), %s: %s" % (
                TORCHVISION, block.__name__, "".join(", %s=%d" % item for item in options.items()), mode, FILLED, what), outputs)


def bert_forward():
    config = dict(vocab_size=100, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=64, max_position_embeddings=16)
    model = fill(bert(type_vocab_size=2, layer_norm_eps=1e-12, **config).double(), bert_init).eval()
    rows, tokens = 2, 8
    ids = ((words("input:input_ids", rows * tokens) * np.uint64(100)) >> np.uint64(32)).astype(np.int64).reshape(rows, tokens)
    mask = [[int(j < tokens - ((r + 1) % 4) * (tokens // 8)) for j in range(tokens)] for r in range(rows)]
    types = [[int(j >= tokens // 2) for j in range(tokens)]] * rows
    output = model(input_ids=torch.from_numpy(ids), attention_mask=torch.tensor(mask), token_type_ids=torch.tensor(types))
    write_numbers("bert/testdata/forward_tiny.txt", "%s BertModel(%s), eval, (2, 8) tokens, %s: last_hidden_state, then pooler_output" % (
        TRANSFORMERS, ", ".join("%s=%d" % item for item in config.items()), FILLED), [output.last_hidden_state, output.pooler_output])


def main():
    if "BUILD_WORKSPACE_DIRECTORY" not in os.environ:
        sys.exit("start it with: tools/bazel run //tools/goldens:model_goldens_update")
    states()
    with torch.no_grad():
        resnet_forwards()
        bert_forward()
        write_numbers("mlp/testdata/forward_mlp.txt", "%s Sequential as in state_mlp.txt, x (2, 32), %s: probabilities" % (TORCH, FILLED),
                      [fill(mlp().double(), mlp_init).eval()(image((2, 32)))])


if __name__ == "__main__":
    main()
