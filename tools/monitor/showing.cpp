#include "tools/monitor/showing.hpp"

#include <unistd.h>

#include <chrono>
#include <string>
#include <utility>

#include "scenarios/live/telling.hpp"
#include "scenarios/store/directory.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using scenarios::RunUnderWay;

namespace {

// Shares of a core. In virtual time much happens within little real time, and nothing is late.
constexpr double share_of_real_time = 0.01;
constexpr double share_of_virtual_time = 0.05;

live::RunTitle title_of(const RunUnderWay& run, const core::Board& board) {
  live::RunTitle title = live::title_of(run.identity, static_cast<std::uint32_t>(run.number));
  title.peers = board.peers();
  title.length = {.open_for = run.open_for, .limit = run.foreseen.limit};
  if (run.tasks > 0) title.tasks = run.tasks;
  return title;
}

}  // namespace

Showing::Showing(Options chosen) : options_(std::move(chosen)) {
  const Registry registry = Registry::of_user();
  registry.make();
  const auto process = static_cast<std::uint64_t>(getpid());
  const std::string endpoint = registry.endpoint(process);
  feed_ = std::make_unique<live::Feed>(live::Feed::Options{
      .endpoint = endpoint,
      .scenario = options_.scenario,
      .runs = options_.runs,
      .control = options_.control,
      .real_time = options_.real_time,
      .share = options_.real_time ? share_of_real_time : share_of_virtual_time});
  feed_->kept_in(options_.directory);
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  entry_ = {.process = process,
            .scenario = options_.scenario,
            .began = scenarios::utc_text(now),
            .directory = options_.directory,
            .endpoint = endpoint};
  registration_ = std::make_unique<Registration>(registry, entry_);
}

void Showing::add_to(scenarios::RunHooks& hooks) {
  hooks.watch = [this](const RunUnderWay& run, const core::Board& board) {
    feed_->watch(title_of(run, board), board, run.foreseen);
  };
  hooks.unwatch = [this](const RunUnderWay& run) {
    feed_->unwatch(static_cast<std::uint32_t>(run.number));
  };
  if (!options_.control) return;
  hooks.steer = [this](const RunUnderWay& run, core::Steering& steering) {
    feed_->steer(static_cast<std::uint32_t>(run.number), steering);
  };
  hooks.pace = [this](const RunUnderWay& run) -> core::Pace* {
    if (run.identity.engine == "threads") return nullptr;  // runs on threads go by their clock
    return &feed_->pace(static_cast<std::uint32_t>(run.number), options_.wait && run.number == 0);
  };
}

void Showing::conclude(const scenarios::Outcome& outcome) {
  feed_->conclude(live::end_of(outcome, concluded_++));
}

}  // namespace rhizome::tools
