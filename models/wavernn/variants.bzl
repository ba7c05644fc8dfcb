"""WaveRNN, a vocoder, as torchaudio 2.11 builds it: pure data."""

load("//defs:variants.bzl", "input", "integers", "model", "model_implementation", "output", "parameter")

IMPLEMENTATION = model_implementation(
    name = "wavernn",
    description = "WaveRNN in training: two GRUs score each sample of a sound, given the samples and a spectrogram that a residual network reads.",
    owner = "assay",
    source_url = "https://github.com/pytorch/audio/blob/v2.11.0/src/torchaudio/models/wavernn.py",
    reference = "INDEPENDENT",
    reference_script = "models/wavernn/reference.py",
    parameters = [
        parameter("upsample_scales", "integers", default = [5, 5, 11], maximum = 1024, description = "factors by which a frame is stretched, one after another; their product is hop_length"),
        parameter("n_classes", "integer", default = 256, minimum = 2, maximum = 1000000, description = "values that a sample may have"),
        parameter("hop_length", "integer", default = 275, maximum = 65536, description = "samples of a frame"),
        parameter("n_res_block", "integer", default = 10, maximum = 1000, description = "blocks of the residual network"),
        parameter("n_rnn", "integer", default = 512, description = "hidden units of a GRU"),
        parameter("n_fc", "integer", default = 512, description = "features between the linear layers behind them"),
        parameter("kernel_size", "integer", default = 5, maximum = 1023, description = "frames that the residual network's first convolution reads at once, an odd number"),
        parameter("n_freq", "integer", default = 80, description = "bins of the spectrogram"),
        parameter("n_hidden", "integer", default = 128, description = "channels of the residual network"),
        parameter("n_output", "integer", default = 128, minimum = 4, description = "channels that it makes; four layers read a quarter each"),
        parameter("frames", "integer", default = 5, maximum = 65536, description = "frames of a row for which there are samples"),
    ],
    inputs = [
        input("waveform", shape = ["batch", 1, "frames*hop_length"]),
        input("specgram", shape = ["batch", 1, "n_freq", "frames+kernel_size-1"]),
    ],
    outputs = [output("logits", shape = ["batch", 1, "frames*hop_length", "n_classes"])],
    # The loss: the mean over all samples of the cross entropy with each sample's value.
    trainable = True,
    targets = [input("values", shape = ["batch", 1, "frames*hop_length"], dtype = "INT64", distribution = integers(limit = "n_classes"))],
    keeps_statistics = True,
    unit = "sample",
    units_per_call = "batch*frames*hop_length",
)

_TINY = {
    "frames": 3,
    "hop_length": 6,
    "n_classes": 24,
    "n_fc": 20,
    "n_freq": 10,
    "n_hidden": 12,
    "n_output": 16,
    "n_res_block": 2,
    "n_rnn": 16,
    "upsample_scales": [2, 3],
}

MODELS = [
    model(
        "wavernn_tiny",
        IMPLEMENTATION,
        parameters = {
            "frames": 8,
            "hop_length": 6,
            "n_classes": 64,
            "n_fc": 48,
            "n_freq": 20,
            "n_hidden": 24,
            "n_output": 32,
            "n_res_block": 3,
            "n_rnn": 64,
            "upsample_scales": [2, 3],
        },
        smoke_parameters = _TINY,
        description = "WaveRNN of 48 samples a row and narrow layers, which tests can afford.",
    ),
    # The sizes are those of torchaudio.pipelines' bundles with WaveRNN, the frames those of its training example.
    model("wavernn", IMPLEMENTATION, smoke_parameters = _TINY),
]
