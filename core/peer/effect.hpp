// Effects: what a peer wants done. A peer performs nothing itself; engines perform these in order.
#pragma once

#include <any>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/peer/cargo.hpp"
#include "core/peer/codec.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/work.hpp"

namespace rhizome::core {

// A range of the Effects' cargoes: `count` of them from `first` on.
struct CargoSpan {
  std::size_t first = 0;
  std::size_t count = 0;
};

// Put a packet on its way. Its payload is `size` bytes of the Effects' arena from `offset`.
struct Send {
  PacketHeader header;
  std::size_t offset;
  std::size_t size;
  CargoSpan cargo{};  // cargo of the packet's work
};
struct Arm {
  TimerId id;
  Time due;
};
struct Cancel {
  TimerId id;
};
// The spec for its kind is `size` bytes of the Effects' arena from `offset`.
struct StartWork {
  WorkId id;
  WorkKindId kind;
  Duration duration;
  std::uint64_t seed;
  std::size_t offset;
  std::size_t size;
  CargoSpan cargo{};
};
struct StopWork {
  WorkId id;
};
struct PaceWork {
  WorkId id;
  double rate;
};
// The encoded fact is `size` bytes of the Effects' arena from `offset`.
struct Note {
  const FactInfo* info;
  std::size_t offset;
  std::size_t size;
};
// The packet just delivered was refused.
struct Refuse {
  Drop why;
};
// This peer has nothing left to do; a run ends when all living peers have finished.
struct Finish {};
// This peer has nothing left to do unless another peer calls it; other peers keep all their time.
struct FinishPassively {};
// This peer has been called, and is no longer finished.
struct Resume {};
// A peer that is not there is to begin a life. No effect where it is there.
struct Launch {
  PeerId peer;
};
// This peer is gone once the effects of this event have been done, with its timers and its work.
struct Quit {};

using Effect = std::variant<Send, Arm, Cancel, StartWork, StopWork, PaceWork, Note, Refuse, Finish,
                            FinishPassively, Resume, Launch, Quit>;

// The effects of one event, and the bytes that they refer to. Reused from event to event: engines
// keep one per thread, so that peers stay small.
struct Effects {
  std::vector<Effect> list;
  Bytes arena;
  std::vector<Cargo> cargoes{};
  std::optional<std::uint32_t> waiting;  // tasks at the peer, if a service has reported them
  bool details = false;           // whether facts noted on request are wanted; kept by clear()
  Tokens tokens;                  // memory to read the present packet, not an effect
  std::vector<std::any> signals;  // from services to others of the peer; empty between events

  void clear() {
    list.clear();
    arena.clear();
    cargoes.clear();
    waiting.reset();
  }
  // Gives memory back after an event that had thousands of effects. For owners that keep one of
  // these for each of many peers.
  void slim() {
    constexpr std::size_t usual = 256;
    if (list.capacity() <= usual) return;
    std::vector<Effect>().swap(list);
    Bytes().swap(arena);
  }
  [[nodiscard]] Packet packet(const Send& send) const {
    return {send.header, std::span(arena).subspan(send.offset, send.size)};
  }
  [[nodiscard]] Work work(const StartWork& start) const {
    const auto* spec = reinterpret_cast<const char*>(arena.data() + start.offset);
    return {.recipe = {start.kind, std::string(spec, start.size)},
            .duration = start.duration,
            .seed = start.seed};
  }
  [[nodiscard]] std::span<const Cargo> cargo(const CargoSpan& span) const {
    return std::span(cargoes).subspan(span.first, span.count);
  }
  [[nodiscard]] EncodedFact fact(const Note& note) const {
    return {note.info, std::span(arena).subspan(note.offset, note.size)};
  }
};

}  // namespace rhizome::core
