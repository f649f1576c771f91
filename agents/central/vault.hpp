// The door's store of snapshots, where that is not its own memory: parts of a head's books are put
// there one after the other, and count once they are; and all of them are read from there for a new
// head. A store that does not answer is asked again.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agents/central/books.hpp"
#include "agents/central/messages.hpp"
#include "agents/central/rules.hpp"

namespace rhizome::agents::central {

class Vault {
 public:
  // `real`: operations are really done, and not only take their time. Rules outlive it.
  Vault(const Rules& rules, bool real) : rules_(rules), real_(real) {}

  // Stores a part that the head has sent, unless it is there or on its way there.
  void keep(Env& env, PeerId from, const Relay& part);
  // Reads all that is there.
  void load(Env& env);

  // A part is stored, and its head is to be told.
  struct Kept {
    PeerId from;
    Relay part;
  };
  // Whether the work was its own, and what has come of it.
  using News = std::variant<std::monostate, Kept, Copy>;
  [[nodiscard]] bool owns(const core::WorkDone& done) const { return running_ == done.id; }
  [[nodiscard]] News on(Env& env, const core::WorkDone& done);
  // What failed, once more.
  void tick(Env& env);
  void stop(Env& env);
  // Why the store is given up: it has not answered for longer than is borne. Empty while it is not.
  [[nodiscard]] std::string given_up(Time now) const;

 private:
  struct Step {
    bool loads = false;
    std::uint64_t number = 0;  // of the record that is put, or read next
    std::uint64_t until = 0;   // of records to be read
    PeerId from;               // of a part: the head
    Relay part{};
  };
  void begin(Env& env);
  [[nodiscard]] core::Work work_of(const Step& step) const;
  // Why the present operation has failed; empty if it has not.
  [[nodiscard]] std::string failure(Time now, const core::WorkDone& done) const;
  [[nodiscard]] News end(const core::WorkDone& done);
  [[nodiscard]] bool take(const std::string& record);

  const Rules& rules_;
  const bool real_;
  std::deque<Step> steps_;  // the first is under way, or has failed
  std::optional<core::WorkId> running_;
  std::optional<Time> failing_since_{};
  Time tried_{};
  std::string reason_;
  std::uint64_t records_ = 0;  // put, or to be put
  bool cleared_ = false;       // of what another run has left there
  Epoch epoch_ = 0;            // of the part that came last, its copy and its number
  std::uint32_t copy_ = 0;
  std::uint32_t number_ = 0;
  Copy loaded_;
  std::vector<std::string> in_time_;  // the records of a store that only takes time
};

}  // namespace rhizome::agents::central
