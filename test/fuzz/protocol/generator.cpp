#include "test/fuzz/protocol/generator.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "scenarios/experiment/conditions.hpp"
#include "scenarios/format/checks/checks.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/format/parser.hpp"
#include "scenarios/format/unsaid.hpp"
#include "test/fuzz/protocol/bounds.hpp"
#include "test/fuzz/protocol/disturbances.hpp"
#include "test/fuzz/protocol/writer.hpp"

namespace rhizome::fuzz {

namespace {

// A scenario that was accepted so far, and its world.
struct Sketch {
  scenarios::Scenario scenario;
  scenarios::Surroundings around;
};

std::optional<Sketch> try_draft(const Draft& draft) {
  try {
    Sketch sketch;
    sketch.scenario = scenarios::parse_scenario(to_toml(draft), "fuzz.toml").front().scenario;
    sketch.around = scenarios::make_surroundings(sketch.scenario,
                                                 scenarios::repetition_seed(sketch.scenario, 0));
    sketch.scenario = scenarios::complete(sketch.scenario, sketch.around.world);
    return sketch;
  } catch (const scenarios::InputError&) {
    return {};
  }
}

class Drafter {
 public:
  Drafter(const agents::Scheduler& scheduler, const Pinned& pinned, Worlds worlds, core::Rng rng)
      : scheduler_(scheduler),
        pinned_(pinned),
        worlds_(worlds),
        writer_(Dice(rng)),
        dice_(writer_.dice()) {}
  Drafter(const Drafter&) = delete;
  Drafter& operator=(const Drafter&) = delete;

  // Nothing where all drafts are refused.
  std::optional<Draft> draw() {
    draw_engine();
    draw_peers();
    draw_graph();
    draw_workload();
    draw_provision();
    draw_resources();
    draw_files();
    draw_latency();
    draw_bandwidth();
    draw_the_rest();
    draw_dependencies();
    const auto calm = draw_options_that_fit();
    if (!calm) return {};
    if (scenarios::compares_sizes(calm->scenario))
      writer_.maybe(0.2, "workload", "estimate_error", toml(dice_.uniform(0, 2)));
    const agents::World& world = calm->around.world;
    if (worlds_ == Worlds::all ? dice_.chance(2.0 / 3) : worlds_ == Worlds::disturbed)
      disturb(writer_, scheduler_.essential(calm->scenario.schedulers.front().options, world),
              world);
    const auto whole = try_draft(writer_.draft());
    if (!whole) {
      ++refused_;
      return {};
    }
    const Bounds bounds = bounds_of(whole->scenario, whole->around);
    if (bounds.stranded) {
      ++refused_;
      return {};
    }
    const double limit = 1 + 3.3 * std::max(bounds.makespan, bounds.failure);
    for (const char* key : {"time_limit", "grace"})
      writer_.set("engine", key, toml_duration(limit));
    return writer_.draft();
  }
  [[nodiscard]] std::uint32_t refused() const { return refused_; }

 private:
  void draw_engine() {
    writer_.set("engine", "kind", in_quotes("virtual"));
    for (const char* key : {"time_scale", "lag_tolerance", "log_messages", "sample_every", "cores"})
      writer_.leave("engine", key);
    writer_.maybe(0.05, "engine", "handling", toml_duration(dice_.spread(1e-6, 1e-4)));
    writer_.maybe(0.05, "engine", "wake_up", toml_duration(dice_.spread(1e-6, 1e-4)));
    writer_.set("run", "seed", writer_.whole(1, 1'000'000));
    writer_.set("run", "repetitions", "1");
    writer_.leave("run", "duration");
  }

  void draw_peers() {
    peers_ = spread_whole(3, 30);
    writer_.set("peers", "count", std::to_string(peers_));
    const double low = dice_.chance(0.5) ? 0.5 : dice_.spread(0.1, 3);
    const double high = dice_.chance(0.5) ? std::max(low, 1.0) : low * dice_.spread(1, 20);
    writer_.set("peers", "speed_min", toml(low));
    writer_.set("peers", "speed_max", toml(std::max(high, std::stod(toml(low)))));
    slots_ = dice_.chance(0.3) ? dice_.between(2, 4) : 1;
    writer_.set("peers", "slots", std::to_string(slots_));
    writer_.maybe(0.15, "peers", "slots_max", std::to_string(slots_ + dice_.between(1, 4)));
    writer_.leave("peers", "memory");
    writer_.leave("peers", "discipline");
    if (scheduler_.serves)
      writer_.maybe(0.3, "peers", "discipline", writer_.word("peers", "discipline"));
  }

