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
#include "tools/commands/running/keeper.hpp"
#include "tools/compare/figures.hpp"
#include "tools/tournament/archive.hpp"
#include "tools/tournament/tournament.hpp"

namespace rhizome::tools {

// One cell, and the runs of it so far.
class Stage {
 public:
  // Begins with what the archive holds, if there is one. It outlives the stage, as the keeper does,
  // to whom all outcomes go.
  Stage(const scenarios::Cell& cell, Archive* archive, Keeper& keeper);

  [[nodiscard]] std::uint32_t done() const { return done_; }
  [[nodiscard]] const std::vector<RunFigures>& runs() const { return runs_; }
  [[nodiscard]] const scenarios::Scenario& scenario() const { return cell_.scenario; }
  // Real time of a repetition, as far as this call has seen.
  [[nodiscard]] core::Duration cost() const;
  // False when interrupted.
  bool run_to(std::uint32_t repetitions, Commentary& commentary);
  void remark(const std::string& text) { keeper_->remark(text); }

 private:
  scenarios::Cell cell_;
  Archive* archive_;
  Keeper* keeper_;
  std::uint32_t done_ = 0;
  std::uint32_t done_here_ = 0;  // in this call
  core::Duration spent_{0};
  std::vector<RunFigures> runs_;
};

struct Limits {
  double width = 0.05;  // half of an interval, as a share
  std::uint32_t most = 100;
  std::optional<core::Duration> budget{};
};

class Rounds {
 public:
  // `across`: whether there is to be an overall ranking.
  Rounds(std::vector<Stage> stages, const scenarios::Metric& metric, const Limits& limits,
         bool across, bool quiet);

  // False when interrupted.
  bool run();
  [[nodiscard]] Tournament result() const;

 private:
  [[nodiscard]] bool run_to(Stage& stage, std::uint32_t repetitions);
  [[nodiscard]] std::uint32_t affordable(const Stage& stage, std::uint32_t wanted) const;

  std::vector<Stage> stages_;
  const scenarios::Metric& metric_;
  Limits limits_;
  bool across_;
  Stage* running_ = nullptr;
  Commentary commentary_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace rhizome::tools
