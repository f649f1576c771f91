#include "test/fuzz/protocol/generator.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <stdexcept>
#include <utility>
#include <vector>

#include "scenarios/experiment/world.hpp"
#include "scenarios/format/keys.hpp"
#include "scenarios/format/parser.hpp"
#include "test/fuzz/protocol/bounds.hpp"
#include "test/fuzz/protocol/dice.hpp"

namespace rhizome::fuzz {

namespace {

using core::Setting;
using core::SettingKind;
using scenarios::Section;

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
    return sketch;
  } catch (const scenarios::InputError&) {
    return {};
  }
}

class Drafter {
 public:
  Drafter(const agents::Scheduler& scheduler, core::Rng rng) : scheduler_(scheduler), dice_(rng) {}

  // Nothing where the draft is refused.
  std::optional<Draft> draw() {
    draw_engine();
    draw_peers();
    draw_graph();
    draw_workload();
    draw_latency();
    draw_options();
    for (const char* section : {"peers", "graph", "workload", "network", "engine"})
      draw_unknown(section);
    const auto calm = try_draft(draft_);
    if (!calm) return {};
    disturb(*calm);
    const auto whole = try_draft(draft_);
    if (!whole) return {};
    const Bounds bounds = bounds_of(whole->scenario, whole->around);
    set("engine", "time_limit", toml_duration(1 + 4 * std::max(bounds.makespan, bounds.failure)));
    set("engine", "grace", std::string(value_of(draft_, "engine", "time_limit")));
    return std::move(draft_);
  }

 private:
  // Writes a key, if it has an effect beside those written before.
  void set(const std::string& section, const std::string& key, std::string value) {
    known_.insert(plain(section) + "." + key);
    if (has_effect(section, key)) assign(draft_, section, key, std::move(value));
  }
  void maybe(double probability, const std::string& section, const std::string& key,
             std::string value) {
    known_.insert(plain(section) + "." + key);
    if (dice_.chance(probability)) set(section, key, std::move(value));
  }
  static std::string plain(const std::string& section) {
    return section.substr(0, section.find('#'));
  }
  static const Section& section_of(const std::string& name) {
    const Section* section = scenarios::find_section(plain(name));
    if (section == nullptr) throw std::logic_error("there is no section " + name);
    return *section;
  }
  static const Setting& setting_of(const std::string& section, const std::string& key) {
    const Setting* setting = section_of(section).find(key);
    if (setting == nullptr) throw std::logic_error("there is no key " + section + "." + key);
    return *setting;
  }
  bool has_effect(const std::string& section, const std::string& key) {
    static_cast<void>(setting_of(section, key));
    const auto* condition = section_of(section).condition(key);
    if (condition == nullptr) return true;
    std::string word(value_of(draft_, section, condition->on));
    if (word.empty()) word = quoted(default_of(section, condition->on));
    return std::any_of(condition->words.begin(), condition->words.end(),
                       [&](const std::string& each) { return word == quoted(each); }) &&
           has_effect(section, condition->on);
  }
  static std::string default_of(const std::string& section, const std::string& key) {
    scenarios::Scenario defaults;
    const Section& table = section_of(section);
    if (table.repeated) table.resize(defaults, 1);
    return std::get<std::string>(setting_of(section, key).read(table.address(defaults, 0)));
  }
  // Any of the words that do not ask for a file.
  std::string word(const std::string& section, const std::string& key) {
    std::vector<std::string> words = setting_of(section, key).choices;
    for (const auto& condition : section_of(section).conditions)
      if (condition.on == key && setting_of(section, condition.key).kind == SettingKind::text)
        std::erase_if(words, [&](const std::string& each) {
          return std::find(condition.words.begin(), condition.words.end(), each) !=
                 condition.words.end();
        });
    return quoted(dice_.one_of(words));
  }
  std::string whole(std::int64_t low, std::int64_t high) {
    return std::to_string(dice_.between(low, high));
  }
  std::int64_t spread_whole(double low, double high) {
    return std::lround(dice_.spread(low, high));
  }

