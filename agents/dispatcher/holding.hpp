// A server's books of the tasks handed to it: which peer gave each task, which numbers have come or
// were said to be missing, and which results a giver has not noted yet. A result that the giver has
// not noted for long goes to the source, since the giver may be dead.
#pragma once

#include <cstdint>
#include <map>
#include <set>

#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"

namespace rhizome::agents::dispatching {

class Holding {
 public:
  Holding(Level level, const Options& options, const World& world)
      : level_(level),
        world_(world),
        recovers_(recovers(options, world)),
        patience_(patience_of(options, world)) {}

  // Whether the task is to be done here, and was not already.
  [[nodiscard]] bool accept(Env& env, PeerId from, const Assign& message);
  // A task is done; the result goes to the last peer that gave it, or to the source.
  void done(Env& env, const Product& product, PeerId executor);
  void on(Env& env, PeerId from, const Noted& message);
  void on(Env& env, PeerId from, const Ask& message);
  void on(Env& env, const ResultDue& due);
  [[nodiscard]] bool owes() const { return !owed_.empty(); }
  void stop(Env& env);

 private:
  static constexpr std::uint32_t most_tries = 5;  // our choice, before the source is told

  // Numbers of one life of a giver: all up to `all_until`, and others beyond it.
  struct Numbers {
    std::uint32_t life = 0;
    std::uint64_t all_until = 0;
    std::set<std::uint64_t> beyond;
    // Adds a number; true if it is new.
    bool add(std::uint64_t number);
  };
  struct Origin {
    PeerId giver;
    std::uint32_t life = 0;
    std::uint64_t number = 0;
  };
  struct Owed {
    Origin origin;
    Product product;
    PeerId executor;
    std::uint32_t tries = 0;
  };

  // The numbers of that life; nullptr for a former life.
  Numbers* numbers_of(const Env& env, PeerId giver, std::uint32_t life, std::uint64_t first);
  void send(Env& env, Owed& owed, Cause cause);

  const Level level_;
  const World& world_;
  const bool recovers_;
  const Duration patience_;
  std::map<PeerId, Numbers> numbers_;
  std::map<TaskId, Origin> held_;
  std::map<TaskId, Owed> owed_;
  core::TimerId due_{};
};

}  // namespace rhizome::agents::dispatching
