// Collects all errors in the input of a user, so that they are reported together.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

class Objections {
 public:
  // Keeps the InputError that `check` throws, if it does. Throws all of them where they become so
  // many that a file consists of nothing else: each costs a search for what was meant.
  template <class F>
  void attempt(F&& check) {
    try {
      std::forward<F>(check)();
    } catch (const InputError& error) {
      found_.push_back(error);
    }
    if (found_.size() == most_found) raise();
  }
  // If there are errors, throws one InputError with a line for each, in the order of their places.
  void raise() const;

  static constexpr std::size_t most_found = 1000;

 private:
  std::vector<InputError> found_;
};

}  // namespace rhizome::scenarios