  void draw_engine() {
    set("engine", "kind", quoted("virtual"));
    for (const char* key : {"time_scale", "lag_tolerance", "log_messages", "sample_every", "cores"})
      known_.insert(std::string("engine.") + key);
    maybe(0.05, "engine", "handling", toml_duration(dice_.spread(1e-6, 1e-4)));
    maybe(0.05, "engine", "wake_up", toml_duration(dice_.spread(1e-6, 1e-4)));
    set("run", "seed", whole(1, 1'000'000));
    set("run", "repetitions", "1");
  }

  void draw_peers() {
    peers_ = spread_whole(3, 30);
    set("peers", "count", std::to_string(peers_));
    const double low = dice_.chance(0.5) ? 0.5 : dice_.spread(0.1, 3);
    const double high = dice_.chance(0.5) ? std::max(low, 1.0) : low * dice_.spread(1, 20);
    set("peers", "speed_min", toml(low));
    set("peers", "speed_max", toml(std::max(high, std::stod(toml(low)))));
    slots_ = dice_.chance(0.3) ? dice_.between(2, 4) : 1;
    set("peers", "slots", std::to_string(slots_));
    maybe(0.15, "peers", "slots_max", std::to_string(slots_ + dice_.between(1, 4)));
    known_.insert("peers.memory");
  }

  void draw_graph() {
    set("graph", "kind", word("graph", "kind"));
    set("graph", "mean_degree", toml(dice_.uniform(1, 6)));
    set("graph", "out_degree", whole(1, 2));
    set("graph", "nearest", "2");
    maybe(0.5, "graph", "rewiring", toml(dice_.uniform(0, 1)));
    set("graph", "attachments", whole(1, 2));
  }

  // At most 300 tasks, which all peers together need less than two minutes for.
  void draw_workload() {
    const std::int64_t jobs = spread_whole(1, 60);
    const std::int64_t portions =
        spread_whole(1, std::min(60.0, 300.0 / static_cast<double>(jobs)));
    const double slowest = std::stod(std::string(value_of(draft_, "peers", "speed_min")));
    const double rounds =
        std::ceil(static_cast<double>(jobs * portions) / static_cast<double>(peers_ * slots_));
    const double duration =
        std::min(dice_.spread(1e-3, 30), std::max(1e-3, 120 * slowest / rounds));
    set("workload", "jobs", std::to_string(jobs));
    set("workload", "portions", std::to_string(portions));
    set("workload", "portion_time", toml_duration(duration));
    maybe(0.5, "workload", "portion_distribution", word("workload", "portion_distribution"));
    maybe(0.4, "workload", "jitter", toml(dice_.uniform(0, 0.95)));
    const double span = std::min(rounds * duration / slowest * dice_.spread(0.05, 3), 120.0);
    maybe(0.6, "workload", "spacing", toml_duration(span / static_cast<double>(jobs)));
    maybe(value_of(draft_, "workload", "spacing").empty() ? 0 : 0.5, "workload", "arrivals",
          word("workload", "arrivals"));
    maybe(0.1, "workload", "start", toml_duration(dice_.spread(0.1, 10)));
    maybe(0.2, "workload", "cpus", whole(1, slots_));
    maybe(0.1, "workload", "cpus_max", whole(1, slots_));
    maybe(0.2, "workload", "memory", toml(dice_.uniform(0.05, 0.9)));
    maybe(0.1, "workload", "memory_max", toml(dice_.uniform(0.05, 1)));
    known_.insert("workload.work");  // real products of matrices take real time
  }

  void draw_latency() {
    set("network", "latency", word("network", "latency"));
    const double longest = dice_.spread(1e-4, 0.4);
    set("network", "delay", toml_duration(std::min(longest, 0.1)));
    set("network", "delay_min", toml_duration(dice_.chance(0.3) ? longest / 2 : 0));
    set("network", "delay_max", toml_duration(longest));
    maybe(0.5, "network", "sigma", toml(dice_.uniform(0, 0.8)));
    known_.insert({"network.loss", "network.duplication"});
  }

