// Reads the history of one host, entry by entry.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>

#include "core/history/entry.hpp"

namespace rhizome::core {

// A track with contents that no writer produces.
class DamagedTrack : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class TrackReader {
 public:
  // The bytes outlive it.
  explicit TrackReader(std::span<const std::byte> bytes) : rest_(bytes) { read_event(); }
  TrackReader(const TrackReader&) = delete;
  TrackReader& operator=(const TrackReader&) = delete;

  // The next event, if one is next: nothing at the end, and where something else is.
  [[nodiscard]] const RecordedEvent* event() const { return event_ ? &*event_ : nullptr; }
  // The time that the peer was told.
  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] bool at_end() const { return !event_ && rest_.empty(); }
  // Leaves that event behind, and comes to what the host saw and wanted then.
  void enter();
  // Moves to the next event. False if another entry comes first.
  [[nodiscard]] bool leave();

  // Each is taken if it is next, and else nothing is.
  [[nodiscard]] std::optional<std::uint32_t> wants();
  [[nodiscard]] bool real() { return take(Mark::real); }
  [[nodiscard]] std::optional<bool> change();
  [[nodiscard]] std::optional<double> share();
  // The recorded life of that peer; nothing if it has not changed since the last one.
  [[nodiscard]] std::optional<Incarnation> life(PeerId peer);

 private:
  void read_event();
  [[nodiscard]] bool next_is(Mark mark) const;
  [[nodiscard]] bool take(Mark mark);
  [[nodiscard]] std::uint64_t number();
  [[nodiscard]] std::uint32_t small();
  [[nodiscard]] std::uint64_t fixed(std::size_t bytes);
  [[nodiscard]] Result read_result();

  std::span<const std::byte> rest_;
  std::optional<RecordedEvent> event_;
  Time now_{};
};

}  // namespace rhizome::core
