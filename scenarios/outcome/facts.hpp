// The facts of a run, by type.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "agents/central/facts.hpp"
#include "agents/dispatcher/facts.hpp"
#include "agents/facts.hpp"
#include "agents/files/messages.hpp"
#include "agents/locator/facts.hpp"
#include "agents/overlay_facts.hpp"
#include "agents/program/facts.hpp"
#include "agents/provision/facts.hpp"
#include "agents/sparrow/facts.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/message.hpp"
#include "overlay/failure_detector.hpp"

namespace rhizome::core {
class FactLog;
}

namespace rhizome::scenarios {

// Every fact that an outcome can hold; each is a table of the store. Facts that several schedulers
// note stand here, others in the list of the scheduler that notes them.
using KnownFacts =
    core::Joined<core::OneOf<agents::JobSubmitted, agents::TaskSubmitted, agents::TaskStarted,
                             agents::TaskExecuted, agents::TaskCompleted, agents::TaskDuplicate,
                             agents::TaskReissued, agents::JobCompleted, agents::ParentChanged,
                             agents::GroupChanged, agents::LeadersLinked, agents::RunFailed,
                             agents::LinkHeld, agents::NeighboursRight, agents::ViewBroken>,
                 agents::sparrow::OwnFacts, overlay::FailureDetector::Facts,
                 core::OneOf<agents::TaskHanded, agents::TaskComputed>, agents::files::Facts,
                 core::OneOf<agents::GraphSubmitted>, agents::locator::Facts,
                 core::OneOf<agents::TasksAdded, agents::ServiceLost>,
                 agents::dispatching::OwnFacts, agents::central::OwnFacts,
                 agents::provision::OwnFacts, agents::program::OwnFacts>;

// The place of a fact among all facts of a run: ordered by time, then by peer, and for one peer in
// the order in which it noted them.
struct FactPlace {
  core::Time at{};
  core::PeerId peer{};
  std::uint32_t number = 0;  // among this peer's facts
  friend auto operator<=>(const FactPlace&, const FactPlace&) = default;
};

template <class F>
struct Noted : FactPlace {
  F fact;
  friend bool operator==(const Noted&, const Noted&) = default;
};

namespace detail {
template <class... F>
using Columns = std::tuple<std::vector<Noted<F>>...>;
template <class Set>
struct ColumnsOf;
template <class... F>
struct ColumnsOf<core::OneOf<F...>> {
  using type = Columns<F...>;
};
}  // namespace detail

class Facts {
 public:
  // The facts of one type, in order.
  template <core::one_of<KnownFacts> F>
  [[nodiscard]] const std::vector<Noted<F>>& of() const {
    return std::get<std::vector<Noted<F>>>(columns_);
  }
  template <core::one_of<KnownFacts> F>
  [[nodiscard]] bool any() const {
    return !of<F>().empty();
  }
  [[nodiscard]] std::size_t size() const;

  // Calls f(type, column) with each column; the type is a std::type_identity.
  template <class F>
  void for_each_type(F&& f) const {
    std::apply(
        [&f]<class... T>(const std::vector<Noted<T>>&... column) {
          (f(std::type_identity<T>{}, column), ...);
        },
        columns_);
  }

  // Calls f(noted) with all facts of these types in order; false from f ends it.
  template <core::one_of<KnownFacts>... F, class Visitor>
  void in_order(Visitor&& f) const;
  // The same for a set of types.
  template <class Set, class Visitor>
  void in_order_of(Visitor&& f) const {
    list_in_order(f, static_cast<const Set*>(nullptr));
  }

  // Reserves room for so many more of each type: growing without it copies the facts, and takes
  // twice the memory.
  void reserve(const std::unordered_map<const core::FactInfo*, std::size_t>& more);
  // Facts are added in any order, and sorted once.
  template <core::one_of<KnownFacts> F>
  void add(const FactPlace& place, F fact) {
    std::get<std::vector<Noted<F>>>(columns_).push_back({place, std::move(fact)});
  }
  // Throws std::logic_error for a fact of another type, or one that does not decode as its type.
  void add(core::PeerId peer, const core::FactLog& log);
  void sort();

  friend bool operator==(const Facts&, const Facts&) = default;

 private:
  template <class Visitor, class... F>
  void list_in_order(Visitor& f, const core::OneOf<F...>*) const {
    in_order<F...>(f);
  }

  detail::ColumnsOf<KnownFacts>::type columns_;
};

template <core::one_of<KnownFacts>... F, class Visitor>
void Facts::in_order(Visitor&& f) const {
  constexpr std::size_t types = sizeof...(F);
  const std::tuple<const std::vector<Noted<F>>&...> columns{of<F>()...};
  std::array<std::size_t, types> next{};
  for (;;) {
    std::size_t first = types;
    const FactPlace* earliest = nullptr;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto look = [&](std::size_t i, const auto& column) {
        if (next[i] == column.size()) return;
        const FactPlace& place = column[next[i]];
        if (earliest != nullptr && *earliest <= place) return;
        earliest = &place;
        first = i;
      };
      (look(I, std::get<I>(columns)), ...);
    }
    (std::index_sequence_for<F...>{});
    if (earliest == nullptr) return;
    bool going = true;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      const auto visit = [&](const auto& noted) {
        if constexpr (std::is_same_v<decltype(f(noted)), bool>) {
          going = f(noted);
        } else {
          f(noted);
        }
      };
      (static_cast<void>(I == first ? (visit(std::get<I>(columns)[next[I]]), 0) : 0), ...);
    }
    (std::index_sequence_for<F...>{});
    if (!going) return;
    ++next[first];
  }
}

}  // namespace rhizome::scenarios
