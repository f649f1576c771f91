#include "core/engine/packet_store.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "core/peer/codec.hpp"

namespace rhizome::packet_store_test {

namespace {

core::Bytes payload_of(std::size_t size) {
  return core::Bytes(size, static_cast<std::byte>(size % 251));
}

bool holds(const core::Packet& packet, std::uint32_t to, std::size_t size) {
  const core::Bytes expected = payload_of(size);
  return packet.header.to.value == to &&
         std::equal(packet.payload.begin(), packet.payload.end(), expected.begin(), expected.end());
}

}  // namespace

TEST_CASE("a packet keeps its payload, short or long, while many others come and go") {
  core::PacketStore store;
  std::vector<std::uint32_t> slots;
  for (std::uint32_t i = 0; i < 2000; ++i)
    slots.push_back(store.put({.to = core::PeerId{i}}, payload_of(i % 200)));
  for (std::uint32_t i = 0; i < 2000; i += 2) store.release(slots[i]);
  for (std::uint32_t i = 0; i < 2000; i += 2)
    slots[i] = store.put({.to = core::PeerId{i}}, payload_of(i % 300));
  for (std::uint32_t i = 0; i < 2000; ++i)
    CHECK(holds(store.get(slots[i]), i, i % 2 == 0 ? i % 300 : i % 200));
}

TEST_CASE("a packet that is sent on from the store is read where it was, however much it grows") {
  core::PacketStore store;
  const std::uint32_t first = store.put({.to = core::PeerId{1}}, payload_of(20));
  const core::Packet packet = store.get(first);
  for (int i = 0; i < 5000; ++i) {
    const std::uint32_t copy = store.put(packet.header, packet.payload);
    REQUIRE(holds(store.get(copy), 1, 20));
  }
  CHECK(holds(packet, 1, 20));
}

}  // namespace rhizome::packet_store_test
