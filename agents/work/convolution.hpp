// Work that is the inference of one of two models over a generated image: small convolutional
// networks of our own. Their weights are drawn, because no trained model comes with the program.
// Their cost is that of such work; their results mean nothing.
#pragma once

#include <cstdint>

#include "core/work/kind.hpp"
#include "core/work/throttle.hpp"

namespace rhizome::agents {

struct ConvolutionShape {
  std::uint32_t size = 64;   // of the image, in rows and in pixels of a row
  std::uint32_t layers = 4;  // each a convolution by three rows of three weights
};

// Passes a seeded image through the layers of a model and returns a checksum of the output: the
// same on every machine, since sums are of whole numbers, modulo 2^64. Takes 9 * size² * layers
// multiplications. Goes on as fast as the throttle lets it; once the throttle is cancelled it
// returns soon, with a meaningless number.
[[nodiscard]] std::uint64_t convolve(const ConvolutionShape& shape, std::uint64_t image,
                                     std::uint64_t model, core::Throttle& throttle);

// The right result of convolve(), computed in another way. The weights of a layer are products of a
// row and a column, so that rows and columns can be convolved one after the other, with 6
// multiplications a pixel and layer.
[[nodiscard]] std::uint64_t convolve_apart(const ConvolutionShape& shape, std::uint64_t image,
                                           std::uint64_t model, core::Throttle& throttle);

// Jobs of even numbers use the first model, jobs of odd numbers the second.
[[nodiscard]] core::WorkKind convolution_work();

}  // namespace rhizome::agents
