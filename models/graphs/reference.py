"""The graph networks of torch_geometric's nn.models.basic_gnn."""

import torch
import torch.fx.experimental._config
import torch_geometric
from torch_geometric import nn

# Tensors of the meta device (ci/goldens/model_goldens.py) hold no edges of which some could be left out.
torch.fx.experimental._config.meta_nonzero_assume_all_nonzero = True

_NETWORKS = {"edgecnn": nn.EdgeCNN, "gat": nn.GAT, "gcn": nn.GCN, "gin": nn.GIN, "sage": nn.GraphSAGE}


def provenance():
    return "torch_geometric %s" % torch_geometric.__version__


def build(parameters):
    kind = parameters["convolution"]
    sizes = [parameters[name] for name in ("in_channels", "hidden_channels", "num_layers", "out_channels")]
    return _NETWORKS[kind](*sizes, **({"heads": parameters["heads"]} if kind == "gat" else {}))


def forward(module, inputs):
    x, edges = inputs["x"], torch.stack([inputs["source"], inputs["target"]])  # (2, graphs, edges)
    graphs, nodes = x.shape[:2]
    edge_index = edges + nodes * torch.arange(graphs, device=edges.device)[:, None]
    return {"logits": module(x.flatten(0, 1), edge_index.flatten(1)).unflatten(0, (graphs, nodes))}


def loss(_module, outputs, targets):
    return torch.nn.functional.cross_entropy(outputs["logits"].flatten(0, 1), targets["labels"].flatten())
