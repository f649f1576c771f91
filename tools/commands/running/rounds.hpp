// Running a tournament in rounds: every contest as often as its intervals ask for.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/peer/time.hpp"
#include "scenarios/format/scenario.hpp"
#include "tools/commands/running/commentary.hpp"
#include "tools/commands/running/run_writer.hpp"
#include "tools/compare/figures.hpp"
#include "tools/tournament/archive.hpp"
#include "tools/tournament/tournament.hpp"

namespace rhizome::tools {

// One cell, and its runs so far.
class TournamentCell {
 public:
  // Begins with the runs that the archive holds, if there is one. The archive outlives the stage,
  // as does the run writer, which gets all outcomes.
  TournamentCell(const scenarios::Cell& cell, Archive* archive, RunWriter& run_writer);

  [[nodiscard]] std::uint32_t done() const { return done_; }
  [[nodiscard]] const std::vector<RunFigures>& runs() const { return runs_; }
  [[nodiscard]] const scenarios::Scenario& scenario() const { return cell_.scenario; }
  // Real time of a repetition, as far as this call has seen.
  [[nodiscard]] core::Duration cost() const;
  // False when interrupted.
  bool run_to(std::uint32_t repetitions, Commentary& commentary);
  void remark(const std::string& text) { run_writer_->remark(text); }

 private:
  scenarios::Cell cell_;
  Archive* archive_;
  RunWriter* run_writer_;
  std::uint32_t done_ = 0;
  std::uint32_t done_here_ = 0;  // in this call
  core::Duration spent_{0};
  std::vector<RunFigures> runs_;
};

struct RoundLimits {
  double width = 0.05;  // half of an interval, as a share
  std::uint32_t most = 100;
  std::optional<core::Duration> budget{};
};

class Rounds {
 public:
  // `across`: whether there is to be an overall ranking.
  Rounds(std::vector<TournamentCell> stages, const scenarios::Metric& metric,
         const RoundLimits& limits, bool across, bool quiet);

  // False when interrupted.
  bool run();
  [[nodiscard]] Tournament result() const;

 private:
  [[nodiscard]] bool run_to(TournamentCell& stage, std::uint32_t repetitions);
  [[nodiscard]] std::uint32_t affordable(const TournamentCell& stage, std::uint32_t wanted) const;

  std::vector<TournamentCell> stages_;
  const scenarios::Metric& metric_;
  RoundLimits limits_;
  bool across_;
  TournamentCell* running_ = nullptr;
  Commentary commentary_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace rhizome::tools
