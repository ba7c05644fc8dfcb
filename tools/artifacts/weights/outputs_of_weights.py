"""Loads weights as the implementation's own library does, and writes the outputs that it computes from them. Needs torch.

    write(folder, "path/of/save_pretrained", workspace)   # folder/reference.safetensors

Names are read by the library, not by this suite's C++: where transformers built the module, by its from_pretrained(), otherwise by
load_state_dict(). The module is the one that reference.py builds of the case's parameters. Where a config.json lies beside the
weights, transformers reads it, too, and every setting must be that of the module, but for those that change no output: the family's
table says which, or _CHANGES_NOTHING where it has none.
"""

import glob
import json
import os
import re

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
# These change no output of evaluation. The other token ids do in some models: positions begin behind pad_token_id, CLIP takes the
# features of eos_token_id, and BigBird's segments end at sep_token_id.
_CHANGES_NOTHING = re.compile(
    r".*(dropout|pdrop|layerdrop|drop_path).*|(init|initializer)_(std|range|factor)|use_cache|id2label|label2id|problem_type|finetuning_task|"
    r"(bos|cls|mask|unk|decoder_start|forced_bos|forced_eos)_token_id|output_(attentions|hidden_states|past)|return_dict|"
    r"gradient_checkpointing|chunk_size_feed_forward|(begin_)?suppress_tokens|apply_spec_augment|mask_(time|feature)_.*"
)
# transformers takes these values where an object of rotary frequencies is silent.
_ROTARY = {"beta_fast": 32.0, "beta_slow": 1.0, "partial_rotary_factor": 1.0, "truncate": True}


def write(folder, weights, workspace):
    cases, _ = registry.read(os.path.join(folder, "case.json"))
    (job,) = plan.make_jobs(cases)
    given = jobs.specification(job, 0, jobs.Places(workspace, "", "", os.path.join(folder, "work")), 1, False)
    (content,) = given["contents"]
    if not os.path.isfile(given["script"]):
        raise SurroundingsError("%s: there is no such file; the case names it as its reference_script" % given["script"])
    family = compute.Family(given["script"])
    module = family.module(content)
    beside = weights if os.path.isdir(weights) else os.path.dirname(weights)
    if os.path.isfile(os.path.join(beside, "config.json")):
        check_config(module, beside, _unread(os.path.join(folder, "case.json"), beside))
    state = compute.rounded(state_of(module, tensors_of(weights)), compute.DTYPES[content["rounding"]])
    inputs = compute.inputs_of(content, load_file(os.path.join(folder, "inputs.safetensors")))
    kept = compute.kept_outputs(family, content, state, inputs, drawn=False)
    content["blob"] = os.path.join(folder, "reference.safetensors")
    provenance = "%s, of %s" % (family.provenance(content), os.path.basename(os.path.normpath(weights)))
    try:
        events.write_blob(content, kept, {**content["metadata"], "provenance": provenance})
    except reference_blob.BlobError as error:
        raise ReferenceError(str(error)) from None


def _unread(case, folder):
    """Whether a key of this folder's config.json changes no output."""
    with open(case, encoding="utf-8") as f:
        (entry,) = json.load(f)["cases"]
    tables = entry["implementation"].get("checkpoint_configs")
    if not tables:
        return _CHANGES_NOTHING.fullmatch
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as f:
        model_type = json.load(f).get("model_type")
    tables = [table for table in tables if table["model_type"] == model_type]
    read = {name for table in tables for key in table["keys"] for name in key.get("names", [])}
    return ({key for table in tables for key in table["unread"]} - read).__contains__


def _comparable(value):
    """A setting, and an object of rotary frequencies as if it said all that transformers takes."""
    if not isinstance(value, dict):
        return value
    if "rope_type" in value:  # "type" is its older name
        return {**_ROTARY, **{name: member for name, member in value.items() if name != "type"}}
    return {name: _comparable(member) for name, member in value.items()}


def _by_transformers(what, load):
    try:
        return load()
    except Exception as error:  # they are of many classes
        raise ReferenceError("transformers cannot load %s: %s: %s" % (what, type(error).__name__, error)) from None


def check_config(module, folder, unread):
    """Refuses a config.json that transformers reads otherwise than the module was built, but for keys that are `unread`."""
    built = getattr(module, "config", None)
    if built is None or not hasattr(built, "to_diff_dict"):
        return
    path = os.path.join(folder, "config.json")
    theirs, ours = _by_transformers(path, lambda: type(built).from_pretrained(folder)).to_dict(), built.to_dict()
    # reference.py also gives a configuration what another class of the family reads.
    for key in sorted(type(built)().to_dict()):
        if key not in _OF_THE_FILE and not unread(key) and _comparable(theirs.get(key)) != _comparable(ours.get(key)):
            raise ReferenceError(
                "%s: transformers reads %s as %r; reference.py builds the model with %r" % (
                    path, key, theirs.get(key), ours.get(key)))


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
    loaded, said = _by_transformers("the weights", lambda: type(module).from_pretrained(
        None, config=module.config, state_dict=tensors, output_loading_info=True, dtype=torch.float32))
    wrong = {what: sorted(map(str, said[what])) for what in ("missing_keys", "mismatched_keys", "error_msgs") if said[what]}
    if wrong:
        raise ReferenceError("transformers cannot load the weights: %s" % json.dumps(wrong))
    return loaded.state_dict()
