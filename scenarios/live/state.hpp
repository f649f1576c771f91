// The state of a run as a monitor knows it: frames go in, and what is shown comes out.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "core/peer/ids.hpp"
#include "scenarios/live/frame.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/view_table.hpp"

namespace rhizome::scenarios::live {

class State {
 public:
  static constexpr std::size_t kept_facts = 10'000;
  static constexpr std::size_t kept_moments = 10'000;

  // Takes a frame in. False where it does not follow what is known, or is not sound: it is
  // forgotten and the next ask is for all.
  bool apply(const Frame& frame);

  // What to ask for next; `run` is the one wanted, `most_facts` what the monitor can take, `views`
  // whether it wants those of overlays.
  [[nodiscard]] Ask next(std::optional<std::uint32_t> run, std::uint32_t most_facts,
                         bool views = false) const;

  [[nodiscard]] bool empty() const { return frame_.number == 0; }
  // All but rows, facts and past, which are below.
  [[nodiscard]] const Frame& frame() const { return frame_; }
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  // Nothing unless the latest frame told of them.
  [[nodiscard]] const std::optional<ViewTable>& views() const { return views_; }
  // Whose rows the latest frame changed, ascending.
  [[nodiscard]] const std::vector<core::PeerId>& changed() const { return changed_; }
  // Messages that a peer sent and received in a second of emulated time, between the two latest
  // frames.
  struct Rate {
    double sent = 0;
    double received = 0;
    friend bool operator==(const Rate&, const Rate&) = default;
  };
  [[nodiscard]] Rate rate(core::PeerId peer) const { return rates_[peer.value]; }
  // The latest of the facts, in the order in which they came; and how many were missed.
  [[nodiscard]] const std::deque<LiveFact>& facts() const { return facts_; }
  [[nodiscard]] std::uint64_t missed() const { return missed_; }
  // Ascending by time: the past that the run told, and what was seen since.
  [[nodiscard]] const std::deque<Moment>& moments() const { return moments_; }

  // Of what every monitor knows that has this frame, whenever it came: by it two can be told apart.
  [[nodiscard]] std::uint64_t fingerprint() const;
  // The present as one frame that needs no other before it, with the past but without facts.
  [[nodiscard]] Frame whole_frame() const;
  // About how much memory it takes.
  [[nodiscard]] std::size_t bytes() const;
  friend bool operator==(const State&, const State&) = default;

 private:
  void begin(const Frame& frame);
  [[nodiscard]] bool take_views(const Frame& frame);
  void reckon_rates(const std::vector<Row>& before, core::Duration passed);
  void keep(const Frame& frame);

  Frame frame_;
  std::vector<Row> rows_;
  std::optional<ViewTable> views_;
  std::vector<core::PeerId> changed_;
  std::vector<Rate> rates_;
  std::deque<LiveFact> facts_;
  std::uint64_t next_fact_ = 0;
  std::uint64_t missed_ = 0;
  std::deque<Moment> moments_;
};

}  // namespace rhizome::scenarios::live
