// Writes the history of one host while it happens: for each entry a byte for its kind, and its
// numbers, which are mostly small. Some 17 bytes an event.
#pragma once

#include <cstdint>
#include <map>

#include "core/history/entry.hpp"
#include "core/history/witness.hpp"
#include "core/peer/codec.hpp"

namespace rhizome::core {

class HistoryWriter;

// Belongs to the thread that runs the host: nothing waits for another but where a piece is full,
// which goes to the writer of the file.
class TrackWriter final : public Witness {
 public:
  // The file outlives it.
  TrackWriter(PeerId host, HistoryWriter& file) : host_(host), file_(file) {}

  // Call it after the last event.
  void close();

  void begins(Time now, const HostEvent& event, const Matter& matter) override;
  void was_void() override;
  void really() override { mark(Mark::real); }
  void wants(const Effects& effects) override;
  [[nodiscard]] Incarnation sees_life(PeerId peer, Incarnation seen) override;
  [[nodiscard]] bool sees_change(bool seen) override;
  [[nodiscard]] double sees_share(double seen) override;

 private:
  static constexpr std::size_t piece = std::size_t{16} << 10U;

  void mark(Mark mark) { bytes_.push_back(static_cast<std::byte>(mark)); }
  void number(std::uint64_t value);
  void fixed(std::uint64_t value, std::size_t bytes);
  void result(const Result& result);

  const PeerId host_;
  HistoryWriter& file_;
  Bytes bytes_;
  std::size_t begun_ = 0;                // where the present event stands
  Time now_{};                           // its time
  Time before_{};                        // time of the entry before
  std::map<PeerId, Incarnation> lives_;  // as it saw them last; without entry the first
};

}  // namespace rhizome::core
