#ifndef ASSAY_MODELS_LAYERS_SEQUENCE_SINUSOIDS_H_
#define ASSAY_MODELS_LAYERS_SEQUENCE_SINUSOIDS_H_

// ---------------------------------------------------------------------------------------------
// models/layers/sequence/sinusoids.h: tables of positions that models compute in place of learning them, a
// row's sines, then its cosines: M2M100 and XGLM add them, GPT-J rotates by them.
//
// As transformers, in float32: each angle is a row's number times a step, both rounded. Exponentials,
// sines and cosines are computed in double and rounded, so that they are the same on every machine;
// those of transformers may differ from them in the last bit. Functions of reference.py do the same.
//
// Not for: tables that files hold (Pegasus, Whisper).
//
// Example:
//
//     AddConstant(Sinusoids(1026, 1024), table_);
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>

namespace assay::models {

// float32 (rows, features); features is even and 4 or more.
at::Tensor Sinusoids(int64_t rows, int64_t features);

// float32 (rows, features), as "Attention is all you need" has them: each sine is followed by its
// cosine. features is even.
at::Tensor InterleavedSinusoids(int64_t rows, int64_t features);

// float32 (rows, features) for rotations of pairs of features; features is even.
at::Tensor RotarySinusoids(int64_t rows, int64_t features);

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_SEQUENCE_SINUSOIDS_H_
