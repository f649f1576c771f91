// A vector with room for a few elements in itself, which saves a memory access.
#pragma once

#include <cstddef>

#include <boost/container/small_vector.hpp>

namespace rhizome::core {

template <class Item, std::size_t few>
using SmallVector = boost::container::small_vector<Item, few>;

}  // namespace rhizome::core
