// A patient store: a results store that another program may lock. While it is locked, outcomes are
// kept in a second store beside it, and are moved once the first can be written again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <utility>

#include "scenarios/store/store.hpp"

namespace rhizome::scenarios {

class PatientStore {
 public:
  // `beside`: the file for waiting outcomes. It must not exist yet.
  PatientStore(Store store, std::filesystem::path beside)
      : store_(std::move(store)), path_(std::move(beside)) {}

  // Throws CannotWrite where neither store can be written.
  void add(const Outcome& outcome);
  // Moves all waiting outcomes to the store. Returns how many must still wait.
  std::size_t settle();

 private:
  Store store_;
  std::filesystem::path path_;
  std::optional<Store> beside_;
};

// Moves waiting outcomes in files that no process writes any more. Throws UnreadableFile while the
// store is locked.
void settle(const std::filesystem::path& store, const std::filesystem::path& beside);

}  // namespace rhizome::scenarios
