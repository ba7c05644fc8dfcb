"""The network of Background Matting in torch.nn, written from its structure: there is no package of it."""

import torch
from torch import nn

from models.image_to_image_reference import forward, provenance, reflected, reflecting_blocks, relu  # noqa: F401


class BackgroundMatting(nn.Module):
    def __init__(self, channels, blocks, branch_blocks):
        super().__init__()
        norm = nn.BatchNorm2d

        def halve(width):
            return relu(nn.Conv2d(width, 2 * width, 3, 2, 1), norm)

        def encoder(width):
            pad, convolution = reflected(width, channels, 7)
            return [pad, *relu(convolution, norm), *halve(channels)]

        def narrow(width, out):
            return relu(nn.Conv2d(width, out, 1, bias=False), norm)

        def double(width, out):
            up = nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True)
            return [up, *relu(nn.Conv2d(width, out, 3, 1, 1), norm)]

        wide = 4 * channels
        self.model_enc1 = nn.Sequential(*encoder(3))
        self.model_enc2 = nn.Sequential(*halve(2 * channels))
        for name, width in (("back", 3), ("seg", 1), ("multi", 4)):
            self.add_module("model_enc_" + name, nn.Sequential(*encoder(width), *halve(2 * channels)))
        for name in ("back", "seg", "multi"):
            self.add_module("comb_" + name, nn.Sequential(*narrow(2 * wide, channels)))
        joined = narrow(wide + 3 * channels, wide)
        self.model_res_dec = nn.Sequential(*joined, *reflecting_blocks(blocks, wide, norm))
        self.model_res_dec_al = nn.Sequential(*reflecting_blocks(branch_blocks, wide, norm))
        self.model_res_dec_fg = nn.Sequential(*reflecting_blocks(branch_blocks, wide, norm))
        alpha = double(wide, 2 * channels) + double(2 * channels, channels)
        self.model_al_out = nn.Sequential(*alpha, *reflected(channels, 1, 7), nn.Tanh())
        self.model_dec_fg1 = nn.Sequential(*double(wide, 2 * channels))
        self.model_fg_out = nn.Sequential(*double(wide, channels), *reflected(channels, 3, 7))

    def forward(self, image, background, segmentation, frames):
        fine = self.model_enc1(image)
        features = self.model_enc2(fine)
        background, segmentation = self.model_enc_back(background), self.model_enc_seg(segmentation)
        self.model_enc_multi(frames)  # the repository joins the background in place of this
        joined = [features, self.comb_back(torch.cat((features, background), 1))]
        joined.append(self.comb_seg(torch.cat((features, segmentation), 1)))
        joined.append(self.comb_multi(torch.cat((features, background), 1)))
        x = self.model_res_dec(torch.cat(joined, 1))
        foreground = self.model_dec_fg1(self.model_res_dec_fg(x))
        return {
            "alpha": self.model_al_out(self.model_res_dec_al(x)),
            "foreground": self.model_fg_out(torch.cat((foreground, fine), 1)),
        }


def build(parameters):
    return BackgroundMatting(parameters["channels"], parameters["blocks"], parameters["branch_blocks"])
