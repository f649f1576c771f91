// Effects that a peer keeps back until files have come or gone: work that could begin, messages
// with tasks that could go on, and the ends of work whose output is not yet with its client. A task
// holds its processor meanwhile, as jobs of a batch system do while they are staged in and out.
#pragma once

#include <map>
#include <vector>

#include "core/peer/cargo.hpp"
#include "core/peer/codec.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/time.hpp"
#include "core/peer/work.hpp"

namespace rhizome::agents::files {

// A piece of work with cargo, from its start to its end.
struct HeldWork {
  enum class State { waiting, running, ended };
  core::Cargo cargo;
  State state = State::running;
  core::Work work{};      // the work that waits
  core::Time since{};     // likewise
  double rate = 1;        // likewise
  core::WorkDone done{};  // the end that waits
};

struct HeldPacket {
  core::PacketHeader header;
  core::Bytes payload;
  std::vector<core::Cargo> cargoes;
};

struct Hold {
  std::map<core::WorkId, HeldWork> works;
  std::vector<HeldPacket> packets;  // in the order in which they were sent
};

}  // namespace rhizome::agents::files
