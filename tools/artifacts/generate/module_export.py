"""Exports the other implementation's module, with the seeded weights in float32, as a .pt2 file. Needs torch.

    path = Modules(job, family).export(content, load, inputs)

The file is torch.export's archive of forward(**inputs) -> {output name: tensor}, for the content's shapes. It is a
function of its content alone, so that equal modules have equal digests wherever they are made: the archive is always
called module.pt2 (the name goes into it), and paths of this machine (stack traces) are taken out.

Not for trusting: a .pt2 is code for whoever loads it. Its digest is checked before any parser sees it.
"""

import json
import os

import torch

_AGREEMENT = 1e-4  # of the output's standard deviation, between the exported module and the one it was made from


class ExportError(RuntimeError):
    """The module cannot be exported, or computes something else once it is."""


class _Named(torch.nn.Module):
    """forward(**inputs) -> outputs by name, as the reference script defines them."""

    def __init__(self, family, module):
        super().__init__()
        self.model = module
        self._script = family.script

    def forward(self, **inputs):
        return self._script.forward(self.model, inputs)


class Modules:
    """The exported modules of a job, each made once: roundings share one."""

    def __init__(self, job, family):
        self._work, self._family, self._paths = job["work"], family, {}

    def provenance(self):
        version = torch.__version__.split("+")[0]
        return "%s, torch.export, float32, torch %s" % (self._family.script.provenance(), version)

    def export(self, content, load, inputs):
        """The path of the archive; `load` puts the weights into a module and returns it in float32."""
        shapes = [[name, list(t.shape), str(t.dtype)] for name, t in sorted(inputs.items())]
        key = json.dumps([content["parameters"], content["batch"], shapes], sort_keys=True)
        if key not in self._paths:
            folder = os.path.join(self._work, "module%d" % len(self._paths))
            os.makedirs(folder)
            path = os.path.join(folder, "module.pt2")
            _export(_Named(self._family, load(self._family.module(content))).eval(), inputs, path)
            self._paths[key] = path
        return self._paths[key]


def _export(module, inputs, path):
    try:
        with torch.no_grad():
            program = torch.export.export(module, args=(), kwargs=inputs)
            _check(module(**inputs), program.module()(**inputs))
        _remove_paths(program)
        torch.export.save(program, path)
    except ExportError:
        raise
    except Exception as error:  # torch.export fails in as many types as there are models
        words = str(error).strip().splitlines() or ["no message"]
        raise ExportError("torch.export: %s: %s" % (type(error).__name__, words[0])) from None


def _check(want, got):
    for name, tensor in want.items():
        scale = tensor.double().std().item() or 1.0
        worst = (tensor.double() - got[name].double()).abs().max().item() / scale
        if not worst <= _AGREEMENT:
            raise ExportError('the exported module\'s output "%s" differs by %.1e of its std' % (name, worst))


def _remove_paths(program):
    for graph_module in program.graph_module.modules():
        if isinstance(graph_module, torch.fx.GraphModule):
            for node in graph_module.graph.nodes:
                node.meta.pop("stack_trace", None)
