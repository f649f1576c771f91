// The description of a message type: its name, its class and its cause. Burdens are counted by
// these three, so no protocol needs counting code.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <variant>

namespace rhizome::core {

// What a message moves (Peterson's dissertation, section 3.1): state, work, or finished work.
enum class MessageClass : std::uint8_t { information, job, result, last = result };

// Why a message was sent: one vocabulary for all protocols, so that bills are comparable.
enum class Cause : std::uint8_t {
  work,         // moving work towards the peer that will run it
  request,      // asking for work
  completion,   // reporting or returning finished work
  join,         // entering a tree, a group or an overlay
  promotion,    // moving a fast peer up
  eviction,     // moving a slow peer down
  departure,    // leaving in good order
  merge,        // two groups becoming one
  split,        // one group becoming two
  election,     // replacing a leader
  heartbeat,    // showing that the sender is alive
  recovery,     // doing again what a crash or a loss undid
  maintenance,  // keeping an overlay in shape
  probe,        // looking for a place to run work
  termination,  // ending the computation
  input,        // bringing the files that work needs
  output,       // bringing the files that work leaves
  inventory,    // agreeing on which peers have which files, and which need them
  last = inventory
};

inline constexpr std::size_t message_classes = static_cast<std::size_t>(MessageClass::last) + 1;
inline constexpr std::size_t causes = static_cast<std::size_t>(Cause::last) + 1;

[[nodiscard]] std::string_view name_of(MessageClass);
[[nodiscard]] std::string_view name_of(Cause);

// The static declaration of a message type.
struct MessageInfo {
  std::string_view name;
  MessageClass message_class;
  Cause cause;  // the usual one; a send may state another
};

// The closed set of a protocol's messages or timers. The wire tag of a message is its position.
template <class... T>
using OneOf = std::variant<T...>;

namespace detail {
template <class T, class Set>
struct Position;
template <class T, class... Rest>
struct Position<T, std::variant<T, Rest...>> : std::integral_constant<std::uint8_t, 0> {};
template <class T, class First, class... Rest>
struct Position<T, std::variant<First, Rest...>>
    : std::integral_constant<std::uint8_t, 1 + Position<T, std::variant<Rest...>>::value> {};
template <class T, class Set>
struct Contains;
template <class T, class... Members>
struct Contains<T, std::variant<Members...>>
    : std::bool_constant<(std::is_same_v<T, Members> || ...)> {};
template <class... Set>
struct JoinedSets;
template <class... A>
struct JoinedSets<OneOf<A...>> {
  using type = OneOf<A...>;
};
template <class... A, class... B, class... Rest>
struct JoinedSets<OneOf<A...>, OneOf<B...>, Rest...> : JoinedSets<OneOf<A..., B...>, Rest...> {};
}  // namespace detail

// Sets of types, one behind the other: so that a set is said once, where its types are.
template <class... Set>
using Joined = typename detail::JoinedSets<Set...>::type;

template <class T, class Set>
concept one_of = detail::Contains<T, Set>::value;

template <class T, class Set>
requires one_of<T, Set>
inline constexpr std::uint8_t position_of = detail::Position<T, Set>::value;

// How many pieces of work or results one message moves: M::units() where it has one, else 1.
template <class M>
[[nodiscard]] std::uint32_t units_of(const M& message) {
  if constexpr (requires { message.units(); }) {
    return static_cast<std::uint32_t>(message.units());
  } else {
    return 1;
  }
}

}  // namespace rhizome::core
