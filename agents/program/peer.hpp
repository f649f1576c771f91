// A peer that does what its voice says: it brings the voice every event, and performs what follows.
#pragma once

#include <memory>
#include <optional>

#include "agents/program/options.hpp"
#include "agents/program/voice.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::program {

// Adds the service, and at the source the clients, if any ask. `client` and `world` outlive the
// peer.
void add_peer(core::Peer& peer, std::unique_ptr<Voice> voice,
              const std::optional<ClientOptions>& client, const World& world);

}  // namespace rhizome::agents::program
