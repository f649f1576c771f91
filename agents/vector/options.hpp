// The options of vector scheduling, with their defaults and sources.
#pragma once

#include <cstdint>
#include <string>

#include "agents/locator/options.hpp"
#include "agents/scheduler.hpp"
#include "core/peer/setting.hpp"

namespace rhizome::agents::vectors {

// When a peer redistributes at its next tick beside the regular exchanges: whenever tasks come to
// it, only when they are handed in by a client, or never.
enum class RedistributionTrigger : std::uint8_t { arrivals, submissions, never, last = never };
// When an idle peer asks its neighbours for work.
enum class Requests : std::uint8_t { at_first, never, always, last = always };
// How a queue is divided: in proportion to scores, or so that all finish at the same time.
enum class Split : std::uint8_t { scores, finish_times, last = finish_times };
// The basis of estimated finish times.
enum class FinishEstimate : std::uint8_t { benchmark, history, last = history };

struct Options {
  std::string flow = "queue -1 benchmark -0.3; from 300s queue -0.7 benchmark -0.5";
  std::string stasis;
  Duration tick = std::chrono::seconds(1);
  std::uint32_t exchange_ticks = 20;
  RedistributionTrigger spread = RedistributionTrigger::arrivals;
  std::uint32_t spread_above = 2;
  bool start_at_tick = false;
  Requests requests = Requests::at_first;
  Duration requests_until = std::chrono::seconds(70);
  Duration request_interval = std::chrono::seconds(10);
  std::uint32_t request_hops = 3;
  Duration benchmark = std::chrono::milliseconds(200);
  Duration benchmark_interval = std::chrono::seconds(400);
  Duration history = std::chrono::milliseconds(34'800);
  Duration overhead{0};
  bool bundled = false;
  Split split = Split::scores;
  FinishEstimate estimate = FinishEstimate::benchmark;
  double margin = 0;
  bool only_down = false;
  bool credit = false;
  double damping = 1;
  bool recovery = true;
  Duration report = std::chrono::seconds(4);
  Duration lease = std::chrono::seconds(15);
  Duration retry = std::chrono::seconds(1);
  Duration give_up = std::chrono::minutes(5);
  locator::Options locator{.kind = locator::Kind::none};
};

[[nodiscard]] core::Settings<Options> settings();

// The purposes of settings that are times: those of the schedule itself are no time-outs.
[[nodiscard]] std::map<std::string_view, TimeoutPurpose> times();

// Why these options cannot work, as a sentence; empty if they can.
[[nodiscard]] std::string refusal(const Options& options, const World& world);

}  // namespace rhizome::agents::vectors
