// A patient store: a results store that another program may lock. From then on outcomes are kept in
// a store of their own beside it, and go over once it can be written again.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <utility>

#include "scenarios/store/store.hpp"

namespace rhizome::scenarios {

class PatientStore {
 public:
  // `beside`: the file for what waits; there is none yet.
  PatientStore(Store store, std::filesystem::path beside)
      : store_(std::move(store)), path_(std::move(beside)) {}

  // Throws CannotWrite where neither can be written.
  void add(const Outcome& outcome);
  // Lets all that waits go over, and returns how many outcomes still cannot.
  std::size_t settle();

 private:
  Store store_;
  std::filesystem::path path_;
  std::optional<Store> beside_;
};

// The same for files that nobody writes any more. Throws UnreadableFile while there is a lock.
void settle(const std::filesystem::path& store, const std::filesystem::path& beside);

}  // namespace rhizome::scenarios
