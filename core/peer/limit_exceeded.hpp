#pragma once

#include <stdexcept>

namespace rhizome::core {

// More was asked for than the machine carries; the text says how much, why and the remedy.
class LimitExceeded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace rhizome::core
