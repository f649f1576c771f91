// A master and its workers: a queue of idle workers, jobs and tasks first come first served. The
// master's state is kept in a store; when it dies the workers elect another, which goes on from
// there.
#include <string>

#include "agents/central/rules.hpp"
#include "agents/schedulers.hpp"
#include "agents/store/store.hpp"

namespace rhizome::agents {

namespace {

using central::Options;

void add_store(core::Settings<Options>& settings) {
  settings
      .add("store", &Options::store, {"memory", "sqlite", "redis"},
           {"Where snapshots are kept on threads: in the door's memory, in a file of SQLite, or at "
            "a server of Redis. In virtual time the last two only take store_latency.",
            "Self adjusted auto provision system, Questions: Zookeeper, Redis, or any"})
      .add("store_file", &Options::store_file,
           {"The file of SQLite, whose name ends with \".sqlite\"; \"\": one of the run's own, "
            "removed "
            "at its end.",
            "our choice"})
      .add("store_address", &Options::store_address,
           {"HOST:PORT of the server of Redis, which should have appendonly on and appendfsync "
            "always: "
            "otherwise it may lose a snapshot that it acknowledged when it dies.",
            "our choice"})
      .add("store_patience", &Options::store_patience,
           {"How long the run goes on while the store does not answer. More survives longer "
            "restarts "
            "of the store.",
            "our choice", 0.01, 1e6})
      .add("store_latency", &Options::store_latency,
           {"What an operation of the store takes in virtual time.", "our choice", 0, 1e6})
      .add("store_down_at", &Options::store_down_at,
           {"When the store goes down, in virtual time.", "our choice", 0, 1e6})
      .add("store_down_for", &Options::store_down_for,
           {"For how long, in virtual time; 0: it does not.", "our choice", 0, 1e6});
}

core::Settings<Options> settings() {
  core::Settings<Options> all;
  all.add("snapshot", &Options::snapshot,
          {"Time between two snapshots of the master's books. More saves messages; tasks that were "
           "executed since the last snapshot are not executed again, because the door counts them.",
           "Self adjusted auto provision system, Fault tolerance: periodically", 0.01, 1e6})
      .add(
          "election", &Options::succession, {"bully", "lease"},
          {"The successor of a dead master: the worker with the highest address, which the workers "
           "elect (bully), or the first worker that finds the master's lease at the store expired.",
           "Self adjusted auto provision system: re-election"});
  add_store(all);
  central::add_common(all);
  return all;
}

Options defaults() {
  Options options;
  options.succession = central::Succession::bully;
  options.store = central::StoreKind::sqlite;
  return options;
}

Deployment prepare(const Options& options, const World& world, const std::function<bool()>&) {
  return central::deploy(central::make_rules(options, {{}}, world), world);
}

std::string refusal(const Options& options, const World& world) {
  if (world.peers() < 3) return "there must be a master and a worker besides the door";
  if (!options.store_file.empty() && options.store != central::StoreKind::sqlite)
    return "store_file has an effect only with store = \"sqlite\"";
  if (world.real_time && !options.store_file.empty())
    if (const std::string why = store::objection_to(options.store_file); !why.empty())
      return "store_file: " + why;
  if (options.store_down_at > core::Duration::zero() &&
      options.store_down_for == core::Duration::zero())
    return "store_down_at has an effect only with store_down_for";
  return central::refuse_times(options, world);
}

}  // namespace

Scheduler master_worker() {
  return make_scheduler<Options>(
      {.name = "master-worker",
       .summary = "a master hands tasks to idle workers, first come first served; another "
                  "master continues from the stored state",
       .most_hops = 2,
       .serves = true,
       .in_time = {0, "since the door and the master do no work, two of three peers at the least"},
       .settings = settings(),
       .defaults = defaults,
       .prepare = prepare,
       .stay =
           [](const Options& options, const World& world) {
             return central::staff_of(central::make_rules(options, {{}}, world), world);
           },
       .patience = central::patience,
       .refusal = refusal});
}

}  // namespace rhizome::agents
