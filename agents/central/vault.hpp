// The door's store of snapshots, unless that is its own memory: parts of a head's books are stored
// one after the other, and are safe once stored; a new head gets all of them. Operations of a store
// that does not answer are repeated.
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
#include "core/peer/cargo.hpp"

namespace rhizome::agents::central {

class Vault {
 public:
  // `real`: operations are performed; otherwise they only take store_latency. Rules outlive it.
  Vault(const Rules& rules, bool real) : rules_(rules), real_(real) {}

  // Stores a part from the head, unless it is stored or being stored.
  void keep(Env& env, PeerId from, const Relay& part);
  // Reads all records.
  void load(Env& env);

  // A part has been stored; its head gets an acknowledgement.
  struct Kept {
    PeerId from;
    Relay part;
  };
  // Whether the work is one of its operations, and the result of that operation.
  using News = std::variant<std::monostate, Kept, Copy>;
  [[nodiscard]] bool owns(const core::WorkDone& done) const { return running_ == done.id; }
  [[nodiscard]] News on(Env& env, const core::WorkDone& done);
  // Repeats a failed operation.
  void tick(Env& env);
  void stop(Env& env);
  // The reason if the store has not answered for longer than store_patience; otherwise empty.
  [[nodiscard]] std::string given_up(Time now) const;

 private:
  struct Step {
    bool loads = false;
    std::uint64_t number = 0;  // record that is put, or read next
    std::uint64_t until = 0;   // end of the records to be read
    PeerId from;               // the head that sent a part
    Relay part{};
  };
  void begin(Env& env);
  [[nodiscard]] core::Work work_of(const Step& step) const;
  // The reason if the present operation has failed; otherwise empty.
  [[nodiscard]] std::string failure(Time now, const core::WorkDone& done) const;
  [[nodiscard]] News end(const core::WorkDone& done);
  [[nodiscard]] bool is_put(std::uint64_t number, const std::string& record) const;
  [[nodiscard]] bool take(const std::string& record);

  const Rules& rules_;
  const bool real_;
  std::deque<Step> steps_;  // the first is in progress, or has failed
  std::optional<core::WorkId> running_;
  std::optional<Time> failing_since_{};
  Time tried_{};
  std::string reason_;
  std::uint64_t records_ = 0;  // records in the vault, including those still to be put
  bool cleared_ = false;       // records of former runs are removed
  Epoch epoch_ = 0;            // of the latest part, as are its copy and number
  std::uint32_t copy_ = 0;
  std::uint32_t number_ = 0;
  Copy loaded_;
  std::vector<std::string> in_time_;  // records of an emulated store
  std::vector<core::Digest> put_;     // of the records of a real one, which may be a stranger's
};

}  // namespace rhizome::agents::central
