// The store of snapshots as the door uses it. It may belong to a stranger.
#include "agents/central/vault.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

#include "core/peer/codec.hpp"
#include "test/support/scene.hpp"

namespace rhizome::agents::vault_test {

using namespace central;

namespace {

using Scene = test::Scene<Messages, Env>;

// A real store of which the test performs the operations, one after the other.
struct Stored {
  Stored() { rules.options.succession = Succession::lease; }
  Vault::News answer(const std::string& value) {
    const core::WorkId id{0, next++};
    REQUIRE(vault.owns({.id = id}));
    return vault.on(scene.env(), {.id = id, .result = {.value = value}});
  }
  // The vault after a part was kept, and a load has been given that record for it.
  Vault::News loaded(const std::string& record) {
    vault.keep(scene.env(), PeerId{1}, part);
    static_cast<void>(answer(""));  // what former runs have left is removed
    static_cast<void>(answer(""));
    vault.load(scene.env());
    return answer(record);
  }
  static std::string record_of(const Relay& part) {
    core::Bytes bytes;
    core::encode(part, bytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  Scene scene{PeerId{0}};
  Rules rules{};
  Vault vault{rules, true};
  Relay part{.epoch = 1,
             .copy = 1,
             .number = 1,
             .whole = true,
             .last = true,
             .hands = {},
             .added = {},
             .done = {},
             .measured = {}};
  std::uint32_t next = 0;
};

}  // namespace

TEST_CASE("a store gives back what was put there, and nothing else is believed") {
  Stored honest;
  CHECK(std::holds_alternative<Copy>(honest.loaded(Stored::record_of(honest.part))));
  Stored false_store;
  Relay other = false_store.part;
  other.hands = {7};
  CHECK_FALSE(std::holds_alternative<Copy>(false_store.loaded(Stored::record_of(other))));
  CHECK(false_store.vault.given_up(core::Time{std::chrono::hours(1)}).find("was not put there") !=
        std::string::npos);
}

}  // namespace rhizome::agents::vault_test
