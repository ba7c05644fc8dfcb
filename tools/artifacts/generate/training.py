"""Training references: the numbers of three steps of gradient descent by the other implementation, in float64. Needs torch.

    tensors = training.steps(family.script, module, inputs, targets, settings)     # name -> tensor

One step is zero_grad, forward, loss, backward, optimizer. Both recorded steps, the first and the third, are of one run on
the same inputs: after one step a wrong gradient shows, after three a wrong momentum. Of a recorded step s there are

    step<s>.loss, step<s>.<output>          before its update
    step<s>.gradients, .gradient_norms      of the trainable tensors in the order of the state: all elements one after the
                                            other; the L2 norm of each
    step<s>.parameters                      all elements after the update

The script's loss(module, outputs, targets) gives the scalar; optimizers are torch.optim's. Not for a model that draws
random numbers while it trains (dropout): its reference would be one throw of the dice, so it is refused.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from tools.artifacts.generate.reference_error import ReferenceError
from tools.artifacts.generate.registry import RECORDED_STEPS
from tools.artifacts.generate.true_float64 import true_float64


class _RefuseRandom(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if torch.Tag.nondeterministic_seeded in func.tags:
            raise ReferenceError("%s draws random numbers in a training step; set its probability to 0" % func)
        return func(*args, **(kwargs or {}))


def optimizer_of(parameters, settings):
    """torch.optim's optimizer of a case's settings."""
    if settings["optimizer"] != "sgd":
        raise ReferenceError('no optimizer "%s"; known: sgd' % settings["optimizer"])
    return torch.optim.SGD(parameters, lr=settings["learning_rate"], momentum=settings["momentum"])


def steps(script, module, inputs, targets, settings):
    """The recorded numbers by name; updates the module's parameters."""
    if not hasattr(script, "loss"):
        raise ReferenceError("the reference script has no loss(module, outputs, targets), and the case trains")
    named = dict(module.named_parameters())
    for parameter in named.values():
        parameter.requires_grad_(True)
    optimizer = optimizer_of(named.values(), settings)
    recorded = {}
    module.train()
    try:
        with torch.enable_grad(), true_float64(), _RefuseRandom():
            for step in range(1, RECORDED_STEPS[-1] + 1):
                numbers = _step(script, module, named, optimizer, inputs, targets)
                if step in RECORDED_STEPS:
                    recorded.update({"step%d.%s" % (step, name): tensor for name, tensor in numbers.items()})
    finally:
        module.eval()
    return recorded


def _step(script, module, named, optimizer, inputs, targets):
    optimizer.zero_grad()
    outputs = script.forward(module, inputs)
    loss = script.loss(module, outputs, targets)
    if loss.dim():
        raise ReferenceError("the reference script's loss has shape %s, want a scalar" % list(loss.shape))
    loss.backward()
    gradients = {name: parameter.grad for name, parameter in named.items()}
    for name, gradient in gradients.items():
        if gradient is None:
            raise ReferenceError('parameter "%s" gets no gradient from the loss' % name)
    numbers = {"loss": loss.detach(), **{name: output.detach().clone() for name, output in outputs.items()}}
    numbers["gradients"] = torch.cat([gradient.flatten() for gradient in gradients.values()])
    numbers["gradient_norms"] = torch.stack([torch.linalg.vector_norm(gradient) for gradient in gradients.values()])
    optimizer.step()
    numbers["parameters"] = torch.cat([parameter.detach().flatten() for parameter in named.values()])
    return numbers
