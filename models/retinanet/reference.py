"""RetinaNet by torchvision, without the transform that normalises and resizes images.

Parameters that are numbers of a smaller network build the same classes: torchvision's constructors have ResNet-50's.
"""

from torchvision.models.detection import RetinaNet, image_list

from models.torchvision_reference import detection_rows, pyramid_to_p7, provenance, wanted_boxes  # noqa: F401


def build(parameters):
    backbone = pyramid_to_p7(parameters)
    module = RetinaNet(backbone, parameters["num_classes"], detections_per_img=parameters["detections_per_img"])
    module.gives_detections = parameters["gives_detections"]
    return module


def forward(module, inputs):
    image = inputs["image"]
    features = list(module.backbone(image).values())
    found = module.head(features)
    sizes = [tuple(image.shape[-2:])] * len(image)
    module.anchors = module.anchor_generator(image_list.ImageList(image, sizes), features)
    if not module.gives_detections:
        return found
    if image.is_meta:  # without numbers there are no boxes to choose
        return {"detections": image.new_empty(len(image), module.detections_per_img, 6)}
    counts = [level.shape[2] * level.shape[3] * 9 for level in features]
    split = {name: list(numbers.split(counts, dim=1)) for name, numbers in found.items()}
    anchors = [list(of_image.split(counts)) for of_image in module.anchors]
    return {"detections": detection_rows(module.postprocess_detections(split, anchors, sizes), module.detections_per_img)}


def loss(module, outputs, targets):
    images = wanted_boxes(targets)
    return sum(module.compute_loss(images, outputs, module.anchors).values())
