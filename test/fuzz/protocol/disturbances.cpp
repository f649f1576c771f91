#include "test/fuzz/protocol/disturbances.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace rhizome::fuzz {

namespace {

class Disturbances {
 public:
  Disturbances(DraftWriter& writer, const std::vector<core::PeerId>& essential,
               const agents::World& world)
      : writer_(writer),
        dice_(writer.dice()),
        essential_(essential),
        peers_(world.peers()),
        provisioned_(world.provisioned),
        horizon_(horizon(world)) {
    for (std::uint32_t i = 0; i < peers_; ++i)
      if (std::find(essential.begin(), essential.end(), core::PeerId{i}) == essential.end())
        mortal_.push_back(i);
  }

  void draw() {
    if (mortal_.empty()) return;
    draw_impairments();
    if (provisioned_) return;
    draw_partitions();
    draw_crashes();
    draw_mass();
    draw_lifetimes();
    draw_events();
  }

 private:
  // About how long the work takes; disturbances come within it.
  static double horizon(const agents::World& world) {
    double work = 0;
    double speed = 0;
    const auto arrivals = world.arrivals();
    while (const auto job = arrivals->next())
      for (const agents::Task& task : job->portions)
        work += core::seconds(task.duration) * task.cpus;
    for (const agents::Capacity& capacity : world.capacities)
      speed += capacity.speed * capacity.slots;
    return core::seconds(world.profile.last) + 2 * work / speed;
  }
  std::string some_time() { return toml_duration(dice_.uniform(0, horizon_)); }

  void draw_impairments() {
    const double most = dice_.chance(0.3) ? 0.3 : 0.05;
    writer_.maybe(provisioned_ ? 0 : 0.4, "network", "loss", toml(dice_.spread(1e-3, most)));
    writer_.maybe(0.3, "network", "duplication", toml(dice_.spread(1e-3, 0.2)));
  }
  void draw_partitions() {
    if (!dice_.chance(0.25)) return;
    const std::int64_t count = dice_.between(1, 3);
    for (std::int64_t i = 0; i < count; ++i) {
      const std::string section = "network.partition#" + std::to_string(i);
      const double from = dice_.uniform(0, horizon_);
      writer_.set(section, "from", toml_duration(from));
      // Shorter in a small world, where a peer that is alone with the source may rightly give up.
      writer_.set(section, "until",
                  toml_duration(from * 1.1 + dice_.spread(0.1, peers_ < 8 ? 4 : 40)));
      writer_.set(section, "share", toml(dice_.uniform(0.05, 0.5)));
    }
  }
  std::string share_of_peers(double most) {
    return toml(std::max(dice_.uniform(0, most), 1.01 / static_cast<double>(peers_)));
  }
  void draw_crashes() {
    if (!dice_.chance(0.2)) return;
    writer_.set("faults", "crash_share", share_of_peers(0.5));
    const double from = dice_.uniform(0, horizon_);
    writer_.set("faults", "crash_from", toml_duration(from));
    writer_.set("faults", "crash_until", toml_duration(from * 1.2 + dice_.uniform(0, horizon_)));
    writer_.maybe(0.6, "faults", "restart_after", toml_duration(dice_.spread(1e-2, 30)));
  }
  void draw_mass() {
    if (!dice_.chance(0.1)) return;
    writer_.set("faults.mass#0", "at", some_time());
    writer_.set("faults.mass#0", "share", share_of_peers(0.5));
    writer_.maybe(0.6, "faults.mass#0", "restart_after", toml_duration(dice_.spread(1e-2, 30)));
  }
  void draw_lifetimes() {
    if (!dice_.chance(0.15)) return;
    const std::string section = "faults.lifetimes";
    writer_.set(section, "distribution", writer_.word(section, "distribution"));
    writer_.set(section, "mean", toml_duration(std::max(0.05, horizon_ * dice_.spread(0.1, 3))));
    writer_.set(section, "share", share_of_peers(1));
    writer_.set(section, "until", toml_duration(0.1 + horizon_ * dice_.uniform(0.2, 2)));
    writer_.set(section, "ends_by", writer_.word(section, "ends_by"));
    writer_.set(section, "downtime", writer_.word(section, "downtime"));
    writer_.set(section, "downtime_mean", toml_duration(dice_.spread(0.05, 10)));
  }

  // One event for each of a few peers; rarely for a peer that must not die.
  void draw_events() {
    dice_.shuffle(std::span(mortal_));
    const std::int64_t most = dice_.chance(0.2) ? dice_.between(1, 3) : 0;
    const std::size_t count = std::min(static_cast<std::size_t>(most), mortal_.size());
    for (std::size_t i = 0; i < count; ++i) draw_event(i, mortal_[i], true);
    const auto last = static_cast<std::int64_t>(essential_.size()) - 1;
    const auto unlucky = static_cast<std::size_t>(dice_.between(0, last));
    if (dice_.chance(0.05)) draw_event(count, essential_[unlucky].value, false);
  }
  void draw_event(std::size_t number, std::uint32_t peer, bool may_return) {
    const std::string section = "faults.event#" + std::to_string(number);
    const std::vector<std::string> ends{"crash", "leave", "join"};
    writer_.set(section, "at", toml_duration(0.001 + dice_.uniform(0, horizon_)));
    writer_.set(section, "peer", std::to_string(peer));
    writer_.set(section, "kind",
                in_quotes(dice_.one_of(std::span(ends).first(may_return ? 3 : 2))));
    writer_.maybe(may_return ? 0.5 : 0, section, "restart_after",
                  toml_duration(dice_.spread(1e-2, 30)));
  }

  DraftWriter& writer_;
  Dice& dice_;
  const std::vector<core::PeerId>& essential_;
  std::uint32_t peers_;
  bool provisioned_;  // orders to nodes are not repeated, so that a packet may come twice, no more
  double horizon_;
  std::vector<std::uint32_t> mortal_;
};

}  // namespace

void disturb(DraftWriter& writer, const std::vector<core::PeerId>& essential,
             const agents::World& world) {
  Disturbances(writer, essential, world).draw();
}

}  // namespace rhizome::fuzz
