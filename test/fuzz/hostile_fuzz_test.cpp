// Handlers must not trust messages. Peers of every scheduler talk to each other, with events in any
// order, and among their messages are others that are well formed but say anything. Whatever
// arrives, a peer continues, and answers with a bounded number of effects. RHIZOME_FUZZ_RUNS sets
// how many runs of each scheduler there are, RHIZOME_FUZZ_SEED the first.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "agents/air_traffic/air_traffic.hpp"
#include "agents/central/central.hpp"
#include "agents/dispatcher/dispatcher.hpp"
#include "agents/locator/service.hpp"
#include "agents/organic_grid/organic_grid.hpp"
#include "agents/possible.hpp"
#include "agents/scheduler.hpp"
#include "agents/sparrow/sparrow.hpp"
#include "agents/vector/vector.hpp"
#include "agents/wander/wander.hpp"
#include "overlay/cyclon.hpp"
#include "overlay/failure_detector.hpp"
#include "overlay/t_man.hpp"
#include "scenarios/experiment/handed_in.hpp"
#include "test/support/arbitrary.hpp"
#include "test/support/catalogue.hpp"
#include "test/support/small_world.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::hostile_fuzz_test {

using core::Bytes;
using core::PeerId;
using core::Rng;

namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// The messages that a service understands, by its name.
const std::map<std::string_view, std::function<test::ArbitraryMessage(Rng&)>> vocabularies{
    {agents::OrganicGrid::name, test::arbitrary_message<agents::grid::Messages>},
    {agents::AirTraffic::name, test::arbitrary_message<agents::traffic::Messages>},
    {agents::Sparrow::name, test::arbitrary_message<agents::sparrow::Messages>},
    {agents::VectorPeer::name, test::arbitrary_message<agents::vectors::Messages>},
    {agents::locator::Service::name, test::arbitrary_message<agents::locator::Messages>},
    {agents::Wander::name, test::arbitrary_message<agents::wandering::Messages>},
    {agents::Dispatcher::name, test::arbitrary_message<agents::dispatching::Messages>},
    {agents::central::Central::name, test::arbitrary_message<agents::central::Messages>},
    {overlay::Cyclon::name, test::arbitrary_message<overlay::Cyclon::Messages>},
    {overlay::TMan::name, test::arbitrary_message<overlay::TMan::Messages>},
    {overlay::FailureDetector::name, test::arbitrary_message<overlay::FailureDetector::Messages>},
};

// Schedulers whose messages are private: only the messages that they send are altered.
const std::set<std::string_view> private_ones{"round-robin", "planned", "overlay-only", "client",
                                              "program"};

// Options by chance from the words and switches of a scheduler, as far as it accepts them.
std::any draw_options(const agents::Scheduler& scheduler, const agents::World& world, Rng& rng) {
  std::any options = scheduler.defaults();
  for (const core::Setting& setting : scheduler.settings)
    if (setting.name == "command")
      setting.assign(scheduler.address(options),
                     "python3 " + test::shipped("scenarios/programs/work_stealing.py"));
  for (const core::Setting& setting : scheduler.settings) {
    const bool truth = setting.kind == core::SettingKind::boolean;
    if ((setting.choices.empty() && !truth) || !rng.chance(0.3)) continue;
    std::any tried = options;
    setting.assign(scheduler.address(tried),
                   truth ? core::SettingValue(rng.chance(0.5))
                         : core::SettingValue(setting.choices[rng.below(setting.choices.size())]));
    if (scheduler.refusal(tried, world).empty()) options = tried;
  }
  return options;
}

// Jobs of different sizes, so that an id that some job has may be one that its own has not.
agents::World uneven_world(Rng& rng) {
  test::World world = test::small_world({.jobs = static_cast<std::uint32_t>(1 + rng.below(4)),
                                         .portions = static_cast<std::uint32_t>(1 + rng.below(5))});
  for (agents::Job& job : world.workload.jobs)
    job.portions.resize(1 + rng.below(job.portions.size()));
  return world.settle();
}

class Bedlam {
 public:
  Bedlam(const agents::Scheduler& scheduler, std::uint64_t seed)
      : rng_(Rng::derive({seed}, scheduler.name)),
        world_(uneven_world(rng_)),
        options_(draw_options(scheduler, world_, rng_)),
        run_(scheduler.prepare(options_, world_, [] { return false; })),
        inputs_(world_.arrivals(), run_.entries, {}) {
    for (std::uint32_t i = 0; i < world_.peers(); ++i) begin(PeerId{i}, {});
  }

  void run() {
    for (int step = 0; step < 150; ++step) act();
  }

 private:
  struct Letter {
    core::PacketHeader header;
    Bytes payload;
  };
  struct Life {
    std::unique_ptr<core::Peer> peer;
    std::vector<core::Arm> timers;
    std::vector<core::StartWork> works;
  };

  void begin(PeerId id, core::Incarnation incarnation) {
    if (id.value == lives_.size()) lives_.emplace_back();
    Life& life = lives_[id.value];
    life = {.peer = std::make_unique<core::Peer>(id, incarnation, 1), .timers = {}, .works = {}};
    run_.equip(*life.peer);
    with_effects(life, [&](core::Effects& out) { life.peer->start(now_, out); });
  }

