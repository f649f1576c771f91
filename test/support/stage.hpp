// A feed with nothing but what a test lets it show, and monitors that a test speaks through.
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "core/engine/exchange.hpp"
#include "scenarios/live/feed.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/state.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::test {

namespace live = scenarios::live;

// One feed in a directory of its own, and the operations of a test on it. Its patience is long, so
// that only a monitor that has gone loses its place.
struct Stage {
  explicit Stage(std::chrono::milliseconds patience = std::chrono::hours(1))
      : feed(std::in_place, live::Feed::Options{.endpoint = endpoint,
                                                .scenario = "stage",
                                                .runs = 3,
                                                .share = 1,
                                                .least = std::chrono::milliseconds(5),
                                                .patience = patience}) {}
  TemporaryDirectory directory;
  std::string endpoint = "ipc://" + (directory.path() / "feed").string();
  std::optional<live::Feed> feed;
};

// How long a test waits for an answer that is to come, on a machine that does other things.
inline constexpr std::chrono::seconds answer_within{60};

class Monitor {
 public:
  explicit Monitor(const Stage& stage) : exchange_(stage.endpoint) {}
  void say(const live::Request& request) { exchange_.send(live::encode(request)); }
  void babble(const core::Bytes& bytes) { exchange_.send(bytes); }
  // The next answer, which must be of that kind.
  template <class T>
  T hear() {
    const auto bytes = exchange_.receive(answer_within);
    REQUIRE(bytes);
    auto answer = live::decode_answer(*bytes);
    REQUIRE(answer);
    REQUIRE(std::holds_alternative<T>(*answer));
    return std::get<T>(std::move(*answer));
  }
  [[nodiscard]] bool hears_nothing(std::chrono::milliseconds wait) {
    return !exchange_.receive(wait).has_value();
  }
  // Asks once, and takes the answers.
  bool follow(std::optional<std::uint32_t> run = {}, bool views = false) {
    say(state_.next(run, 1000, views));
    return state_.apply(hear<live::Frame>());
  }
  // Asks once, and is shown a frame or refused.
  bool is_shown() {
    say(live::Ask{});
    const auto bytes = exchange_.receive(answer_within);
    const auto answer = bytes ? live::decode_answer(*bytes) : std::nullopt;
    return answer && std::holds_alternative<live::Frame>(*answer);
  }
  [[nodiscard]] const live::State& state() const { return state_; }

 private:
  core::ExchangeClient exchange_;
  live::State state_;
};

}  // namespace rhizome::test
