// The options of the Sparrow family, with their defaults and sources.
#pragma once

#include <cstdint>

#include "core/peer/setting.hpp"
#include "overlay/ranking.hpp"

namespace rhizome::agents::sparrow {

using core::Duration;

// When a task is bound to a peer: late, by the placeholder that is ready first; or early, on a
// random peer, on the best of a sample for each task, or of a sample for the whole job.
enum class Sampling : std::uint8_t { late, random, per_task, batch, last = batch };
// Which tasks a ready placeholder may take: any of its master, or those of its own job.
enum class Binding : std::uint8_t { per_master, per_job, last = per_job };
// How many placeholders of the queue's head may become ready at one event.
enum class Start : std::uint8_t { one_per_event, all_that_fit, last = all_that_fit };
// Where a probe that may go on stays: wherever its task has room, only where no other task waits
// either, or wherever a processor is free and no task waits, whether or not the task fits.
enum class Stays : std::uint8_t {
  with_room,
  first_in_queue,
  free_processor,
  last = free_processor
};
// What becomes of placeholders that no waiting task needs: they are cancelled when they ask, or as
// soon as this is known.
enum class Cancellation : std::uint8_t { lazy, proactive, last = proactive };
// What probes are sent for: each task by itself, or all tasks of a job together.
enum class Probing : std::uint8_t { per_task, per_job, last = per_job };
// What a peer answers when it is asked for its load: its free processors less the waiting tasks;
// the waiting tasks alone, so that a busy peer without a queue looks idle; or how long it expects
// to be busy.
enum class Answers : std::uint8_t { room, queue_length, estimated_wait, last = estimated_wait };
// Whether the master of a job whose tasks need each other calls up a group of workers for it.
enum class Leaders : std::uint8_t { none, graphs, last = graphs };
// Where next hops come from.
enum class ViewSource : std::uint8_t { cyclon, gradient, both, graph, last = graph };

struct Options {
  Sampling sampling = Sampling::late;
  std::uint32_t probes = 2;
  Probing probing = Probing::per_task;
  std::uint32_t min_probes = 0;
  Answers answers = Answers::room;
  double estimate_error = 0;
  bool self_assign = false;
  std::uint32_t max_hops = 0;
  std::uint32_t hop_limit = 50;
  double temperature = 100;
  ViewSource view = ViewSource::cyclon;
  overlay::Uphill uphill = overlay::Uphill::above;
  Binding binding = Binding::per_master;
  Cancellation cancellation = Cancellation::lazy;
  Start start = Start::one_per_event;
  bool look_after_assign = false;
  Stays stays = Stays::with_room;
  Leaders leaders = Leaders::none;
  std::uint32_t group_size = 8;
  Duration group_hold = std::chrono::seconds(2);
  Duration probe_timeout = std::chrono::seconds(2);
  Duration audit_after = std::chrono::seconds(60);
  Duration give_up = std::chrono::minutes(5);
  std::uint32_t view_size = 10;
  std::uint32_t shuffle_length = 5;
  Duration shuffle_period = std::chrono::milliseconds(250);
  std::uint32_t virtual_nodes = 1;
  Duration detector_round = std::chrono::seconds(3);
  std::uint32_t rounds_until_dead = 3;
  std::uint32_t helpers = 3;
};

[[nodiscard]] core::Settings<Options> settings();

}  // namespace rhizome::agents::sparrow
