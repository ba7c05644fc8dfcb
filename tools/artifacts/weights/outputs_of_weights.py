"""Loads weights as the implementation's own library does, and writes the outputs that it computes from them. Needs torch.

    write(folder, "path/of/save_pretrained", workspace)   # folder/reference.safetensors

Names are read by the library, not by this suite's C++: where transformers built the module, by its from_pretrained(), otherwise by
load_state_dict(). The module is the one that reference.py builds of the case's parameters. Where a config.json lies beside the
weights, transformers reads it, too, and every setting must be that of the module, but for those that the family's table says are unread.
"""

import glob
import json
import os

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file

from artifacts.fetch.ending import SurroundingsError
from artifacts.format import reference_blob
from tools.artifacts.generate import compute, events, jobs, plan, registry
from tools.artifacts.generate.reference_error import ReferenceError
from tools.artifacts.generate.true_float64 import LossOfPrecision  # noqa: F401

_INDEX = ".safetensors.index.json"
# These keys describe the file.
_OF_THE_FILE = {"_name_or_path", "architectures", "dtype", "model_type", "torch_dtype", "transformers_version"}


def write(folder, weights, workspace):
    cases, _ = registry.read(os.path.join(folder, "case.json"))
    (job,) = plan.make_jobs(cases)
    given = jobs.specification(job, 0, jobs.Places(workspace, "", "", os.path.join(folder, "work")), 1, False)
    (content,) = given["contents"]
    if not os.path.isfile(given["script"]):
        raise SurroundingsError("%s: there is no such file; the case names it as its reference_script" % given["script"])
    family = compute.Family(given["script"])
    module = family.module(content)
    if os.path.isfile(os.path.join(weights, "config.json")):
        check_config(module, weights, _unread(os.path.join(folder, "case.json")))
    state = compute.rounded(state_of(module, tensors_of(weights)), compute.DTYPES[content["rounding"]])
    inputs = compute.inputs_of(content, load_file(os.path.join(folder, "inputs.safetensors")))
    kept = compute.kept_outputs(family, content, state, inputs)
    content["blob"] = os.path.join(folder, "reference.safetensors")
    provenance = "%s, of %s" % (family.provenance(content), os.path.basename(os.path.normpath(weights)))
    try:
        events.write_blob(content, kept, {**content["metadata"], "provenance": provenance})
    except reference_blob.BlobError as error:
        raise ReferenceError(str(error)) from None


def _unread(path):
    """The keys that the family's table says change no output."""
    with open(path, encoding="utf-8") as f:
        (entry,) = json.load(f)["cases"]
    return {key for table in entry["implementation"].get("checkpoint_configs", []) for key in table["unread"]}


def check_config(module, folder, unread):
    """Refuses a config.json that transformers reads otherwise than the module was built."""
    built = getattr(module, "config", None)
    if built is None or not hasattr(built, "to_diff_dict"):
        return
    theirs, ours = type(built).from_pretrained(folder).to_dict(), built.to_dict()
    # reference.py also gives a configuration what another class of the family reads.
    for key in sorted(type(built)().to_dict()):
        if key not in _OF_THE_FILE | unread and theirs.get(key) != ours.get(key):
            raise ReferenceError(
                "%s: transformers reads %s as %r; reference.py builds the model with %r" % (
                    os.path.join(folder, "config.json"), key, theirs.get(key), ours.get(key)))


def tensors_of(path):
    """All tensors of the file, of an index's files, or of the folder's."""
    if os.path.isdir(path):
        found = sorted(glob.glob(os.path.join(glob.escape(path), "*" + _INDEX)))
        found = found or sorted(glob.glob(os.path.join(glob.escape(path), "*.safetensors")))
        usual = [file for file in found if os.path.basename(file) in ("model.safetensors", "model" + _INDEX)]
        if not found or not usual and len(found) > 1:
            raise SurroundingsError("%s: %d checkpoints in this folder" % (path, len(found)))
        path = (usual or found)[0]
    files = [path]
    if path.endswith(".json"):
        with open(path, encoding="utf-8") as f:
            names = sorted(set(json.load(f)["weight_map"].values()))
        files = [os.path.join(os.path.dirname(path), os.path.basename(name)) for name in names]
    try:
        return {name: tensor for file in files for name, tensor in load_file(file).items()}
    except SafetensorError as error:
        raise SurroundingsError("%s: %s" % (path, error)) from None


def state_of(module, tensors):
    """The module's state_dict with these tensors; the module stays as it is."""
    if not hasattr(type(module), "from_pretrained"):
        missing = sorted(module.state_dict().keys() - tensors.keys())
        left = sorted(tensors.keys() - module.state_dict().keys())
        if missing or left:
            raise ReferenceError("the weights are not those of %s: missing %s; left over %s" % (type(module).__name__, missing, left))
        return tensors
    loaded, said = type(module).from_pretrained(
        None, config=module.config, state_dict=tensors, output_loading_info=True, dtype=torch.float32)
    wrong = {what: sorted(map(str, said[what])) for what in ("missing_keys", "mismatched_keys", "error_msgs") if said[what]}
    if wrong:
        raise ReferenceError("transformers cannot load the weights: %s" % json.dumps(wrong))
    return loaded.state_dict()
