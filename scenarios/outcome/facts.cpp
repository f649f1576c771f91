#include "scenarios/outcome/facts.hpp"

#include <stdexcept>
#include <string>

#include "agents/air_traffic/messages.hpp"
#include "agents/central/messages.hpp"
#include "agents/organic_grid/messages.hpp"
#include "agents/sparrow/messages.hpp"
#include "core/peer/fact_log.hpp"

namespace rhizome::scenarios {

namespace {

template <class Set>
struct AllKnown;
template <class... F>
struct AllKnown<core::OneOf<F...>> : std::bool_constant<(core::one_of<F, KnownFacts> && ...)> {};

static_assert(AllKnown<agents::WorkFacts>::value && AllKnown<agents::grid::Facts>::value &&
                  AllKnown<agents::traffic::Facts>::value &&
                  AllKnown<agents::central::Facts>::value &&
                  AllKnown<agents::sparrow::Facts>::value,
              "whatever a protocol notes has a line in KnownFacts");

// Adds a fact if it is of type F and no earlier type has taken it.
template <class F>
bool add_as(Facts& facts, const FactPlace& place, const core::EncodedFact& encoded,
            core::Tokens& tokens) {
  if (encoded.info != &F::info) return false;
  F fact;
  if (core::decode(encoded.payload, fact, tokens) != core::DecodeError::none)
    throw std::logic_error("a fact " + std::string(F::info.name) + " cannot be read");
  facts.add(place, std::move(fact));
  return true;
}

template <class... F>
void add_any(Facts& facts, const FactPlace& place, const core::EncodedFact& encoded,
             core::Tokens& tokens, const core::OneOf<F...>*) {
  if (!(add_as<F>(facts, place, encoded, tokens) || ...))
    throw std::logic_error("outcomes know no fact " + std::string(encoded.info->name));
}

}  // namespace

std::size_t Facts::size() const {
  std::size_t total = 0;
  for_each_type([&total](auto, const auto& column) { total += column.size(); });
  return total;
}

void Facts::reserve(const std::unordered_map<const core::FactInfo*, std::size_t>& more) {
  const auto make_room = [&more]<class F>(std::vector<Noted<F>>& column) {
    if (const auto found = more.find(&F::info); found != more.end())
      column.reserve(column.size() + found->second);
  };
  std::apply([&](auto&... column) { (make_room(column), ...); }, columns_);
}

void Facts::add(core::PeerId peer, const core::FactLog& log) {
  core::Tokens tokens;
  std::uint32_t number = 0;
  log.for_each([&](core::Time at, const core::EncodedFact& fact) {
    add_any(*this, {at, peer, number++}, fact, tokens, static_cast<const KnownFacts*>(nullptr));
  });
}

void Facts::sort() {
  std::apply(
      [](auto&... column) {
        (std::ranges::sort(column, [](const FactPlace& a, const FactPlace& b) { return a < b; }),
         ...);
      },
      columns_);
}

}  // namespace rhizome::scenarios
