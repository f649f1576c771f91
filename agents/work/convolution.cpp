#include "agents/work/convolution.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/peer/rng.hpp"
#include "core/work/loop.hpp"

namespace rhizome::agents {

namespace {

using core::Rng;
using Pixels = std::vector<std::uint64_t>;
using Three = std::array<std::uint64_t, 3>;

struct Options {
  std::uint32_t size = 64;
  std::uint32_t first_layers = 4;
  std::uint32_t second_layers = 12;
};

core::Settings<Options> settings() {
  return core::Settings<Options>{}
      .add("size", &Options::size,
           {"Rows of an image, and pixels of a row; the work grows with the square.", "our choice",
            1, 4096})
      .add("first_layers", &Options::first_layers,
           {"Layers of the model that jobs of even numbers have.", "our choice", 1, 1024})
      .add("second_layers", &Options::second_layers,
           {"Layers of the model that jobs of odd numbers have.", "our choice", 1, 1024});
}

Three draw_three(Rng& rng) {
  Three drawn{};
  for (std::uint64_t& weight : drawn) weight = static_cast<std::uint64_t>(rng.between(-4, 4));
  return drawn;
}

// A border of zeros spares the loops their ends.
struct Image {
  explicit Image(std::uint32_t of) : size(of), row(of + 2), pixels(row * row, 0) {}
  [[nodiscard]] std::uint64_t& at(std::size_t y, std::size_t x) { return pixels[y * row + x]; }
  std::size_t size;
  std::size_t row;
  Pixels pixels;
};

Image seeded(std::uint32_t size, std::uint64_t seed) {
  Image image(size);
  Rng rng = Rng::derive({seed}, "image");
  for (std::size_t y = 1; y <= size; ++y)
    for (std::size_t x = 1; x <= size; ++x)
      image.at(y, x) = static_cast<std::uint64_t>(rng.between(0, 255));
  return image;
}

std::uint64_t checksum(const Image& image) {
  constexpr std::uint64_t weight = 31;
  std::uint64_t sum = 0;
  for (const std::uint64_t pixel : image.pixels) sum = sum * weight + pixel;
  return sum;
}

void convolve_row(Image& from, Image& to, std::size_t y, const Three& down, const Three& across) {
  for (std::size_t x = 1; x <= from.size; ++x) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        sum += down[i] * across[j] * from.at(y + i - 1, x + j - 1);
    to.at(y, x) = sum;
  }
}

}  // namespace

std::uint64_t convolve(const ConvolutionShape& shape, std::uint64_t image, std::uint64_t model,
                       core::Throttle& throttle) {
  Rng rng = Rng::derive({model}, "model");
  Image now = seeded(shape.size, image);
  Image next(shape.size);
  for (std::uint32_t layer = 0; layer < shape.layers; ++layer) {
    const Three down = draw_three(rng);
    const Three across = draw_three(rng);
    for (std::size_t y = 1; y <= shape.size; ++y) {
      if (!throttle.go_on()) return 0;
      convolve_row(now, next, y, down, across);
    }
    std::swap(now, next);
  }
  return checksum(now);
}

std::uint64_t convolve_apart(const ConvolutionShape& shape, std::uint64_t image,
                             std::uint64_t model, core::Throttle& throttle) {
  Rng rng = Rng::derive({model}, "model");
  Image now = seeded(shape.size, image);
  Image half(shape.size);
  for (std::uint32_t layer = 0; layer < shape.layers; ++layer) {
    const Three down = draw_three(rng);
    const Three across = draw_three(rng);
    if (!throttle.go_on()) return 0;
    for (std::size_t y = 1; y <= shape.size; ++y)
      for (std::size_t x = 1; x <= shape.size; ++x)
        half.at(y, x) =
            across[0] * now.at(y, x - 1) + across[1] * now.at(y, x) + across[2] * now.at(y, x + 1);
    for (std::size_t y = 1; y <= shape.size; ++y)
      for (std::size_t x = 1; x <= shape.size; ++x)
        now.at(y, x) =
            down[0] * half.at(y - 1, x) + down[1] * half.at(y, x) + down[2] * half.at(y + 1, x);
  }
  return checksum(now);
}

// The seed of a task has the number of its job in its upper half: see subject_of.
core::WorkKind convolution_work() {
  return core::make_work_kind<Options>(
      {.name = "convolution",
       .summary = "inference over a generated image, by one of two small convolutional networks "
                  "that jobs take in turns; their weights are drawn, not trained",
       .settings = settings(),
       .compute = [](const Options& options,
                     std::uint64_t seed) -> std::unique_ptr<core::Computation> {
         const std::uint64_t model = (seed >> 32U) % 2;
         const ConvolutionShape shape{options.size,
                                      model == 0 ? options.first_layers : options.second_layers};
         return std::make_unique<core::Loop>([shape, seed, model](core::Throttle& throttle) {
           const std::uint64_t sum = convolve(shape, seed, model, throttle);
           return core::judged(
               "model " + std::to_string(model + 1) + ", checksum " + std::to_string(sum),
               sum == convolve_apart(shape, seed, model, throttle));
         });
       }});
}

}  // namespace rhizome::agents
