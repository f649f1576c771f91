#include "scenarios/world/surroundings.hpp"

#include <algorithm>
#include <utility>

#include "core/peer/impairment.hpp"
#include "scenarios/text/peer_list.hpp"
#include "scenarios/world/faults/lifetimes.hpp"
#include "scenarios/world/files.hpp"
#include "scenarios/world/graphs.hpp"
#include "scenarios/world/network/latencies.hpp"
#include "scenarios/world/network/queueing.hpp"
#include "scenarios/world/provision.hpp"
#include "scenarios/world/resources.hpp"
#include "scenarios/world/workload/workload.hpp"

namespace rhizome::scenarios {

namespace {

using core::Rng;

double draw_speed(const PeersSection& peers, Rng& rng) {
  if (peers.speeds == SpeedKind::two_class)
    return rng.chance(peers.fast_share) ? peers.speed_max : peers.speed_min;
  return rng.uniform(peers.speed_min, peers.speed_max);
}

// Named resources are drawn from a stream of their own, so that naming one changes nothing else.
std::vector<agents::Capacity> make_capacities(const PeersSection& peers, Rng rng, Rng named) {
  std::vector<agents::Capacity> capacities;
  for (std::uint32_t i = 0; i < peers.count; ++i) {
    const double speed = draw_speed(peers, rng);
    std::uint32_t slots = peers.slots;
    if (peers.slots_max > slots)
      slots = static_cast<std::uint32_t>(rng.between(slots, peers.slots_max));
    capacities.push_back({.speed = speed,
                          .slots = slots,
                          .memory = peers.memory,
                          .discipline = peers.discipline,
                          .named = draw_amounts(peers.resources, named)});
  }
  return capacities;
}

// The values of a group replace those that were drawn.
void set_capacity(agents::Capacity& capacity, const PeerGroupSection& section) {
  if (section.speed > 0) capacity.speed = section.speed;
  if (section.slots > 0) capacity.slots = section.slots;
  if (section.memory > 0) capacity.memory = section.memory;
}

// The groups of peers that share processors.
std::vector<core::ProcessorGroup> make_groups(const PeersSection& peers,
                                              std::vector<agents::Capacity>& capacities) {
  std::vector<core::ProcessorGroup> groups;
  std::uint32_t next = 0;
  for (const PeerGroupSection& section : peers.groups) {
    core::ProcessorGroup group{.peers = {}, .cores = section.cores};
    for (std::uint32_t i = 0; i < section.count; ++i) {
      set_capacity(capacities.at(next), section);
      group.peers.push_back(core::PeerId{next++});
    }
    if (section.shares()) groups.push_back(std::move(group));
  }
  return groups;
}

core::PeerId choose_source(SourceKind kind, const std::vector<agents::Capacity>& capacities,
                           std::uint64_t seed) {
  const auto peers = static_cast<std::uint32_t>(capacities.size());
  if (kind == SourceKind::any)
    return core::PeerId{static_cast<std::uint32_t>(Rng::derive({seed}, "source").below(peers))};
  const auto slower = [](const auto& a, const auto& b) { return a.speed < b.speed; };
  return core::PeerId{static_cast<std::uint32_t>(std::ranges::max_element(capacities, slower) -
                                                 capacities.begin())};
}

core::Partition::Cut make_cut(const PartitionSection& partition, const agents::World& world,
                              Rng& rng) {
  core::Partition::Cut cut{core::Time{} + partition.from, core::Time{} + partition.until,
                           std::vector<bool>(world.peers())};
  if (!partition.peers.empty()) {
    const auto peers = parse_peers(partition.peers);
    for (const core::PeerId peer : peers.value()) cut.side.at(peer.value) = true;
    return cut;
  }
  for (std::uint32_t i = 0; i < world.peers(); ++i)
    cut.side[i] = rng.chance(partition.share) && core::PeerId{i} != world.source;
  return cut;
}

// Impairments come before latencies: a lost packet takes no time.
void add_links(Surroundings& made, const WorldSections& sections, std::uint64_t seed) {
  const NetworkSection& network = sections.network;
  if (!network.partitions.empty()) {
    Rng rng = Rng::derive({seed}, "partitions");
    std::vector<core::Partition::Cut> cuts;
    for (const PartitionSection& partition : network.partitions)
      cuts.push_back(make_cut(partition, made.world, rng));
    made.links.add<core::Partition>(std::move(cuts));
  }
  if (network.loss > 0) made.links.add<core::Loss>(network.loss);
  if (network.duplication > 0) made.links.add<core::Duplication>(network.duplication);
  MadeLatency latency = latency_model(network.latency).make(sections, seed);
  if (network.jitter > Duration::zero())
    latency.link = std::make_unique<core::Jitter>(std::move(latency.link), network.jitter);
  made.world.longest_delay = latency.longest + network.jitter;
  made.remarks.insert(made.remarks.end(), latency.remarks.begin(), latency.remarks.end());
  if (latency.link) made.links.add(std::move(latency.link));
}

// Whether peers are struck, which also loses packets on their way to them.
bool strikes(const FaultsSection& faults) {
  const auto strikes = [](const FaultEventSection& event) { return core::ends_life(event.kind); };
  const LifetimeModel& lives = lifetime_model(faults.lifetimes.distribution);
  return faults.crash_share > 0 || !faults.masses.empty() || !faults.machines.empty() ||
         std::ranges::any_of(faults.events, strikes) || lives.has("file") || lives.law != nullptr;
}

bool loses_messages(const WorldSections& sections) {
  return sections.network.loss > 0 || !sections.network.partitions.empty() ||
         strikes(sections.faults) || (sections.faults.expected && !sections.provision.used());
}

// The rooms of peers that lie within no other's: what fits a peer fits one of these.
std::vector<agents::Resources> largest_rooms(const std::vector<agents::Capacity>& peers) {
  std::vector<agents::Resources> largest;
  for (const agents::Capacity& peer : peers) {
    const agents::Resources room = peer.room();
    if (std::ranges::any_of(largest, [&](const auto& other) { return room.within(other); }))
      continue;
    std::erase_if(largest, [&](const auto& other) { return other.within(room); });
    largest.push_back(room);
  }
  return largest;
}

agents::Amounts common_to_all(const std::vector<agents::Capacity>& peers) {
  agents::Amounts common = peers.front().named;
  for (const agents::Capacity& peer : peers) common = agents::Amounts::common(common, peer.named);
  return common;
}

// Reads the whole workload once, so that errors in it show before the first run; except jobs that
// come live.
void add_work(Surroundings& made, const WorldSections& sections, core::Duration open_for) {
  const WorkloadSection& section = sections.workload;
  agents::World& world = made.world;
  world.files = file_options(sections.files);
  const bool open = open_for > core::Duration::zero();
  const core::Time last = open ? core::Time{} + open_for : core::Time::max();
  const auto arrivals = [section, files = sections.files, source = world.source, seed = world.seed,
                         last](FileNames names) {
    auto jobs =
        misjudged(workload_model(section.kind).open(section, Rng::derive({seed}, "workload")),
                  section.estimate_error, seed);
    return std::make_unique<agents::ArrivalsUntil>(
        files.used() ? with_files(std::move(jobs), files, source, seed, names) : std::move(jobs),
        last);
  };
  world.arrivals = [arrivals] { return arrivals(FileNames::made); };
  made.survey = [arrivals] { return arrivals(FileNames::left_out); };
  world.live = comes_live(section);
  if (world.live) {
    world.profile = workload_model(section.kind).bounds(section);
    made.goes_on = true;
    return;
  }
  Backlog backlog(sections);
  const auto survey = arrivals(FileNames::left_out);
  MeteredArrivals metered(*survey, backlog, sections.files.inputs.size());
  const agents::Amounts common = common_to_all(world.capacities);
  world.profile = agents::profile_of(
      metered, {.somebody =
                    [&, rooms = largest_rooms(world.capacities)](const agents::Task& task) {
                      return std::ranges::any_of(rooms, [&](const auto& room) {
                        return agents::resources_of(task).within(room);
                      });
                    },
                .every_peer = [&](const agents::Task& task) { return task.named.within(common); }});
  made.goes_on = survey->more();
  made.remarks = survey->remarks();
  world.longest_queue = backlog.longest();
}

core::Rate draw_rate(core::Rate least, core::Rate most, Rng& rng) {
  if (most <= least) return least;
  return {rng.between(least.bits_per_second, most.bits_per_second)};
}

// The largest chunk of a file that may go over a line.
std::uint64_t largest_chunk(const FilesSection& files) {
  return std::min<std::uint64_t>(files.chunk, file_options(files).largest);
}

// A message with one task, or a chunk of a file, passes the slowest lines within this time, while
// nothing is queued there.
core::Duration slowest_passage(const WorldSections& sections, std::uint64_t heaviest) {
  const std::uint64_t chunk = sections.files.used() ? largest_chunk(sections.files) : 0;
  const std::uint64_t payload =
      std::max(sections.workload.payload, sections.workload.result_payload);
  const std::size_t bytes = core::header_bytes + std::max(heaviest + payload, chunk);
  core::Duration longest{0};
  for (const core::Rate line : slowest_lines(sections.network, sections.peers))
    longest += core::time_for(bytes, line);
  return longest;
}

void add_access(Surroundings& made, const WorldSections& sections, Rng rng) {
  const NetworkSection& network = sections.network;
  if (network.bandwidth_up == core::Rate{} && network.bandwidth_down == core::Rate{}) return;
  for (std::uint32_t i = 0; i < made.world.peers(); ++i) {
    const core::Rate up = draw_rate(network.bandwidth_up, network.bandwidth_up_max, rng);
    const core::Rate down = draw_rate(network.bandwidth_down, network.bandwidth_down_max, rng);
    const double factor = network.bandwidth_by_speed ? made.world.capacities[i].speed : 1;
    made.access.push_back({.up = scaled(up, factor), .down = scaled(down, factor)});
  }
  made.world.longest_delay += slowest_passage(sections, made.world.profile.heaviest);
}

}  // namespace

Surroundings make_surroundings(const WorldSections& sections, std::uint64_t seed,
                               const std::function<Mercy(const agents::World&)>& mercy,
                               core::Duration open_for) {
  Surroundings made;
  agents::World& world = made.world;
  world.seed = seed;
  Rng graph_rng = Rng::derive({seed}, "graph");
  world.graph =
      graph_model(sections.graph.kind).make(sections.graph, sections.peers.count, graph_rng);
  world.capacities = make_capacities(sections.peers, Rng::derive({seed}, "capacities"),
                                     Rng::derive({seed}, "resources"));
  made.groups = make_groups(sections.peers, world.capacities);
  world.shares_processors = !made.groups.empty();
  world.handling_costs = sections.handling_costs;
  world.real_time = sections.real_time;
  world.source = choose_source(sections.peers.source, world.capacities, seed);
  add_work(made, sections, open_for);
  add_links(made, sections, seed);
  add_access(made, sections, Rng::derive({seed}, "access lines"));
  // Sums of them must fit the clock, also in a world that will be refused for its longest delay.
  if (world.longest_delay > core::Duration::max() / 4) world.longest_queue = {};
  core::Duration& patience = world.files.patience;
  if (world.longest_way() < core::Duration::max() / 4)
    patience = std::max(patience, 3 * world.longest_way());
  world.loses = loses_messages(sections);
  const Mercy asked = mercy(world);
  FaultSchedule schedule = make_faults(sections, world, asked);
  made.faults = std::move(schedule.faults);
  for (const core::Fault& fault : made.faults)
    if (fault.kind == core::Fault::Kind::join) world.late.insert(fault.peer);
  made.remarks.insert(made.remarks.end(), schedule.remarks.begin(), schedule.remarks.end());
  if (sections.provision.used()) {
    made.provision = make_plan(sections, world, asked.staff, made.remarks);
    world.provisioned = true;
    world.late = absent_at_start(*made.provision);
  }
  return made;
}

}  // namespace rhizome::scenarios
