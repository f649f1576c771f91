// The sampler: reads the board of a run and keeps what frames show of it. It only reads, so that it
// does not influence the run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/engine/board.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/frame.hpp"
#include "scenarios/live/rows.hpp"
#include "scenarios/live/view_table.hpp"

namespace rhizome::scenarios::live {

// The tail of a run's facts: the latest facts, for monitors that follow the run.
class FactTail {
 public:
  // Keeps at most `most` facts.
  explicit FactTail(std::size_t most) : most_(most) {}

  void add(LiveFact fact) {
    facts_.push_back(std::move(fact));
    if (facts_.size() <= most_) return;
    facts_.pop_front();
    ++first_;
  }
  // Counts so many facts that are not kept. All earlier facts are dropped as well.
  void pass_over(std::uint64_t facts) {
    if (facts == 0) return;
    first_ += facts_.size() + facts;
    facts_.clear();
  }
  // The facts from number `from` on, at most `most`. From 0: the latest ones.
  [[nodiscard]] FactSlice slice(std::uint64_t from, std::uint32_t most) const;

 private:
  std::size_t most_;
  std::uint64_t first_ = 1;  // the number of the first that is kept
  std::deque<LiveFact> facts_;
};

// Used by one thread at a time.
class RunSampler {
 public:
  // How many facts are read in one go, so that a monitor that connects late to a long run does not
  // stall it.
  static constexpr std::size_t at_once = 400'000;
  static constexpr std::size_t kept_facts = 65'536;
  // The number of facts kept from one sample, the latest ones: as many as a frame can hold. A user
  // cannot follow more.
  static constexpr std::size_t fresh_facts = 4096;
  static constexpr std::size_t all = std::numeric_limits<std::size_t>::max();

  // The board may be read whenever sample() is called.
  explicit RunSampler(const core::Board& board);

  // Reads the board. Changes belong to that frame, whose number is larger than all before. Facts
  // and the rows of peers are kept only while a monitor listens; the totals are counted in any
  // case.
  void sample(std::uint64_t frame, bool listening, std::size_t most_facts = at_once);
  // Also reads the views of overlays, for the same frame. The caller must have told the board that
  // views are wanted.
  void sample_views();

  // The state of the last sample.
  [[nodiscard]] std::uint64_t frame() const { return frame_; }
  [[nodiscard]] core::Time now() const { return now_; }
  [[nodiscard]] const Totals& totals() const { return totals_; }
  // Valid once a monitor has listened.
  [[nodiscard]] const Rows& rows() const { return rows_.value(); }
  // Nothing until views have been read.
  [[nodiscard]] const std::optional<ViewTable>& views() const { return views_; }
  [[nodiscard]] const FactTail& facts() const { return facts_; }
  [[nodiscard]] Moment moment() const {
    return {.at = now_, .sent = totals_.sent, .completed = totals_.tasks.completed};
  }

 private:
  // The state of a peer at the last sample.
  struct Trace {
    core::FactLog::Cursor cursor{};
    core::Incarnation life{};
    core::PeerId above = core::no_peer;
  };
  [[nodiscard]] std::size_t read_facts(core::PeerId peer, bool listening, std::size_t most);
  void take(core::PeerId peer, core::Time at, const core::EncodedFact& fact, bool listening);
  // Keeps the latest of the facts that were read in one go, in order of time.
  void keep_fresh_facts();
  void sample(core::PeerId peer, Totals& totals);

  const core::Board& board_;
  std::uint64_t frame_ = 0;
  core::Time now_{};
  Totals totals_;
  std::optional<Rows> rows_;
  std::optional<ViewTable> views_;
  FactTail facts_{kept_facts};
  struct Fresh {
    core::Time at{};
    std::size_t place = 0;  // among the facts that were read in one go
    core::PeerId peer{};
    std::uint32_t kind = 0;
    std::span<const std::byte> payload{};
  };
  std::vector<Fresh> fresh_;   // facts that were read and are not yet in facts_
  std::uint64_t unheard_ = 0;  // facts that were read while no monitor listened
  std::vector<Trace> traces_;
  std::uint32_t next_reader_ = 0;                      // the peer whose facts are read first
  std::array<std::uint64_t, fact_kinds + 1> noted_{};  // by kind
  core::Tokens tokens_;
};

}  // namespace rhizome::scenarios::live