  // Mostly the published protocol; else a few options at once, now and then many.
  void draw_options() {
    assign(draft_, "scheduler#0", "use", quoted(std::string(scheduler_.name)));
    const double share = dice_.chance(0.3) ? 0 : dice_.chance(0.8) ? 0.2 : 0.6;
    std::any defaults = scheduler_.defaults();
    const void* address = scheduler_.address(defaults);
    for (const Setting& setting : scheduler_.settings) {
      const std::string value = near_default(setting, address);
      if (dice_.chance(share) && !value.empty()) assign(draft_, "scheduler#0", setting.name, value);
    }
  }

  // Up to four times more or less; where the default is nothing, a little.
  std::string near_default(const Setting& setting, const void* object) {
    const core::SettingValue now = setting.read(object);
    const double factor = dice_.spread(0.25, 4);
    const auto bounded = [&](double value) {
      return std::clamp(value, setting.doc.least, setting.doc.most);
    };
    switch (setting.kind) {
      case SettingKind::boolean:
        return dice_.chance(0.5) ? "true" : "false";
      case SettingKind::choice:
        return quoted(dice_.one_of(setting.choices));
      case SettingKind::integer: {
        const auto value = static_cast<double>(std::get<std::int64_t>(now));
        const auto little = static_cast<double>(dice_.between(0, 8));
        return std::to_string(std::lround(bounded(value == 0 ? little : value * factor)));
      }
      case SettingKind::real: {
        const auto value = std::get<double>(now);
        return toml(bounded(value == 0 ? dice_.uniform(0, 1) : value * factor));
      }
      case SettingKind::duration: {
        const double value = core::seconds(std::get<core::Duration>(now));
        return toml_duration(bounded(value == 0 ? dice_.spread(1e-3, 1) : value * factor));
      }
      case SettingKind::text:
        break;
    }
    return {};
  }

  void draw_unknown(const std::string& name) {
    scenarios::Scenario defaults;
    const Section& section = section_of(name);
    for (const Setting& setting : section.settings) {
      if (known_.contains(name + "." + setting.name) || setting.kind == SettingKind::text) continue;
      const std::string value = setting.kind == SettingKind::choice
                                    ? word(name, setting.name)
                                    : near_default(setting, section.address(defaults, 0));
      maybe(0.1, name, setting.name, value);
    }
  }

  void disturb(const Sketch& calm) {
    mortal_.clear();
    essential_ = scheduler_.essential(calm.scenario.schedulers.front().options, calm.around.world);
    for (std::uint32_t i = 0; i < calm.around.world.peers(); ++i)
      if (std::find(essential_.begin(), essential_.end(), core::PeerId{i}) == essential_.end())
        mortal_.push_back(i);
    if (mortal_.empty()) return;
    horizon_ = horizon(calm.around.world);
    if (dice_.chance(0.2)) return;
    draw_impairments();
    draw_partitions();
    draw_crashes();
    draw_mass();
    draw_lifetimes();
    draw_events();
  }

  // About how long the work takes; disturbances come within it.
  static double horizon(const agents::World& world) {
    double work = 0;
    double speed = 0;
    for (const agents::Job& job : world.workload.jobs)
      for (const agents::Task& task : job.portions)
        work += core::seconds(task.duration) * task.cpus;
    for (const agents::Capacity& capacity : world.capacities)
      speed += capacity.speed * capacity.slots;
    return core::seconds(world.workload.jobs.back().arrival) + 2 * work / speed;
  }
  std::string some_time() { return toml_duration(dice_.uniform(0, horizon_)); }