  void draw_graph() {
    writer_.set("graph", "kind", writer_.word("graph", "kind"));
    writer_.set("graph", "mean_degree",
                toml(dice_.uniform(1, std::min(6.0, static_cast<double>(peers_ - 1)))));
    writer_.set("graph", "out_degree", writer_.whole(1, 2));
    writer_.set("graph", "nearest", "2");
    writer_.maybe(0.5, "graph", "rewiring", toml(dice_.uniform(0, 1)));
    writer_.set("graph", "attachments", writer_.whole(1, 2));
  }

  // Half of the worlds in which tasks wander have a graph: they are there to find each other.
  void draw_matrix() {
    if (scheduler_.name != "wander" || !dice_.chance(0.5)) return;
    const std::int64_t dims = dice_.between(2, 6);
    writer_.set("workload", "kind", in_quotes("matrix"));
    writer_.set("workload", "dims", std::to_string(dims));
    writer_.set("workload", "tg_prob_connected", toml(dice_.uniform(0.1, 1)));
    writer_.maybe(0.5, "workload", "independent", writer_.whole(1, 20));
    writer_.maybe(0.5, "workload", "edge_bytes", std::to_string(spread_whole(1, 1000)));
  }

  // At most 300 tasks, which all peers together need seconds for, rarely two minutes.
  void draw_workload() {
    draw_matrix();
    const std::int64_t jobs = spread_whole(1, 60);
    const std::int64_t portions =
        spread_whole(1, std::min(60.0, 300.0 / static_cast<double>(jobs)));
    const double slowest = std::stod(std::string(value_of(writer_.draft(), "peers", "speed_min")));
    const double rounds =
        std::ceil(static_cast<double>(jobs * portions) / static_cast<double>(peers_ * slots_));
    const double longest = dice_.spread(0.5, dice_.chance(0.1) ? 120 : 15);
    const double duration =
        std::min(std::max(1e-3, longest * slowest / rounds), dice_.spread(1e-3, 30));
    writer_.set("workload", "jobs", std::to_string(jobs));
    writer_.set("workload", "portions", std::to_string(portions));
    writer_.set("workload", "portion_time", toml_duration(duration));
    writer_.maybe(0.5, "workload", "portion_distribution",
                  writer_.word("workload", "portion_distribution"));
    writer_.maybe(0.4, "workload", "jitter", toml(dice_.uniform(0, 0.95)));
    if (value_of(writer_.draft(), "workload", "jitter").empty())
      writer_.leave("workload", "portion_draw");
    const double span = std::min(rounds * duration / slowest * dice_.spread(0.05, 3), longest);
    writer_.maybe(0.5, "workload", "spacing", toml_duration(span / static_cast<double>(jobs)));
    writer_.maybe(value_of(writer_.draft(), "workload", "spacing").empty() ? 0 : 0.5, "workload",
                  "arrivals", writer_.word("workload", "arrivals"));
    writer_.maybe(0.1, "workload", "start", toml_duration(dice_.spread(0.1, 10)));
    writer_.maybe(0.2, "workload", "cpus", writer_.whole(1, slots_));
    writer_.maybe(0.1, "workload", "cpus_max", std::to_string(slots_));
    writer_.maybe(0.2, "workload", "memory", toml(dice_.uniform(0.05, 0.9)));
    writer_.maybe(0.1, "workload", "memory_max", toml(dice_.uniform(0.9, 1)));
    for (const char* key : {"payload", "result_payload"})
      writer_.maybe(0.1, "workload", key, std::to_string(spread_whole(1, 1000)));
    writer_.leave("workload", "estimate_error");  // some options exclude it
    writer_.leave("workload", "work");            // real products of matrices take real time
    if (scheduler_.name != "wander")
      for (const char* key : {"kind", "dims", "tg_prob_connected", "independent", "edge_bytes"})
        writer_.leave("workload", key);
    for (const char* key : {"growth_chance", "growth", "growth_depth"})
      writer_.leave("workload", key);
  }

