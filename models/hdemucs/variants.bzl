"""Hybrid Demucs, as torchaudio 2.11 builds it: its three sizes, and two small ones. Pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter")

IMPLEMENTATION = model_implementation(
    name = "hdemucs",
    description = "Hybrid Demucs: a U-Net of a song's spectrogram and one of its samples take the sounds of the sources out of it.",
    owner = "assay",
    source_url = "https://github.com/pytorch/audio/blob/v2.11.0/src/torchaudio/models/_hdemucs.py",
    reference = "INDEPENDENT",
    reference_script = "models/hdemucs/reference.py",
    parameters = [
        parameter("sources", "integer", default = 4, maximum = 1000, description = "sounds to separate"),
        parameter("audio_channels", "integer", default = 2, maximum = 1000, description = "channels of a sound: 2 for stereo"),
        parameter("channels", "integer", default = 48, minimum = 4, maximum = 4096, description = "channels of the outermost level; each further one has twice as many"),
        parameter("nfft", "integer", default = 4096, minimum = 64, maximum = 1048576, description = "samples of a Fourier transform: 2048, or a power of 4"),
        parameter("depth", "integer", default = 6, maximum = 12, description = "levels; the first four have no norms, LSTMs and attention"),
        parameter("samples", "integer", default = 44100, maximum = 100000000, description = "samples of a sound; 5/8 of nfft or more"),
    ],
    inputs = [input("mix", ["batch", "audio_channels", "samples"])],
    outputs = [output("estimates", ["batch", "sources", "audio_channels", "samples"])],
    trainable = True,
    targets = [input("separate", ["batch", "sources", "audio_channels", "samples"])],
    unit = "sample",
    units_per_call = "batch*samples",
)

# The fewest levels that have each kind of layer.
_SMALLEST = {"channels": 4, "depth": 5, "nfft": 64, "samples": 1001, "sources": 3}

TINY = [
    model("hdemucs_tiny", IMPLEMENTATION, parameters = {"channels": 8, "sources": 2}, smoke_parameters = _SMALLEST, description = "The levels of hdemucs_high with few channels and two sources; a second of sound, which tests can afford."),
    # Its fifth level has 204 steps.
    model("hdemucs_tiny_long", IMPLEMENTATION, parameters = dict(_SMALLEST, samples = 26001), smoke_parameters = _SMALLEST, description = "Small transforms of many steps: its LSTMs read the sound piece by piece."),
]

def _published(name, nfft, depth, samples, what):
    return model(
        name,
        IMPLEMENTATION,
        parameters = {"depth": depth, "nfft": nfft, "samples": samples},
        smoke_parameters = _SMALLEST,
        description = "torchaudio's %s for %s." % (name, what),
    )

PUBLISHED = [
    _published("hdemucs_low", 1024, 5, 16000, "8 kHz: two seconds"),
    _published("hdemucs_medium", 2048, 6, 32000, "16 kHz to 32 kHz: two seconds of 16 kHz"),
    _published("hdemucs_high", 4096, 6, 88200, "44.1 kHz to 48 kHz: two seconds of 44.1 kHz"),
]

MODELS = TINY + PUBLISHED
