// The state of a run as a monitor knows it. It takes in frames, and gives what the monitor shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "core/peer/ids.hpp"
#include "scenarios/live/frame.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/rows.hpp"
#include "scenarios/live/view_table.hpp"

namespace rhizome::scenarios::live {

class State {
 public:
  static constexpr std::size_t kept_facts = 10'000;
  static constexpr std::size_t kept_moments = 10'000;

  // Takes a frame in, in a time that follows the length of the frame, however many peers there are:
  // a stranger's recording may hold many short frames. Returns false where the frame does not
  // follow the known state or is malformed. The state is then forgotten, and the next request asks
  // for everything.
  bool apply(const Frame& frame);

  // The next request. `run`: the wanted run; `most_facts`: how many facts the monitor can take;
  // `views`: whether it wants the views of overlays.
  [[nodiscard]] Ask next(std::optional<std::uint32_t> run, std::uint32_t most_facts,
                         bool views = false) const;

  [[nodiscard]] bool empty() const { return frame_.number == 0; }
  // The latest frame without rows, facts and past, for which there are functions below.
  [[nodiscard]] const Frame& frame() const { return frame_; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  // Nothing unless the latest frame had views.
  [[nodiscard]] const std::optional<ViewTable>& views() const { return views_; }
  // The peers whose rows the latest frame changed, ascending.
  [[nodiscard]] const std::vector<core::PeerId>& changed() const { return changed_; }
  // Messages that a peer sent and received in a second of emulated time, between the two latest
  // frames.
  struct Rate {
    double sent = 0;
    double received = 0;
    friend bool operator==(const Rate&, const Rate&) = default;
  };
  [[nodiscard]] Rate rate(core::PeerId peer) const;
  // The latest facts, in the order in which they came. missed() counts the facts that did not come.
  [[nodiscard]] const std::deque<LiveFact>& facts() const { return facts_; }
  [[nodiscard]] std::uint64_t missed() const { return missed_; }
  // Ascending by time: the past that the run sent, and the moments seen since.
  [[nodiscard]] const std::deque<Moment>& moments() const { return moments_; }

  // A hash of what every monitor with this frame knows, whenever the monitor connected. It tells
  // different states apart.
  [[nodiscard]] std::uint64_t fingerprint() const;
  // The present as one frame that needs no other before it, with the past but without facts.
  [[nodiscard]] Frame whole_frame() const;
  // About how much memory the state takes.
  [[nodiscard]] std::size_t bytes() const;
  friend bool operator==(const State&, const State&) = default;

 private:
  using PeerRate = std::pair<core::PeerId, Rate>;

  void begin(const Frame& frame);
  [[nodiscard]] bool take_views(const Frame& frame);
  void reckon_rates(const ChangedRows& changed, core::Duration passed);
  void keep(const Frame& frame);

  Frame frame_;
  std::vector<Row> rows_;
  std::optional<ViewTable> views_;
  std::vector<core::PeerId> changed_;
  std::vector<PeerRate> rates_;  // ascending, without peers that did nothing
  std::deque<LiveFact> facts_;
  std::uint64_t next_fact_ = 0;
  std::uint64_t missed_ = 0;
  std::deque<Moment> moments_;
};

}  // namespace rhizome::scenarios::live