  // One world in four, of a scheduler whose peers can be drained, has nodes that come and go by
  // need.
  void draw_provision() {
    for (const core::Setting& setting : scenarios::find_section("provision")->settings)
      writer_.leave("provision", setting.name);
    constexpr std::int64_t staff = 3;  // peers that stay, at most
    provisioned_ = scheduler_.stay && peers_ >= staff + 2 && dice_.chance(0.25);
    if (!provisioned_) return;
    const std::vector<std::string> policies{"keep-all", "formula", "hysteresis", "queue-length"};
    const std::int64_t most = dice_.between(2, peers_ - staff);
    const std::int64_t least = dice_.between(1, most);
    writer_.set("provision", "policy", in_quotes(dice_.one_of(policies)));
    writer_.set("provision", "max_nodes", std::to_string(most));
    writer_.set("provision", "min_nodes", std::to_string(least));
    writer_.maybe(0.3, "provision", "start_nodes", writer_.whole(least, most));
    writer_.set("provision", "interval", toml_duration(dice_.spread(0.05, 5)));
    writer_.set("provision", "startup",
                toml_duration(dice_.chance(0.1) ? 0 : dice_.spread(1e-3, 5)));
    writer_.maybe(0.3, "provision", "probation", toml_duration(dice_.spread(0.05, 5)));
    writer_.maybe(0.7, "provision", "step", writer_.whole(0, 4));
    writer_.maybe(0.5, "provision", "time_unit", toml_duration(dice_.spread(0.1, 60)));
    writer_.maybe(0.5, "provision", "margin", toml(dice_.uniform(0, 3)));
    writer_.maybe(0.5, "provision", "target", toml(dice_.spread(0.5, 8)));
    if (dice_.chance(0.3)) draw_others(most, least);
  }
  void draw_others(std::int64_t most, std::int64_t least) {
    const std::int64_t cluster = most + dice_.between(1, 10);
    writer_.set("provision", "cluster", std::to_string(cluster));
    writer_.set("provision", "other_jobs", writer_.whole(1, 20));
    writer_.set("provision", "other_nodes", writer_.whole(1, cluster - least));
    writer_.set("provision", "other_time", toml_duration(dice_.spread(0.1, 20)));
    writer_.set("provision", "other_spacing", toml_duration(dice_.spread(0.1, 10)));
  }

  // One world in five has a resource that some tasks need and some peers have, if the scheduler
  // places tasks accordingly; but no world whose peers come and go by need, because no policy
  // reserves a node by its resources.
  void draw_resources() {
    if (!scheduler_.finds_room || provisioned_ || !dice_.chance(0.2)) return;
    writer_.set_resource("peers.resources", "gpu", writer_.whole(1, 2));
    writer_.set_resource("peers.resources", "gpu_share", toml(dice_.uniform(0.1, 0.8)));
    writer_.set_resource("workload.resources", "gpu", "1");
    writer_.set_resource("workload.resources", "gpu_share", toml(dice_.uniform(0.05, 1)));
  }

