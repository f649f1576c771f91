// What the central schedulers have in common: models and their batches, failure detection, and the
// succession of a dead head.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "agents/pace.hpp"
#include "agents/scheduler.hpp"
#include "core/peer/setting.hpp"

namespace rhizome::agents::central {

// The successor of a dead head, always with the consent of the door, so that there is one head at a
// time: the standby, which has a copy of the books; or, if the copy is in a store, the worker with
// the highest address (bully), or the first worker that finds the head's lease expired.
enum class Succession : std::uint8_t { bully, lease, standby };

// Where snapshots are: in the door's memory, in a file, or at a server. In virtual time operations
// of the last two only take store_latency.
enum class StoreKind : std::uint8_t { memory, sqlite, redis };

// A kind of query. Of n models, job j asks model j mod n.
struct QueryModel {
  std::uint32_t batch = 1;  // queries
  Duration load{0};         // before the first query of a batch, on a peer of speed 1
  Duration query{0};        // of each query, at speed 1, as expected before anything has been
                            // measured
};

struct Options {
  std::string models = "10/5s/0.5s 20/3.2s/0.61s";
  Duration ping_period = std::chrono::seconds(12);
  std::uint32_t misses = 4;
  Duration cleanup = std::chrono::seconds(30);
  Duration repeat = std::chrono::seconds(2);
  Duration longest_cut = std::chrono::seconds(60);
  Duration snapshot = std::chrono::seconds(30);
  Succession succession = Succession::standby;
  StoreKind store = StoreKind::memory;
  std::string store_file{};
  std::string store_address = "127.0.0.1:6379";
  Duration store_patience = std::chrono::seconds(120);
  Duration store_latency{0};
  Duration store_down_at{0};
  Duration store_down_for{0};

  // Silence after which a peer is suspected, and after which it is taken for dead.
  [[nodiscard]] Duration suspicion() const { return misses * ping_period; }
  [[nodiscard]] Duration detection() const { return suspicion() + cleanup; }
  // Silence of the door after which a peer gives the run up.
  [[nodiscard]] Duration give_up() const { return 3 * detection() + longest_cut; }
  // Silence of all heads after which the door gives the run up. A standby claims the office one
  // detection after the head's death; an election follows that detection, and may be repeated.
  [[nodiscard]] Duration headless() const {
    return (succession == Succession::standby ? 2 : 3) * detection() + longest_cut;
  }
  [[nodiscard]] bool stores() const { return succession != Succession::standby; }
};

// Settings that all central schedulers have.
void add_common(core::Settings<Options>& settings);

// One word for each model: the queries of a batch, the time to load the model, and the time of a
// query, both at speed 1, such as 10/5s/0.5s. Empty if the text has another form; `why` is then the
// error.
[[nodiscard]] std::vector<QueryModel> parse_models(const std::string& text, std::string& why);

[[nodiscard]] std::string refuse_times(const Options& options, const World& world);

// What all peers of a run share.
struct Rules {
  Options options;
  std::vector<QueryModel> models;
  PeerId first_head;  // core::no_peer: the first peer that asks the door
  PeerId first_standby;
  std::string store_name{};  // of the run's snapshots
  bool real_store = false;   // store operations are really done
  // A snapshot that has reached the door still has to be stored.
  [[nodiscard]] bool stores_elsewhere() const {
    return options.stores() && (real_store || options.store_latency > Duration::zero() ||
                                options.store_down_for > Duration::zero());
  }
};
[[nodiscard]] Rules make_rules(const Options& options, std::vector<QueryModel> models,
                               const World& world);

// The door, the first head and its first standby.
[[nodiscard]] std::vector<PeerId> staff_of(const Rules& rules, const World& world);

// A scheduler whose peers follow these rules.
[[nodiscard]] Deployment deploy(Rules rules, const World& world);

[[nodiscard]] inline Patience patience(const Options& options) {
  return {.notice = options.detection() + 2 * options.ping_period, .mend = options.give_up()};
}

}  // namespace rhizome::agents::central