  void draw_impairments() {
    const double most = dice_.chance(0.3) ? 0.3 : 0.05;
    maybe(0.4, "network", "loss", toml(dice_.spread(1e-3, most)));
    maybe(0.3, "network", "duplication", toml(dice_.spread(1e-3, 0.2)));
  }
  void draw_partitions() {
    if (!dice_.chance(0.25)) return;
    const std::int64_t count = dice_.between(1, 3);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::string section = "network.partition#" + std::to_string(i);
      const double from = dice_.uniform(0, horizon_);
      set(section, "from", toml_duration(from));
      // Not so long in a small world, where whoever is alone with the source may rightly give up.
      set(section, "until", toml_duration(from * 1.1 + dice_.spread(0.1, peers_ < 8 ? 4 : 40)));
      set(section, "share", toml(dice_.uniform(0.05, 0.5)));
    }
  }
  std::string share_of_peers(double most) {
    return toml(std::max(dice_.uniform(0, most), 1.01 / static_cast<double>(peers_)));
  }
  void draw_crashes() {
    if (!dice_.chance(0.2)) return;
    set("faults", "crash_share", share_of_peers(0.5));
    const double from = dice_.uniform(0, horizon_);
    set("faults", "crash_from", toml_duration(from));
    set("faults", "crash_until", toml_duration(from * 1.2 + dice_.uniform(0, horizon_)));
    maybe(0.6, "faults", "restart_after", toml_duration(dice_.spread(1e-2, 30)));
  }
  void draw_mass() {
    if (!dice_.chance(0.1)) return;
    set("faults.mass#0", "at", some_time());
    set("faults.mass#0", "share", share_of_peers(0.5));
    maybe(0.6, "faults.mass#0", "restart_after", toml_duration(dice_.spread(1e-2, 30)));
  }
  void draw_lifetimes() {
    if (!dice_.chance(0.15)) return;
    const std::string section = "faults.lifetimes";
    set(section, "distribution", word(section, "distribution"));
    set(section, "mean", toml_duration(std::max(0.05, horizon_ * dice_.spread(0.1, 3))));
    set(section, "share", share_of_peers(1));
    set(section, "until", toml_duration(0.1 + horizon_ * dice_.uniform(0.2, 2)));
    set(section, "ends_by", word(section, "ends_by"));
    set(section, "downtime", word(section, "downtime"));
    set(section, "downtime_mean", toml_duration(dice_.spread(0.05, 10)));
  }

  // One event each of a few peers; rarely of one that must not die.
  void draw_events() {
    dice_.shuffle(std::span(mortal_));
    const std::size_t count = dice_.chance(0.2) ? std::size_t(dice_.between(1, 3)) : 0;
    for (std::size_t i = 0; i < std::min(count, mortal_.size()); ++i)
      draw_event("faults.event#" + std::to_string(i), mortal_[i], true);
    if (dice_.chance(0.05))
      draw_event("faults.event#" + std::to_string(std::min(count, mortal_.size())),
                 essential_[static_cast<std::size_t>(
                                dice_.between(0, static_cast<std::int64_t>(essential_.size()) - 1))]
                     .value,
                 false);
  }
  void draw_event(const std::string& section, std::uint32_t peer, bool may_join) {
    const std::vector<std::string> ends{"crash", "leave", "join"};
    set(section, "at", toml_duration(0.001 + dice_.uniform(0, horizon_)));
    set(section, "peer", std::to_string(peer));
    set(section, "kind", quoted(dice_.one_of(std::span(ends).first(may_join ? 3 : 2))));
    maybe(may_join ? 0.5 : 0, section, "restart_after", toml_duration(dice_.spread(1e-2, 30)));
  }

  const agents::Scheduler& scheduler_;
  Dice dice_;
  Draft draft_;
  std::set<std::string> known_;  // keys that this file draws
  std::int64_t peers_ = 0;
  std::int64_t slots_ = 1;
  double horizon_ = 0;
  std::vector<core::PeerId> essential_;
  std::vector<std::uint32_t> mortal_;
};

}  // namespace

Generated generate(const agents::Scheduler& scheduler, std::uint64_t seed) {
  constexpr std::uint32_t attempts = 100;
  for (std::uint32_t refused = 0; refused < attempts; ++refused) {
    Drafter drafter(scheduler, core::Rng::derive({seed, refused}, scheduler.name));
    if (auto draft = drafter.draw()) return {std::move(*draft), refused};
  }
  throw std::logic_error("nearly every scenario is refused for " + std::string(scheduler.name));
}

}  // namespace rhizome::fuzz
