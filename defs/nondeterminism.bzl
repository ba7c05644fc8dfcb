"""Kernels that give other bits from call to call, in the words that nondeterministic() shows: for the cases of an operator and of
models that call it.

Sources: torch.use_deterministic_algorithms lists ATen's kernels, cuDNN's manual (Reproducibility) its own, the page of
torch.nn.LSTM those of recurrent layers. Example:

    cases(models = ["dcgan_generator"], nondeterministic = [nondeterministic(TRANSPOSED_CONVOLUTION)], ...)
"""

# A transposed convolution computes a convolution's gradient of the input, and the other way round.
CONVOLUTION_GRADIENTS = "cuDNN may add the gradients of a convolution atomically"
TRANSPOSED_CONVOLUTION = "cuDNN computes a transposed convolution as a convolution's gradients, which it may add atomically"

# --deterministic sets the variable that the page names.
RECURRENT_LAYER = "cuDNN's recurrent layers run cuBLAS on several streams, where it may choose other kernels from call to call"

# Blocks of keys add to the gradients of all queries; each block writes those of its own keys and values alone.
FUSED_ATTENTION = "CUDA's fused attention adds the gradients of queries atomically"

# Several edges add to one node, each in a thread of its own.
SCATTERED_SUMS = "CUDA's scatter_add adds atomically"
