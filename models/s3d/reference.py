"""S3D by torchvision."""

from torchvision.models.video.s3d import S3D

from models.torchvision_reference import forward, provenance  # noqa: F401


def build(parameters):
    return S3D(num_classes=parameters["num_classes"])
