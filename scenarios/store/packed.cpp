#include "scenarios/store/packed.hpp"

#include "scenarios/store/store.hpp"
#include "scenarios/text/input_error.hpp"

namespace rhizome::scenarios {

std::vector<std::byte> packed(const Outcome& outcome) {
  Store store = Store::in_memory();
  store.add(outcome);
  return store.image();
}

Outcome unpacked(std::span<const std::byte> bytes) {
  const Store store = Store::of_image(bytes);
  if (store.size() != 1) throw UnreadableFile("what should be one outcome is not one");
  return store.read(0);
}

}  // namespace rhizome::scenarios
