"""MAML's inner steps by torch.autograd, task after task: the nets and names of TorchBench's maml and maml_omniglot.

An outer step of the second order differentiates the inner steps, one of the first order takes their gradients for constants. Norms
keep no running statistics: no result of an adaptation depends on them.
"""

import functools

import torch
from torch import nn
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

_LEARNER_CONVS = ((3, 2), (3, 2), (3, 2), (2, 1))  # kernel, stride


class _Learner(nn.Module):
    """TorchBench's maml: dragen1860's Learner, a list of tensors."""

    RATE, SECOND_ORDER = 0.4, False

    def __init__(self, channels, ways):
        super().__init__()
        shapes = []
        for i, (kernel, _) in enumerate(_LEARNER_CONVS):
            shapes += [(channels, channels if i else 1, kernel, kernel), (channels,), (channels,), (channels,)]
        shapes += [(ways, channels), (ways,)]
        self.vars = nn.ParameterList([nn.Parameter(torch.empty(shape)) for shape in shapes])

    def logits(self, weights, x):
        tensors = iter(weights)
        for _, stride in _LEARNER_CONVS:
            x = functional.relu(functional.conv2d(x, next(tensors), next(tensors), stride=stride))
            x = functional.batch_norm(x, None, None, next(tensors), next(tensors), training=True)
        return functional.linear(x.flatten(1), next(tensors), next(tensors))


class _Meta(nn.Module):
    RATE, SECOND_ORDER = _Learner.RATE, _Learner.SECOND_ORDER

    def __init__(self, channels, ways):
        super().__init__()
        self.net = _Learner(channels, ways)
        self.logits = self.net.logits


class _Omniglot(nn.Sequential):
    """TorchBench's maml_omniglot, that of facebookresearch/higher."""

    RATE, SECOND_ORDER = 0.1, True

    def __init__(self, channels, ways):
        blocks = []
        for i in range(3):
            norm = nn.BatchNorm2d(channels, track_running_stats=False)
            blocks += [nn.Conv2d(channels if i else 1, channels, 3), norm, nn.ReLU(), nn.MaxPool2d(2, 2)]
        super().__init__(*blocks, nn.Flatten(), nn.Linear(channels, ways))

    def logits(self, weights, x):
        names = [name for name, _ in self.named_parameters()]
        return torch.func.functional_call(self, dict(zip(names, weights)), x)


def provenance():
    return "torch.autograd %s" % torch.__version__.split("+")[0]


def build(parameters):
    module = (_Omniglot if "tasks_at_once" in parameters else _Meta)(parameters["channels"], parameters["ways"])
    module.steps = parameters["steps"]
    return module


def _of_task(module, differentiated, images, labels, queries, *weights):
    """The logits of the queries after the last step, or before the first one and after each."""
    weights = list(weights)
    with torch.inference_mode(False), torch.enable_grad():
        if not differentiated:
            weights = [weight.detach().requires_grad_() for weight in weights]
        seen = []
        for step in range(module.steps + 1):
            if step:
                loss = functional.cross_entropy(module.logits(weights, images), labels)
                gradients = torch.autograd.grad(loss, weights, create_graph=differentiated and module.SECOND_ORDER)
                weights = [weight - module.RATE * gradient for weight, gradient in zip(weights, gradients)]
            if step == module.steps or isinstance(module, _Meta):
                seen.append(module.logits(weights, queries))
        return torch.stack(seen) if isinstance(module, _Meta) else seen[-1]


def forward(module, inputs):
    differentiated = module.training and torch.is_grad_enabled()
    with torch.inference_mode(False):
        tasks = zip(*(inputs[name].clone() for name in ("x_spt", "y_spt", "x_qry")))
    call = functools.partial(_of_task, module, differentiated)
    if differentiated:  # 32 tasks would keep ten gigabytes for the backward pass, so each is computed again there
        call = functools.partial(checkpoint, call, use_reentrant=True, preserve_rng_state=False)
    return {"logits": torch.stack([call(*task, *module.parameters()) for task in tasks])}


def loss(module, outputs, targets):
    last = outputs["logits"][:, -1] if isinstance(module, _Meta) else outputs["logits"]
    return functional.cross_entropy(last.flatten(0, 1), targets["y_qry"].flatten())
