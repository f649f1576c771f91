// How an engine and the others that run shares of the same run begin together and end together.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>

#include "core/engine/control_messages.hpp"

namespace rhizome::core {

// Another share has failed, or cannot be reached: this one has no result.
class ShareFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What an engine sees of its share at a moment.
struct Sight {
  Time now{};
  Tally tally{};
  bool stop = false;      // somebody asked for it
  std::string failure{};  // why the share cannot go on; empty: it can
};

// Used by the one thread that supervises a share, in the order of these functions.
class Control {
 public:
  using RealTime = std::chrono::steady_clock::time_point;

  Control() = default;
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  virtual ~Control() = default;

  // The peers of this share have been built, or could not be, which is why. Waits for all others.
  // When time is zero; nothing if it never will be, and look() says why.
  [[nodiscard]] virtual std::optional<RealTime> start(const std::string& failure) = 0;
  // The clock of this share, beside that of share 0, as far as is known now.
  struct ClockState {
    std::chrono::nanoseconds gained{0};  // since time zero, more than the other
    std::chrono::nanoseconds bound{
        0};  // what it is ahead of the other is no further from the truth
  };
  [[nodiscard]] virtual ClockState clock() const { return {}; }
  // How the run has ended for all, once it has. Again and again until then.
  [[nodiscard]] virtual std::optional<End> look(const Sight& sight) = 0;
  // The last look may have seen the end, as far as the others agree: no fault is to be handed out.
  [[nodiscard]] virtual bool may_have_ended() const = 0;
  // Nobody of this share puts anything more into its gateway; by share, how much has been put. How
  // much comes in from the others in all, once all have said what they have put for this share;
  // from one that is lost, what had come. Throws ShareFailed where one does not say so. May be
  // called again, because that is less where one is lost meanwhile.
  [[nodiscard]] virtual std::uint64_t close(std::span<const std::uint64_t> handed_over) = 0;
  // Instead of close() where the run has failed: says the same to whoever can be reached, and waits
  // for nobody.
  virtual void abandon(std::span<const std::uint64_t> handed_over) = 0;
};

// When a run is given up if the first peer finished then, and not all do.
[[nodiscard]] Time deadline_of(const EngineSetup& setup, std::optional<Time> first_finish);

// The rules by which a run ends unless everybody has finished or somebody asked.
[[nodiscard]] std::optional<Ending> ended_by_time(const EngineSetup& setup, Time now,
                                                  std::optional<Time> first_finish);

// Of an engine that runs everybody.
class LoneControl final : public Control {
 public:
  // The setup outlives it.
  explicit LoneControl(const EngineSetup& setup) : setup_(setup) {}
  [[nodiscard]] std::optional<RealTime> start(const std::string& failure) override;
  [[nodiscard]] std::optional<End> look(const Sight& sight) override;
  [[nodiscard]] bool may_have_ended() const override { return false; }  // it agrees with itself
  [[nodiscard]] std::uint64_t close(std::span<const std::uint64_t>) override { return 0; }
  void abandon(std::span<const std::uint64_t>) override {}

 private:
  const EngineSetup& setup_;
};

}  // namespace rhizome::core
