// The control of a share: it tells the coordinator what its engine sees, and its engine what the
// coordinator says. That of share 0 has the coordinator in it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/control.hpp"
#include "core/engine/coordinator.hpp"
#include "core/engine/share.hpp"

namespace rhizome::core {

// Carries control messages between shares, however late and in whatever order.
class Post {
 public:
  struct Letter {
    std::uint32_t from = 0;  // share
    Bytes message;
  };

  Post() = default;
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;
  virtual ~Post() = default;

  // Both throw ShareFailed once a share cannot be reached any more.
  virtual void send(std::uint32_t to, const Bytes& message) = 0;
  // The next letter; waits for it so long.
  [[nodiscard]] virtual std::optional<Letter> receive(std::chrono::nanoseconds wait) = 0;
  // The steady clock here less that of share 0.
  [[nodiscard]] virtual std::chrono::nanoseconds clock_offset() const {
    return std::chrono::nanoseconds{0};
  }
};

// In real time. Who waits longer says who is missing, and gives the run up.
struct ControlOptions {
  std::chrono::milliseconds build_within{60'000};  // all peers, since those of one share were
  std::chrono::milliseconds close_within{10'000};  // all shares, since one did
  // From the order to start until time zero. Less, and it may come late at distant shares; more
  // only costs the time.
  std::chrono::milliseconds head_start{20};
};

class SharedControl final : public Control {
 public:
  // The post and the setup outlive it.
  SharedControl(Share share, Post& post, const EngineSetup& setup, ControlOptions options = {});

  [[nodiscard]] std::optional<RealTime> start(const std::string& failure) override;
  [[nodiscard]] std::optional<End> look(const Sight& sight) override;
  [[nodiscard]] bool may_have_ended() const override { return confirmed_.has_value(); }
  [[nodiscard]] std::uint64_t close(std::span<const std::uint64_t> handed_over) override;
  void abandon(std::span<const std::uint64_t> handed_over) override;

 private:
  void begin_once_built();
  void tell(const Sight& sight);
  void coordinate(Time now);
  void tell_border(std::span<const std::uint64_t> handed_over);
  void give_up(Time now, const std::string& why);
  // Hears what has come; waits for the first so long. Throws ShareFailed where it cannot be read,
  // or is of nobody else of the run.
  void hear_all(std::chrono::nanoseconds wait);
  void say(const control::Message& message);    // to share 0
  void order(const control::Message& message);  // to everybody, by share 0

  void hear(std::uint32_t from, const control::Message& message);
  // What share 0 alone may say; from others it counts for nothing.
  void on(std::uint32_t from, const control::Start& start);
  void on(std::uint32_t from, const control::Question& question);
  void on(std::uint32_t from, const control::GoOn& order);
  void on(std::uint32_t from, const control::Ended& ended);
  // What all say to each other.
  void on(std::uint32_t from, const control::Closed& closed);
  // What only the coordinator hears.
  template <class M>
  void on(std::uint32_t, const M&) {}

  const Share share_;
  Post& post_;
  const ControlOptions options_;
  std::optional<Coordinator> coordinator_;
  std::optional<RealTime> start_;
  std::optional<Tally> told_;
  std::uint64_t tallies_ = 0;               // told, in answers or without
  std::optional<std::uint64_t> question_;   // to be answered at the next look
  std::optional<std::uint64_t> confirmed_;  // the one that was answered with yes
  bool said_stop_ = false;
  bool said_failure_ = false;
  std::optional<End> end_;
  std::vector<std::optional<std::uint64_t>> closed_;  // by share: what it has put for this one
};

}  // namespace rhizome::core
