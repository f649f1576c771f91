// All that is wrong in what a user wrote, collected so that it is told at once.
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
  // Throws what was kept, if anything: one InputError with a line for each, in the order of the
  // places.
  void raise() const;

 private:
  std::vector<InputError> found_;
};

}  // namespace rhizome::scenarios
