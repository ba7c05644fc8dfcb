"""DETR for the labels of COCO, which have numbers up to 90, as transformers 5.23 builds it, and a small one: pure data."""

load("//defs:variants.bzl", "input", "model", "model_implementation", "output", "parameter")

IMPLEMENTATION = model_implementation(
    name = "detr",
    description = "DETR: for each of its queries scores of labels and a box.",
    owner = "assay",
    source_url = "https://github.com/huggingface/transformers/blob/v5.23.0/src/transformers/models/detr/modeling_detr.py",
    reference = "INDEPENDENT",
    reference_script = "models/detr/reference.py",
    parameters = [
        parameter("backbone", "text", default = "resnet50", allowed = ["resnet18", "resnet50"], description = "what makes features of the image"),
        parameter("d_model", "integer", default = 256, maximum = 4096, description = "width of the transformer; a multiple of 4"),
        parameter("attention_heads", "integer", default = 8, maximum = 256, description = "heads of each attention"),
        parameter("encoder_layers", "integer", default = 6, maximum = 256, description = "layers of the encoder"),
        parameter("decoder_layers", "integer", default = 6, maximum = 256, description = "layers of the decoder"),
        parameter("ffn_dim", "integer", default = 2048, maximum = 65536, description = "width between a layer's two linear layers"),
        parameter("num_queries", "integer", default = 100, maximum = 10000, description = "boxes of an image"),
        parameter("num_labels", "integer", default = 91, description = "labels of a box; one more score says that there is none"),
        parameter("resolution", "integer", default = 800, minimum = 32, maximum = 4096, suffix = "r", description = "height and width of the image, pixels"),
    ],
    inputs = [input("pixel_values", shape = ["batch", 3, "resolution", "resolution"])],
    outputs = [
        output("logits", shape = ["batch", "num_queries", "num_labels+1"]),
        output("pred_boxes", shape = ["batch", "num_queries", 4]),
    ],
    detector = True,
    unit = "image",
)

MODELS = [
    model("detr_resnet50", IMPLEMENTATION, smoke_parameters = {"encoder_layers": 1, "decoder_layers": 1, "resolution": 64}),
    model(
        "detr_tiny",
        IMPLEMENTATION,
        description = "DETR on a ResNet-18, with two layers of width 32 a side.",
        parameters = {"backbone": "resnet18", "d_model": 32, "attention_heads": 4, "encoder_layers": 2, "decoder_layers": 2, "ffn_dim": 64, "num_queries": 12, "num_labels": 7},
        smoke_parameters = {"resolution": 64},
    ),
]