  // One world in four has files, so small that a peer that waits for them does not seem dead.
  void draw_files() {
    for (const char* key : {"chunk", "cache", "output"}) writer_.leave("files", key);
    files_ = dice_.chance(0.25);
    if (!files_) return;
    writer_.maybe(0.5, "files", "output", std::to_string(spread_whole(1, 200'000)));
    writer_.maybe(0.5, "files", "cache", std::to_string(spread_whole(1, 300'000)));
    writer_.set("files", "chunk", "65536");
    const std::int64_t inputs = dice_.between(1, 2);
    for (std::int64_t i = 0; i < inputs; ++i) {
      const std::string table = "files.input#" + std::to_string(i);
      writer_.set(table, "size", std::to_string(spread_whole(1, 300'000)));
      writer_.maybe(0.5, table, "per", writer_.word("files.input", "per"));
      writer_.maybe(0.3, table, "share", toml(dice_.uniform(0.1, 1)));
    }
  }

  void draw_latency() {
    writer_.set("network", "latency", writer_.word("network", "latency"));
    const double longest = dice_.spread(1e-4, 0.4);
    writer_.set("network", "delay", toml_duration(std::min(longest, 0.1)));
    writer_.set("network", "delay_min", toml_duration(dice_.chance(0.3) ? longest / 2 : 0));
    writer_.set("network", "delay_max", toml_duration(longest));
    const double sigma = dice_.uniform(0, 0.8);
    writer_.set("network", "sigma", toml(sigma));
    writer_.set("network", "sigma_host", toml(sigma * dice_.uniform(0, 0.7)));
    writer_.maybe(0.25, "network", "jitter", toml_duration(dice_.spread(1e-4, 0.4)));
    writer_.leave("network", "loss");
    writer_.leave("network", "duplication");
  }

  // Draws so high a bandwidth that queues stay shorter than any time-out, since tasks carry a
  // kilobyte at most; files fill every line for longer.
  void draw_bandwidth() {
    if (files_) {
      for (const char* key : {"bandwidth_up", "bandwidth_up_max", "bandwidth_down",
                              "bandwidth_down_max", "bandwidth_by_speed"})
        writer_.leave("network", key);
      return;
    }
    const bool up = draw_rate("bandwidth_up");
    const bool down = draw_rate("bandwidth_down");
    writer_.maybe(up || down ? 0.3 : 0, "network", "bandwidth_by_speed", "true");
  }
  bool draw_rate(const std::string& key) {
    const bool limited = dice_.chance(0.1);
    const double least = dice_.spread(2, 100);
    const double most = least * dice_.spread(1, 10);
    writer_.maybe(limited ? 1 : 0, "network", key, rate(least));
    writer_.maybe(limited ? 0.3 : 0, "network", key + "_max", rate(most));
    return limited;
  }
  static std::string rate(double megabits) {
    return in_quotes(std::to_string(std::lround(megabits)) + "Mbit/s");
  }

  // Refused options are drawn anew; arrivals over time go in the end, for some cannot have them.
  std::optional<Sketch> draw_options_that_fit() {
    constexpr int attempts = 8;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      if (attempt == attempts / 2)
        for (const char* key : {"arrivals", "spacing", "start"}) writer_.take_back("workload", key);
      writer_.take_back("scheduler#0");
      draw_options();
      if (auto sketch = try_draft(writer_.draft())) return sketch;
      ++refused_;
    }
    return {};
  }

  // Mostly the published protocol; else a few options at once, now and then many.
  void draw_options() {
    writer_.set_option("use", in_quotes(std::string(scheduler_.name)));
    const double share = dice_.chance(0.3) ? 0 : dice_.chance(0.8) ? 0.2 : 0.6;
    std::any defaults = scheduler_.defaults();
    const void* address = scheduler_.address(defaults);
    for (const core::Setting& setting : scheduler_.settings) {
      const std::string value = writer_.near_default_or_least(setting, address);
      if (dice_.chance(share) && !value.empty()) writer_.set_option(setting.name, value);
    }
    for (const auto& [option, value] : pinned_) writer_.set_option(option, value);
  }

  // One of four other worlds has tasks that need each other, or that add others: as many as before,
  // or fewer. All worlds of a variant for graphs do.
  void draw_dependencies() {
    const bool only = std::any_of(pinned_.begin(), pinned_.end(),
                                  [](const auto& option) { return option.first == "leaders"; });
    if (scheduler_.name == "wander" || (!only && !dice_.chance(0.25))) return;
    const bool grows = !only && dice_.chance(0.4);
    writer_.set("workload", "kind", in_quotes(grows ? "growing" : "matrix"));
    if (grows) {
      writer_.set("workload", "growth_chance", toml(dice_.uniform(0, 0.1)));
      writer_.set("workload", "growth", std::to_string(spread_whole(1, 8)));
      writer_.set("workload", "growth_depth", writer_.whole(1, 2));
      return;
    }
    for (const char* key : {"jobs", "portions", "spacing", "arrivals"})
      writer_.take_back("workload", key);
    writer_.set("workload", "dims", std::to_string(spread_whole(2, 12)));
    writer_.set("workload", "tg_prob_connected", toml(dice_.uniform(0, 0.6)));
    writer_.set("workload", "independent", std::to_string(spread_whole(1, 60)));
    writer_.maybe(0.5, "workload", "edge_bytes", std::to_string(spread_whole(1, 1000)));
  }

  // Keys that this file does not know. Faults are drawn in the end.
  // Clients are of a [[protocol]], which no draft has.
  void draw_the_rest() {
    for (const scenarios::Section& section : scenarios::sections())
      if (!section.repeated && !section.name.starts_with("faults") && section.name != "run" &&
          section.name != "client")
        writer_.draw_unknown(section.name);
  }

  std::int64_t spread_whole(double low, double high) {
    return std::lround(dice_.spread(low, high));
  }

  const agents::Scheduler& scheduler_;
  const Pinned& pinned_;
  const Worlds worlds_;
  DraftWriter writer_;
  Dice& dice_;
  std::int64_t peers_ = 0;
  std::int64_t slots_ = 1;
  bool files_ = false;
  bool provisioned_ = false;
  std::uint32_t refused_ = 0;
};

}  // namespace

Generated generate(const agents::Scheduler& scheduler, std::uint64_t seed, const Pinned& pinned,
                   Worlds worlds) {
  const std::uint64_t attempts = pinned.empty() ? 20 : 100;  // few options go with some variants
  std::uint32_t refused = 0;
  for (std::uint64_t attempt = 0; attempt < attempts; ++attempt) {
    Drafter drafter(scheduler, pinned, worlds, core::Rng::derive({seed, attempt}, scheduler.name));
    auto draft = drafter.draw();
    refused += drafter.refused();
    if (draft) return {std::move(*draft), refused};
  }
  throw std::logic_error("nearly every scenario is refused for " + std::string(scheduler.name));
}

}  // namespace rhizome::fuzz
