"""Training references: the numbers of three steps of gradient descent by the other implementation, in float64. Needs torch.

    tensors = training.steps(family.script, module, inputs, targets, settings)     # name -> tensor

One step is zero_grad, forward, loss, backward, clip, optimizer; each of the case's optimizers takes its steps from the same
state. What is recorded of the first and the third step, and under which names, says defs/case/training_steps.h.

The loss OWN is the script's loss(module, outputs, targets), whose outputs may be more than the case declares: their names
begin with "_", and they are not recorded. The others, the optimizers and clipping are torch's. Parameters that the module
holds and the loss does not reach are named by the script's WITHOUT_GRADIENT, a tuple of how their names begin. Nothing is
dropped out, since a reference of random numbers would be one throw of the dice; what draws them otherwise is refused.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from tools.artifacts.generate.reference_error import ReferenceError
from tools.artifacts.generate.registry import RECORDED_STEPS
from tools.artifacts.generate.true_float64 import true_float64


def draws(func, args, kwargs):
    """Whether a call of an operator draws random numbers: attention without dropout does not, though it may."""
    if torch.Tag.nondeterministic_seeded not in func.tags:
        return False
    for i, argument in enumerate(func._schema.arguments):
        if argument.name == "dropout_p":
            given = args[i] if i < len(args) else argument.default_value
            return kwargs.get(argument.name, given) != 0
    return True


class _RefuseRandom(TorchDispatchMode):
    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if draws(func, args, kwargs or {}):
            raise ReferenceError("%s draws random numbers in a training step; set its probability to 0" % func)
        return func(*args, **(kwargs or {}))


def optimizer_of(parameters, name, settings):
    """torch.optim's optimizer of that name with a case's settings."""
    known = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam, "adamw": torch.optim.AdamW}
    if name not in known:
        raise ReferenceError('no optimizer "%s"; known: %s' % (name, ", ".join(known)))
    given = dict(settings)
    arguments = {"lr": given.pop("learning_rate")}
    if name != "sgd":
        arguments.update(betas=(given.pop("beta1"), given.pop("beta2")), eps=given.pop("epsilon"))
    return known[name](parameters, **arguments, **given)


def loss_of(script, module, outputs, targets, kind):
    """The scalar to minimise."""
    if kind == "OWN":
        if not hasattr(script, "loss"):
            raise ReferenceError("the reference script has no loss(module, outputs, targets), and the case trains by it")
        return script.loss(module, outputs, targets)
    values = list(outputs.values())
    if kind == "CROSS_ENTROPY":
        return torch.nn.functional.cross_entropy(values[0], next(iter(targets.values())))
    floats = [value for value in values if value.is_floating_point()]
    if kind == "MEAN":
        return sum(value.sum() / value.numel() for value in floats) / len(floats)
    if kind == "SUM":
        return sum(value.sum() for value in floats)
    raise ReferenceError('no loss "%s"; known: OWN, CROSS_ENTROPY, SUM, MEAN' % kind)


def drop_nothing(module):
    """Switches off torch.nn.Dropout, torchvision's StochasticDepth, timm's DropPath and what a forward of timm or transformers drops itself."""
    for part in module.modules():
        if isinstance(part, torch.nn.Dropout) or type(part).__name__ == "StochasticDepth":
            part.p = 0.0
        for rate in ("drop_prob", "drop_rate", "dropout", "attention_dropout", "activation_dropout"):
            if isinstance(getattr(part, rate, None), float):
                setattr(part, rate, 0.0)


def steps(script, module, inputs, targets, settings, keep=lambda name, tensor: tensor):
    """The recorded numbers by name; leaves the module as it was, evaluating.

    `keep` makes what is kept of a name's tensor: whole parameters of every optimizer would be gigabytes.
    """
    frozen = {name: tensor.detach().clone() for name, tensor in module.state_dict().items()}
    drop_nothing(module)
    recorded = {}
    module.train()
    try:
        with torch.enable_grad(), true_float64(), _RefuseRandom():
            for name, of_optimizer in settings["optimizers"]:
                module.load_state_dict(frozen)
                of_run = _Run(script, module, inputs, targets, settings).numbers(name, of_optimizer)
                recorded.update({what: keep(what, tensor) for what, tensor in of_run})
    finally:
        module.eval()
        module.load_state_dict(frozen)
    return recorded


class _Run:
    """Three steps of one optimizer."""

    def __init__(self, script, module, inputs, targets, settings):
        self._script, self._module, self._inputs, self._targets = script, module, inputs, targets
        self._loss, self._clip_norm = settings["loss"], settings["clip_norm"]
        self._row_clip_norm = settings.get("row_clip_norm", 0)
        self._parameters = dict(module.named_parameters())
        for parameter in self._parameters.values():
            parameter.requires_grad_(True)
        state = module.state_dict(keep_vars=True)
        self._buffers = [state[name] for name in state if name in dict(module.named_buffers())]
        self._given_buffers = [buffer.clone() for buffer in self._buffers]

    def numbers(self, name, settings):
        """(name, tensor) of all that is recorded, one after the other."""
        optimizer = optimizer_of(list(self._parameters.values()), name, settings)
        for step in range(1, RECORDED_STEPS[-1] + 1):
            recorded = step in RECORDED_STEPS
            optimizer.zero_grad()
            # The first step's numbers before its update are the same for all optimizers.
            prefix = "step1." if step == 1 else "%s.step%d." % (name, step)
            for what, tensor in self._before_update():
                if recorded:
                    yield prefix + what, tensor
            parameters = list(self._parameters.values())
            before = [parameter.detach().clone() for parameter in parameters] if recorded else []
            if self._clip_norm:
                torch.nn.utils.clip_grad_norm_(parameters, self._clip_norm)
            optimizer.step()
            if recorded:
                prefix = "%s.step%d." % (name, step)
                yield prefix + "update_norms", _norms([after.detach() - b for b, after in zip(before, parameters)])
                yield prefix + "parameters", _joined(parameters)

    def _pass(self, inputs, targets):
        outputs = self._script.forward(self._module, inputs)
        loss = loss_of(self._script, self._module, outputs, targets, self._loss)
        if loss.dim():
            raise ReferenceError("the reference script's loss has shape %s, want a scalar" % list(loss.shape))
        loss.backward()
        return outputs, loss

    def _row_by_row(self):
        """The mean of the rows' gradients, each scaled as Opacus' DPOptimizer does it; the outputs of all rows and their mean loss."""
        rows = {tensor.shape[0] for tensor in (*self._inputs.values(), *self._targets.values())}
        if len(rows) != 1:
            raise ReferenceError("row_clip_norm: the inputs' first dimensions are %s, want the batch" % sorted(rows))
        count, passes = rows.pop(), []
        parameters = list(self._parameters.values())
        sums = [torch.zeros_like(parameter) for parameter in parameters]
        reached_by_some = [False] * len(parameters)
        for row in range(count):
            self._module.zero_grad()
            of_row = [{name: tensor[row : row + 1] for name, tensor in of.items()} for of in (self._inputs, self._targets)]
            passes.append(self._pass(*of_row))
            reached_by_some = [reached or p.grad is not None for reached, p in zip(reached_by_some, parameters)]
            gradients = [torch.zeros_like(p) if p.grad is None else p.grad for p in parameters]
            factor = (self._row_clip_norm / (torch.linalg.vector_norm(_norms(gradients)) + 1e-6)).clamp(max=1)
            for total, gradient in zip(sums, gradients):
                total += gradient * factor
        divisor = 1 if self._loss == "SUM" else count
        for parameter, total, reached in zip(parameters, sums, reached_by_some):
            parameter.grad = total / divisor if reached else None
        outputs = {name: torch.cat([of[name] for of, _ in passes]) for name in passes[0][0]}
        return outputs, sum(loss for _, loss in passes) / divisor

    def _before_update(self):
        outputs, loss = self._row_by_row() if self._row_clip_norm else self._pass(self._inputs, self._targets)
        gradients = [self._gradient(name, parameter) for name, parameter in self._parameters.items()]
        yield "loss", loss.detach()
        for name, output in outputs.items():
            if not name.startswith("_"):
                yield name, output.detach().clone()
        yield "gradient_norms", _norms(gradients)
        yield "gradients", _joined(gradients)
        # Statistics alone: a table of positions stays as it is.
        if not all(map(torch.equal, self._buffers, self._given_buffers)):
            yield "buffers", _joined(self._buffers)

    def _gradient(self, name, parameter):
        """Zeros where there is none, as the script must say; torch.optim leaves such a parameter as it is."""
        declared = name.startswith(getattr(self._script, "WITHOUT_GRADIENT", ()))
        if declared and parameter.grad is not None:
            raise ReferenceError('parameter "%s" gets a gradient, and the script\'s WITHOUT_GRADIENT names it' % name)
        if not declared and parameter.grad is None:
            raise ReferenceError('parameter "%s" gets no gradient from the loss' % name)
        return torch.zeros_like(parameter) if declared else parameter.grad


def _joined(tensors):
    return torch.cat([tensor.detach().flatten().double() for tensor in tensors])


def _norms(tensors):
    return torch.stack([torch.linalg.vector_norm(tensor.detach()) for tensor in tensors])