  void act() {
    const std::uint64_t dice = rng_.below(100);
    Life& life = lives_[rng_.below(lives_.size())];
    if (dice < 5) {
      hand_in();
    } else if (dice < 35) {
      deliver_letter(false);
    } else if (dice < 50) {
      deliver_letter(true);
    } else if (dice < 72) {
      deliver_anything(life);
    } else if (dice < 88) {
      fire(life);
    } else if (dice < 95) {
      complete(life);
    } else if (dice < 97) {
      begin(life.peer->id(), {life.peer->incarnation().value + 1});
    } else {
      now_ += std::chrono::milliseconds(rng_.below(20'000));
    }
  }

  void hand_in() {
    const auto input = inputs_.next({});
    if (!input) return;
    Life& life = lives_[input->peer.value];
    with_effects(life, [&](core::Effects& out) { life.peer->hear(now_, *input, out); });
  }

  void deliver_letter(bool alter) {
    if (letters_.empty()) return;
    const std::size_t i = rng_.below(letters_.size());
    Letter letter = letters_[i];
    if (alter) {
      letter.payload = test::altered(letter.payload, rng_);
    } else if (rng_.chance(0.8)) {  // else it comes again
      letters_.erase(letters_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    const bool astray = rng_.chance(0.1);
    Life& to = lives_[astray ? rng_.below(lives_.size()) : letter.header.to.value];
    deliver(to, letter);
  }

  void deliver_anything(Life& life) {
    const auto services = life.peer->services();
    const std::size_t service = rng_.below(services.size());
    if (private_ones.contains(services[service]->name())) return;
    const auto vocabulary = vocabularies.find(services[service]->name());
    REQUIRE(vocabulary != vocabularies.end());
    test::ArbitraryMessage message = vocabulary->second(rng_);
    Letter letter;
    letter.header.from = PeerId{static_cast<std::uint32_t>(rng_.below(world_.peers()))};
    letter.header.service = static_cast<std::uint8_t>(service);
    letter.header.type = message.type;
    letter.payload = std::move(message.payload);
    deliver(life, letter);
  }

  void deliver(Life& life, const Letter& letter) {
    core::PacketHeader header = letter.header;
    header.to = life.peer->id();
    with_effects(life, [&](core::Effects& out) {
      life.peer->deliver(now_, {header, letter.payload}, out);
    });
  }

  void fire(Life& life) {
    if (life.timers.empty()) return;
    const auto next =
        rng_.chance(0.7)
            ? std::min_element(life.timers.begin(), life.timers.end(),
                               [](const auto& a, const auto& b) { return a.due < b.due; })
            : life.timers.begin() + static_cast<std::ptrdiff_t>(rng_.below(life.timers.size()));
    const core::Arm timer = *next;
    life.timers.erase(next);
    now_ = std::max(now_, std::min(timer.due, now_ + std::chrono::hours(1)));
    with_effects(life, [&](core::Effects& out) { life.peer->fire(now_, timer.id, out); });
  }

  void complete(Life& life) {
    if (life.works.empty()) return;
    const auto ended =
        life.works.begin() + static_cast<std::ptrdiff_t>(rng_.below(life.works.size()));
    const core::WorkDone done{.id = ended->id, .took = ended->duration};
    life.works.erase(ended);
    with_effects(life, [&](core::Effects& out) { life.peer->complete(now_, done, out); });
  }

  template <class Event>
  void with_effects(Life& life, Event event) {
    constexpr std::size_t too_many = 20'000;
    core::Effects out;
    event(out);
    REQUIRE(out.list.size() < too_many);
    for (const core::Effect& effect : out.list) perform(life, effect, out);
  }

  void perform(Life& life, const core::Effect& effect, const core::Effects& out) {
    if (const auto* send = std::get_if<core::Send>(&effect)) {
      post(out.packet(*send));
    } else if (const auto* arm = std::get_if<core::Arm>(&effect)) {
      life.timers.push_back(*arm);
    } else if (const auto* cancel = std::get_if<core::Cancel>(&effect)) {
      std::erase_if(life.timers, [&](const core::Arm& t) { return t.id == cancel->id; });
    } else if (const auto* work = std::get_if<core::StartWork>(&effect)) {
      CHECK(work->duration >= core::Duration::zero());
      CHECK(work->size <= core::Recipe::longest);
      life.works.push_back(*work);
    } else if (const auto* stop = std::get_if<core::StopWork>(&effect)) {
      std::erase_if(life.works, [&](const core::StartWork& w) { return w.id == stop->id; });
    }
  }

  // A peer that sends to an address that does not exist has used an address from a message
  // unchecked.
  void post(const core::Packet& packet) {
    constexpr std::size_t most = 400;
    CHECK(packet.header.to.value < world_.peers());
    if (packet.header.to.value >= world_.peers()) return;
    if (letters_.size() == most) letters_.erase(letters_.begin());
    letters_.push_back({packet.header, {packet.payload.begin(), packet.payload.end()}});
  }

  Rng rng_;
  agents::World world_;
  std::any options_;
  agents::Deployment run_;
  scenarios::HandedIn inputs_;
  std::vector<Life> lives_;
  std::vector<Letter> letters_;
  core::Time now_{};
};

}  // namespace

TEST_CASE("peers of every scheduler stand whatever strangers say, in any order") {
  const std::uint64_t runs = number_from("RHIZOME_FUZZ_RUNS", 1'500);
  const std::uint64_t first = number_from("RHIZOME_FUZZ_SEED", 1);
  for (const agents::Scheduler* scheduler : test::ready_schedulers())
    for (std::uint64_t seed = first; seed < first + runs; ++seed) {
      INFO("replay: RHIZOME_FUZZ_SEED=" << seed << " RHIZOME_FUZZ_RUNS=1, " << scheduler->name);
      Bedlam(*scheduler, seed).run();
    }
}

// A test of its own, because processes take longer to start than everything else here.
TEST_CASE("peers that are programs stand whatever strangers say") {
  const agents::Scheduler& scheduler = *agents::find_scheduler("program");
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    INFO("seed " << seed);
    Bedlam(scheduler, seed).run();
  }
}

}  // namespace rhizome::hostile_fuzz_test
