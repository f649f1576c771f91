// Where the keys of a scenario were written, for errors that show only when its world is made.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

// Copies share one list.
class KeyPositions {
 public:
  KeyPositions() = default;
  // By path, such as "faults.crash_share", "faults.mass#0.share" and "scheduler#1.use".
  explicit KeyPositions(std::map<std::string, Position> keys)
      : keys_(std::make_shared<const std::map<std::string, Position>>(std::move(keys))) {}

  // The position of a key, or of the first key of a table, as written; the beginning of `file` if
  // there is none.
  [[nodiscard]] Position of(const std::string& path, const std::string& file) const;

 private:
  std::shared_ptr<const std::map<std::string, Position>> keys_{};
};

}  // namespace rhizome::scenarios
