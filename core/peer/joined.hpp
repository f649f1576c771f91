// Sets of types, one behind the other: so that a set is said once, where its types are.
#pragma once

#include "core/peer/message.hpp"

namespace rhizome::core {

namespace detail {
template <class... Set>
struct JoinedSets;
template <class... A>
struct JoinedSets<OneOf<A...>> {
  using type = OneOf<A...>;
};
template <class... A, class... B, class... Rest>
struct JoinedSets<OneOf<A...>, OneOf<B...>, Rest...> : JoinedSets<OneOf<A..., B...>, Rest...> {};
}  // namespace detail

template <class... Set>
using Joined = typename detail::JoinedSets<Set...>::type;

}  // namespace rhizome::core
