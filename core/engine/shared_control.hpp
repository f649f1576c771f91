// The control of a share: it reports to the coordinator what its engine sees, and tells its engine
// what the coordinator decides. The control of share 0 has the coordinator in it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/control.hpp"
#include "core/engine/coordinator.hpp"
#include "core/engine/share.hpp"
#include "core/peer/interface.hpp"

namespace rhizome::core {

// Carries control messages between shares, however late and in whatever order.
class Post : public Interface {
 public:
  struct Letter {
    std::uint32_t from = 0;  // share
    Bytes message;
  };

  // A share that is lost, and from which nothing comes any more.
  struct Gone {
    std::string why;              // "process 1 on h1 is lost: its connection broke"
    std::uint64_t came_from = 0;  // packets and lives that had come from it
  };

  // send() and receive() throw ShareFailed where the post cannot go on. Messages to a share that is
  // gone are dropped.
  virtual void send(std::uint32_t to, const Bytes& message) = 0;
  // The next letter; waits for it at most that long.
  [[nodiscard]] virtual std::optional<Letter> receive(std::chrono::nanoseconds wait) = 0;
  // The steady clock here minus that of share 0, as far as is known now.
  [[nodiscard]] virtual std::chrono::nanoseconds clock_offset() const {
    return std::chrono::nanoseconds{0};
  }
  // The largest error of clock_offset().
  [[nodiscard]] virtual std::chrono::nanoseconds clock_bound() const {
    return std::chrono::nanoseconds{0};
  }
  // Nothing while the share is there.
  [[nodiscard]] virtual std::optional<Gone> gone(std::uint32_t /*share*/) const { return {}; }
};

// Time-outs in real time. A share that waits longer reports which shares are missing, and gives the
// run up.
struct ControlOptions {
  std::chrono::milliseconds build_within{60'000};  // all peers, since those of one share were built
  std::chrono::milliseconds close_within{10'000};  // all shares, since one has closed
  // The time from the order to start until time zero. With less, the order may come late at distant
  // shares; more only costs the time.
  std::chrono::milliseconds head_start{20};
  // How the other shares react if one is lost during the run. False: all its peers have crashed.
  // True: the run ends, as if a user had interrupted it.
  bool end_on_loss = false;
};

class SharedControl final : public Control {
 public:
  // The post and the setup outlive it.
  SharedControl(Share share, Post& post, const EngineSetup& setup, ControlOptions options = {});

  [[nodiscard]] std::optional<RealTime> start(const std::string& failure) override;
  [[nodiscard]] ClockState clock() const override;
  [[nodiscard]] std::optional<End> look(const Sight& sight) override;
  [[nodiscard]] bool may_have_ended() const override { return confirmed_.has_value(); }
  [[nodiscard]] std::uint64_t close(std::span<const std::uint64_t> handed_over) override;
  void abandon(std::span<const std::uint64_t> handed_over) override;
  // When time was zero, once that has been agreed upon.
  [[nodiscard]] std::optional<RealTime> begun() const { return start_; }

  // Messages that other shares send aside go to the listener, in the thread that supervises. To be
  // called before start().
  using Listener = std::function<void(std::uint32_t from, const Bytes& said)>;
  void on_aside(Listener listener) { listener_ = std::move(listener); }
  // After close(): takes messages beside the run, for that long. False if no more will come.
  [[nodiscard]] bool listen(std::chrono::nanoseconds wait);

 private:
  // Stops waiting for shares that are gone. Throws ShareFailed where share 0 is gone, or time has
  // not begun.
  void count_out_the_gone();
  void begin_once_built();
  void tell(const Sight& sight);
  void coordinate(Time now);
  // Nothing where the share has not closed yet.
  [[nodiscard]] std::optional<std::uint64_t> coming_from(std::uint32_t share) const;
  void tell_border(std::span<const std::uint64_t> handed_over);
  void give_up(Time now, const std::string& why);
  // Handles the messages that have come; waits that long for the first. Throws ShareFailed where a
  // message cannot be read, or comes from no other share of the run.
  void hear_all(std::chrono::nanoseconds wait);
  void say(const control::Message& message);    // to share 0
  void order(const control::Message& message);  // to all shares, by share 0

  void hear(std::uint32_t from, const control::Message& message);
  // Messages that share 0 alone may send; from others they are ignored.
  void on(std::uint32_t from, const control::Start& start);
  void on(std::uint32_t from, const control::Question& question);
  void on(std::uint32_t from, const control::GoOn& order);
  void on(std::uint32_t from, const control::Ended& ended);
  // Messages that all shares send to each other.
  void on(std::uint32_t from, const control::Closed& closed);
  void on(std::uint32_t from, const control::Aside& aside);
  // Messages that only the coordinator handles.
  template <class M>
  void on(std::uint32_t, const M&) {}

  const Share share_;
  Post& post_;
  const ControlOptions options_;
  Listener listener_;
  std::optional<Coordinator> coordinator_;
  std::vector<bool> gone_;  // by share
  std::optional<RealTime> start_;
  std::chrono::nanoseconds clock_at_start_{0};  // difference to share 0, as far as was known
  std::optional<Tally> told_;
  std::uint64_t tallies_ = 0;               // sent, in answers or alone
  std::optional<std::uint64_t> question_;   // to be answered at the next look
  std::optional<std::uint64_t> confirmed_;  // the question that was answered with yes
  bool said_stop_ = false;
  bool said_failure_ = false;
  bool said_closed_ = false;
  std::optional<End> end_;
  std::vector<std::optional<std::uint64_t>> closed_;  // by share: packets it has sent here
};

}  // namespace rhizome::core
