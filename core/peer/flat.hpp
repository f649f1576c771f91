// Sorted maps and sets in one piece of memory each. A peer has many small ones, and of ten thousand
// peers none stays in a cache: what counts is how many places of memory an event has to visit.
#pragma once

#include <deque>
#include <functional>

#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>
#include <boost/container/small_vector.hpp>

namespace rhizome::core {

// Elements are in the order of std::map and std::set. Inserting and erasing moves what lies behind,
// so that values are small, and ends all references and iterators.
template <class Key, class Value>
using FlatMap = boost::container::flat_map<Key, Value>;
// Has room for a few elements in itself.
template <class Key, class Value>
using SmallFlatMap = boost::container::small_flat_map<Key, Value, 4>;
template <class Key>
using FlatSet = boost::container::flat_set<Key>;
// A set that grows at its end and shrinks at its beginning.
template <class Key>
using FlatQueueSet = boost::container::flat_set<Key, std::less<Key>, std::deque<Key>>;

}  // namespace rhizome::core
