"""Which blob holds a case's reference outputs; written by //tools:generate_artifacts, one row for each key.

A pure literal: nothing but the digest is believed about a blob, wherever it comes from. See artifacts/README.md.
"""

LOCK = {
    "lennard_jones_fp32_b1000_train": {"sha256": "0a03117c02019d342b30e54d0c0a9c7a294013e46db07538e57b3476eee30234", "size": 10448, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: adam, sgd", "commit": "4106a83c3f8e"},
    "lennard_jones_fp32_b64": {"sha256": "7e66a8de638ac13cca7e042d9d4148c69abbe6fa2aff6aa9471f52aae7a4bed8", "size": 2544, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "b290e504abd2"},
    "lennard_jones_fp64_b1000_train": {"sha256": "0a03117c02019d342b30e54d0c0a9c7a294013e46db07538e57b3476eee30234", "size": 10448, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0, torch.optim: adam, sgd", "commit": "4106a83c3f8e"},
    "lennard_jones_fp64_b64": {"sha256": "7e66a8de638ac13cca7e042d9d4148c69abbe6fa2aff6aa9471f52aae7a4bed8", "size": 2544, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "b290e504abd2"},
    "pyhpc_equation_of_state_fp64_b2": {"sha256": "12ab436111e8b675b01ef015906caa825dbb97ee4a470777dc7b4724166aa2de", "size": 4520, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "22e18fdd538f"},
    "pyhpc_equation_of_state_tiny_fp64_b2": {"sha256": "81f4b19808edba3369d294fcc977639fd3b765e47debfe1e0ee7d4225be99f57", "size": 4512, "store": "embedded", "provenance": "torch.autograd 2.11.0, float64, torch 2.11.0", "commit": "b290e504abd2"},
}
