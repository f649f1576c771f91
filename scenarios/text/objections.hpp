// Collects all errors in the input of a user, so that they are reported together.
#pragma once

#include <utility>
#include <vector>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

class Objections {
 public:
  // Keeps the InputError that `check` throws, if it does.
  template <class F>
  void attempt(F&& check) {
    try {
      std::forward<F>(check)();
    } catch (const InputError& error) {
      found_.push_back(error);
    }
  }
  // If there are errors, throws one InputError with a line for each, in the order of their places.
  void raise() const;

 private:
  std::vector<InputError> found_;
};

}  // namespace rhizome::scenarios
