// Routes events to the parts of a protocol. A part lists the types that it takes beside its
// handlers, in
//   using Messages, Timers or Signals = OneOf<…>
// and it is routed by these lists alone, never by which overload happens to exist: a type that no
// part lists, or that two parts list, does not compile.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>
#include <variant>

#include "core/peer/message.hpp"

namespace rhizome::agents {

namespace detail {

template <class Part, class T>
consteval bool lists() {
  bool listed = false;
  if constexpr (requires { typename Part::Messages; })
    listed = listed || core::one_of<T, typename Part::Messages>;
  if constexpr (requires { typename Part::Timers; })
    listed = listed || core::one_of<T, typename Part::Timers>;
  if constexpr (requires { typename Part::Signals; })
    listed = listed || core::one_of<T, typename Part::Signals>;
  return listed;
}

template <class Set, class List>
struct Except;
template <class... T, class List>
struct Except<std::variant<T...>, List> {
  using type =
      core::Joined<core::OneOf<>,
                   std::conditional_t<core::one_of<T, List>, core::OneOf<>, core::OneOf<T>>...>;
};

// Hands the event over if the part exists and lists it.
template <class T, class Part, class Hand>
void hand_to(Part* part, Hand& hand) {
  if constexpr (lists<Part, T>())
    if (part != nullptr) hand(*part);
}

}  // namespace detail

// A set without the listed types.
template <class Set, class List>
using Without = typename detail::Except<Set, List>::type;

// How many of the parts list T.
template <class T, class... Part>
inline constexpr std::size_t takers = (std::size_t{detail::lists<Part, T>()} + ... + 0);

// A part for the protocol itself: for each type of the list, `on` calls the given function.
template <class List, class F>
struct Itself {
  using Messages = List;
  F handle;
  template <class... Context>
  void on(Context&&... context) {
    handle(std::forward<Context>(context)...);
  }
};
template <class List, class F>
[[nodiscard]] Itself<List, F> itself(F handle) {
  return {std::move(handle)};
}

// Calls `hand` with the one part that lists the event, unless that part is absent now (null).
template <class T, class Hand, class... Part>
void route(const T&, Hand hand, Part*... parts) {
  static_assert(takers<T, Part...> != 0, "no part lists this message, timer or signal");
  static_assert(takers<T, Part...> <= 1, "two parts list this message, timer or signal");
  (detail::hand_to<T>(parts, hand), ...);
}

// The same for the parts of one role among several: an event that no part of this role lists is for
// another role, and is ignored.
template <class T, class Hand, class... Part>
void offer(const T&, Hand hand, Part*... parts) {
  static_assert(takers<T, Part...> <= 1, "two parts of a role list this message, timer or signal");
  (detail::hand_to<T>(parts, hand), ...);
}

// Calls `hand` with every part that lists a signal, in this order: signals are for all.
template <class T, class Hand, class... Part>
void tell(const T&, Hand hand, Part*... parts) {
  static_assert(takers<T, Part...> != 0, "no part lists this signal");
  (detail::hand_to<T>(parts, hand), ...);
}

}  // namespace rhizome::agents
