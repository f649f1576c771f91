#include "scenarios/store/patient_store.hpp"

#include <string>

#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

namespace fs = std::filesystem;

// Outcomes keep their order: once one waits, all later ones wait, too.
void PatientStore::add(const Outcome& outcome) {
  if (!beside_) {
    try {
      store_.add(outcome);
      return;
    } catch (const StoreLocked&) {
      beside_ = Store::create(path_);
    }
  }
  beside_->add(outcome);
}

std::size_t PatientStore::settle() {
  if (!beside_) return 0;
  try {
    store_.add_all(*beside_);
  } catch (const StoreLocked&) {
    return beside_->size();
  }
  beside_.reset();
  fs::remove(path_);
  return 0;
}

void settle(const fs::path& store, const fs::path& beside) try {
  Store::append(store).add_all(Store::open(beside));
  fs::remove(beside);
} catch (const StoreLocked& error) {
  throw UnreadableFile(std::string(error.what()) + "; outcomes of it wait in " + beside.string());
}

}  // namespace rhizome::scenarios
