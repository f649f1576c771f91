// Amounts of the resources that a scenario names, such as gpus and licences: of a few names, in
// thousandths, so that they add up exactly. The scenario maps names to places.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/peer/codec.hpp"

namespace rhizome::agents {

class Amounts {
 public:
  static constexpr std::size_t most_names = 4;
  static constexpr std::uint32_t unit = 1000;
  static constexpr std::uint32_t most = 1'000'000 * unit;

  [[nodiscard]] std::uint32_t at(std::size_t name) const { return thousandths_[name]; }
  // `thousandths` is at most `most`.
  void set(std::size_t name, std::uint32_t thousandths) { thousandths_[name] = thousandths; }

  // Whether no amount exceeds the other's of the same name.
  [[nodiscard]] bool within(const Amounts& other) const {
    for (std::size_t i = 0; i < most_names; ++i)
      if (thousandths_[i] > other.thousandths_[i]) return false;
    return true;
  }
  // The smaller amount of every name.
  [[nodiscard]] static Amounts common(const Amounts& a, const Amounts& b) {
    return each(a, b, [](auto x, auto y) { return std::min(x, y); });
  }
  // The greater amount of every name.
  [[nodiscard]] static Amounts greater(const Amounts& a, const Amounts& b) {
    return each(a, b, [](auto x, auto y) { return std::max(x, y); });
  }
  friend Amounts operator+(const Amounts& a, const Amounts& b) {
    return each(a, b, [](auto x, auto y) { return std::min(x + y, std::uint64_t{UINT32_MAX}); });
  }
  // Never less than nothing.
  friend Amounts operator-(const Amounts& a, const Amounts& b) {
    return each(a, b, [](auto x, auto y) { return x - std::min(x, y); });
  }
  friend auto operator<=>(const Amounts&, const Amounts&) = default;

  // Encodes the amounts: as 0 if there are none, else as an array without the zeros at its end.
  void write(core::Writer& out) const {
    std::size_t size = most_names;
    while (size > 0 && thousandths_[size - 1] == 0) --size;
    if (size == 0) return out.natural(0);
    out.array(size);
    for (std::size_t i = 0; i < size; ++i) out.natural(thousandths_[i]);
  }
  [[nodiscard]] bool read(core::Reader& in) {
    *this = {};
    std::uint64_t number = 0;
    if (in.natural(number)) return number == 0;
    std::size_t size = 0;
    if (!in.array(size) || size > most_names) return false;
    for (std::size_t i = 0; i < size; ++i) {
      if (!in.natural(number) || number > most) return false;
      thousandths_[i] = static_cast<std::uint32_t>(number);
    }
    return true;
  }

 private:
  template <class F>
  static Amounts each(const Amounts& a, const Amounts& b, F f) {
    Amounts made;
    for (std::size_t i = 0; i < most_names; ++i)
      made.thousandths_[i] = static_cast<std::uint32_t>(
          f(std::uint64_t{a.thousandths_[i]}, std::uint64_t{b.thousandths_[i]}));
    return made;
  }

  std::array<std::uint32_t, most_names> thousandths_{};
};

}  // namespace rhizome::agents
