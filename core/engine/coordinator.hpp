// Decides for all shares of a run when it begins and how it ends: a value without I/O, which is
// told by messages. It sits beside share 0.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/control_messages.hpp"

namespace rhizome::core {

// A run has ended as finished if at one moment all living peers had finished. Shares send their
// tallies, each of its own moment, so tallies that add up prove nothing: peer A may finish in one
// share and be reported, be called back by peer B of another share, and B finish and be reported
// while the news of A's waking is under way. So, once the last tallies add up, the coordinator asks
// whether they still hold, and believes it when every answer says that its share has finished, with
// as many wakings as its tally named. Each share had then finished all the time from its tally to
// its answer (see Census::tally). All tallies had come when the question was asked, and all answers
// were given after it: at that moment all peers had finished, whatever was under way. This needs no
// order between messages, and holds however late they are. A later message of a share may overtake
// an earlier one, answers included; so tallies have numbers, and the next question is about the one
// with the largest. Otherwise an old tally could stand for good, because shares only report
// changes.
class Coordinator {
 public:
  // The setup outlives it.
  Coordinator(std::uint32_t shares, const EngineSetup& setup) : setup_(setup), members_(shares) {}

  // Marks a share as lost: the run goes on without it, if it has begun.
  void lose(std::uint32_t share);
  // Throws ShareFailed where the run has no such share.
  void hear(std::uint32_t share, const control::Message& message);
  // What all shares are to be told now, by the clock of share 0; nothing once they know the end.
  [[nodiscard]] std::optional<control::Message> look(Time now);

  // Whether all shares are built, or one of them has failed.
  [[nodiscard]] bool all_are_built() const;
  [[nodiscard]] bool failed() const { return !failure_.empty(); }
  // The shares that have not said that they are built: "share 2, share 5".
  [[nodiscard]] std::string missing() const;

 private:
  struct Member {
    bool lost = false;
    bool built = false;
    std::optional<Tally> told{};  // the youngest tally, by its number
    std::uint64_t number = 0;
    Tally asked{};                  // the tally that the last question was about
    std::optional<Tally> answer{};  // to the last question
  };

  void on(std::uint32_t share, const control::Built& built);
  void on(std::uint32_t share, const control::Told& told);
  void on(std::uint32_t share, const control::Answer& answer);
  void on(std::uint32_t share, const control::Halt& halt);
  // Messages that only shares handle.
  template <class M>
  void on(std::uint32_t, const M&) {}

  template <class Rule>
  [[nodiscard]] bool all(Rule rule) const;
  static void keep(Member& member, std::uint64_t number, const Tally& tally);
  void fail(std::uint32_t share, const std::string& why);
  [[nodiscard]] bool seem_finished() const;
  void ask();
  [[nodiscard]] bool have_answered() const;
  [[nodiscard]] bool confirm() const;
  void forget_answers();
  [[nodiscard]] std::optional<Ending> ending(Time now) const;
  [[nodiscard]] std::optional<Time> first_finish() const;

  const EngineSetup& setup_;
  std::vector<Member> members_;  // by share
  std::uint64_t question_ = 0;   // the last one
  bool asking_ = false;
  bool halted_ = false;
  std::string failure_;
  bool ended_ = false;
};

}  // namespace rhizome::core
