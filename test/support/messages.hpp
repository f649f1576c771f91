// Messages with every kind of field that the codec knows, for tests of the codec.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/env.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::test {

enum class Colour : std::uint8_t { red, green, blue, last = blue };

struct Point {
  std::int32_t x = 0;
  double y = 0;
  friend bool operator==(const Point&, const Point&) = default;
};

// A struct of one field is that field on the wire.
struct Label {
  std::string text;
  friend bool operator==(const Label&, const Label&) = default;
};

struct Scalars {
  static constexpr core::MessageInfo info{"scalars", core::MessageClass::information,
                                          core::Cause::probe};
  std::uint8_t small = 0;
  std::uint64_t large = 0;
  std::int16_t signed_small = 0;
  std::int64_t signed_large = 0;
  double real = 0;
  bool flag = false;
  Colour colour = Colour::red;
  core::Duration duration{0};
  core::Time time{};
  friend bool operator==(const Scalars&, const Scalars&) = default;
};

struct Nested {
  static constexpr core::MessageInfo info{"nested", core::MessageClass::job, core::Cause::work};
  std::string name;
  std::vector<Point> points;
  std::vector<std::vector<std::uint32_t>> rows;
  Label label;
  std::vector<Label> labels;
  std::vector<bool> flags;
  friend bool operator==(const Nested&, const Nested&) = default;
};

struct Nothing {
  static constexpr core::MessageInfo info{"nothing", core::MessageClass::information,
                                          core::Cause::heartbeat};
  friend bool operator==(const Nothing&, const Nothing&) = default;
};

// Counts what reaches it.
class Receiver {
 public:
  using Messages = core::OneOf<Scalars, Nested, Nothing>;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "receiver";

  void start(Env&) {}
  void on(Env&, core::PeerId, const Scalars&) { ++received_; }
  void on(Env&, core::PeerId, const Nested&) { ++received_; }
  void on(Env&, core::PeerId, const Nothing&) { ++received_; }
  [[nodiscard]] std::uint64_t received() const { return received_; }

 private:
  std::uint64_t received_ = 0;
};

}  // namespace rhizome::test
