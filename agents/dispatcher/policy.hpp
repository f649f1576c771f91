// A policy of a dispatcher: the choice of a server for each task, and the state that it asks for.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agents/dispatcher/fleet.hpp"
#include "agents/dispatcher/messages.hpp"
#include "agents/dispatcher/options.hpp"
#include "core/peer/interface.hpp"

namespace rhizome::agents::dispatching {

struct ServerChoice {
  std::size_t server = 0;      // its place
  std::uint64_t arrivals = 0;  // as it told, for which it was chosen; 0: it was not
};

// Servers are places in a fleet, which outlives it.
class Selector : public core::Interface {
 public:
  virtual void start(Env&) {}
  // Tasks have come to the dispatcher.
  virtual void arrived(Env&, std::size_t) {}
  // The server for one task. Nothing while it waits for answers, or if no server lives.
  [[nodiscard]] virtual std::optional<ServerChoice> choose(Env& env) = 0;
  virtual void on(Env&, std::size_t, const Standing&) {}
  virtual void on(Env&, std::size_t, const Free&) {}
  virtual void on(Env&, const RoundDue&) {}
  virtual void on(Env&, const RenewDue&) {}
  // A server has restarted, without tasks.
  virtual void began(Env&, std::size_t) {}
  // A server is taken for dead.
  virtual void lost(Env&, std::size_t) {}
  virtual void stop(Env&) {}
};

// The best of a list that is not empty; of equals by `better` the first, or a random one.
template <class T, class Better>
[[nodiscard]] const T& best_of(const std::vector<T>& list, Ties ties, core::Rng& rng,
                               Better better) {
  const T* best = &list.front();
  std::uint64_t equals = 1;
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (better(list[i], *best)) {
      best = &list[i];
      equals = 1;
    } else if (ties == Ties::random && !better(*best, list[i]) && rng.below(++equals) == 0) {
      best = &list[i];
    }
  }
  return *best;
}

// Policies that know nothing: any server, or each in turn.
class AnyServer final : public Selector {
 public:
  explicit AnyServer(const Fleet& fleet) : fleet_(fleet) {}
  [[nodiscard]] std::optional<ServerChoice> choose(Env& env) override;

 private:
  const Fleet& fleet_;
};

// The first of several dispatchers begins with the first server, each other one further on, so that
// they do not go in step.
class EachInTurn final : public Selector {
 public:
  EachInTurn(const Fleet& fleet, std::size_t first) : fleet_(fleet), next_(first) {}
  [[nodiscard]] std::optional<ServerChoice> choose(Env& env) override;

 private:
  const Fleet& fleet_;
  std::size_t next_;
};

}  // namespace rhizome::agents::dispatching
