// Policies that know nothing: any server, or each in turn.
#pragma once

#include "agents/dispatcher/policy.hpp"

namespace rhizome::agents::dispatching {

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
