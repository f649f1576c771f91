// The programs of a run, of which each may serve several peers: the first peer that asks for one
// begins it, and it ends with the last peer that has it.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>

#include "core/child/dialogue.hpp"

namespace rhizome::core {

// May be used from several threads.
class Dialogues {
 public:
  // `log` is the beginning of a name, to which each adds its number.
  explicit Dialogues(DialogueOptions options) : options_(std::move(options)) {}

  // The program of that number. Throws std::runtime_error if it cannot be started.
  [[nodiscard]] std::shared_ptr<Dialogue> of(std::size_t number) {
    const std::scoped_lock lock(mutex_);
    std::weak_ptr<Dialogue>& known = running_[number];
    std::shared_ptr<Dialogue> found = known.lock();
    if (!found) {
      DialogueOptions options = options_;
      if (!options.log.empty()) options.log += "-" + std::to_string(number) + ".log";
      known = found = std::make_shared<Dialogue>(options);
    }
    return found;
  }

 private:
  const DialogueOptions options_;
  std::mutex mutex_;
  std::map<std::size_t, std::weak_ptr<Dialogue>> running_;
};

}  // namespace rhizome::core
