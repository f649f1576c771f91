// Access to noted facts, for tests.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/fact_log.hpp"

namespace rhizome::test {

// A fact as it was encoded, kept.
struct KeptFact {
  core::Time at{};
  const core::FactInfo* info = nullptr;
  core::Bytes payload;

  [[nodiscard]] std::string_view name() const { return info->name; }
  template <class F>
  [[nodiscard]] F as() const {
    REQUIRE(info == &F::info);
    F fact{};
    REQUIRE(core::decode(payload, fact) == core::DecodeError::none);
    return fact;
  }
};

inline KeptFact keep(core::Time at, const core::EncodedFact& fact) {
  return {at, fact.info, {fact.payload.begin(), fact.payload.end()}};
}

inline std::vector<KeptFact> facts_of(const core::FactLog& log) {
  std::vector<KeptFact> kept;
  log.for_each(
      [&kept](core::Time at, const core::EncodedFact& fact) { kept.push_back(keep(at, fact)); });
  return kept;
}

// The facts of one type.
template <class F>
std::vector<F> only(const std::vector<KeptFact>& facts) {
  std::vector<F> found;
  for (const KeptFact& fact : facts)
    if (fact.info == &F::info) found.push_back(fact.as<F>());
  return found;
}

// How often a lone peer noted such a fact, for that reason if one is given.
template <class F, class Peer>
std::size_t count_facts(const Peer& peer) {
  return only<F>(peer.facts()).size();
}
template <class F, class Peer>
std::size_t count_facts(const Peer& peer, std::string_view reason) {
  const std::vector<F> facts = only<F>(peer.facts());
  return static_cast<std::size_t>(
      std::count_if(facts.begin(), facts.end(), [&](const F& f) { return f.reason == reason; }));
}

}  // namespace rhizome::test
