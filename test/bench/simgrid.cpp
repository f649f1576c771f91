// Gossip on SimGrid S4U 3.32: see SimGridForm in systems.hpp.
#include <array>
#include <deque>
#include <simgrid/s4u.hpp>
#include <string>

#include <simgrid/version.h>  // incomplete without the other

#include "core/peer/rng.hpp"
#include "test/bench/systems.hpp"

namespace rhizome::bench {

namespace {

namespace s4u = simgrid::s4u;

struct Message {
  std::uint32_t hops = 0;
  std::array<char, 100> payload{};
};

struct Gossip {
  SimGridForm form;
  std::vector<s4u::Mailbox*> mailboxes;
  std::uint64_t handled = 0;
};

// One peer. An actor's messages start on their way before it asks for them, because it is the
// declared receiver of its mailbox: otherwise they would wait for each other.
class Actor {
 public:
  Actor(Gossip& gossip, std::size_t id)
      : gossip_(&gossip), id_(id), rng_(core::Rng::derive({1, id}, "peer")) {}

  void operator()() {
    s4u::Mailbox* mailbox = gossip_->mailboxes[id_];
    mailbox->set_receiver(s4u::Actor::self());
    if (id_ % 2 == 0) forward(new Message);  // never freed: tokens wander for ever
    for (;;) {
      auto* message = mailbox->get<Message>();
      ++message->hops;
      ++gossip_->handled;
      forward(message);
    }
  }

 private:
  void forward(Message* message) {
    const std::uint64_t drawn = rng_.below(gossip_->mailboxes.size() - 1);
    s4u::Mailbox* to = gossip_->mailboxes[drawn + (drawn >= id_ ? 1 : 0)];
    const s4u::CommPtr put = to->put_init(message, sizeof message->payload);
    if (gossip_->form.puts == SimGridForm::Puts::detached) {
      put->detach();
      return;
    }
    kept_.push_back(put);
    put->start();
    if (kept_.size() > 64) {
      kept_.front()->wait();
      kept_.pop_front();
    }
  }

  Gossip* gossip_;
  std::size_t id_;
  core::Rng rng_;
  std::deque<s4u::CommPtr> kept_;
};

void configure(SimGridForm::Network network) {
  s4u::Engine::set_config("contexts/factory:raw");
  s4u::Engine::set_config("contexts/stack-size:64");  // KiB
  s4u::Engine::set_config("contexts/guard-size:0");
  if (network == SimGridForm::Network::constant) {
    s4u::Engine::set_config("network/model:Constant");
    s4u::Engine::set_config("network/latency-factor:0.001");  // the seconds that a message takes
  } else {
    s4u::Engine::set_config("network/model:CM02");  // without the corrections for TCP
    s4u::Engine::set_config("network/crosstraffic:0");
    s4u::Engine::set_config("network/TCP-gamma:0");
  }
}

s4u::Host* build_platform(SimGridForm::Network network) {
  if (network == SimGridForm::Network::constant) {
    s4u::NetZone* zone = s4u::create_empty_zone("zone");
    s4u::Host* host = zone->create_host("host", 1e9);
    zone->seal();
    return host;
  }
  s4u::NetZone* zone = s4u::create_full_zone("zone");
  s4u::Host* host = zone->create_host("host", 1e9);
  s4u::Link* link = zone->create_link("link", 1e12);
  link->set_latency(0.001)->set_sharing_policy(s4u::Link::SharingPolicy::FATPIPE)->seal();
  zone->add_route(host->get_netpoint(), host->get_netpoint(), nullptr, nullptr,
                  {s4u::LinkInRoute(link)}, false);
  zone->seal();
  return host;
}

}  // namespace

Measurement simgrid(const BenchLoad& load, const SimGridForm& form) {
  const double resident_before = resident_bytes();
  std::string name = "rhizome_bench";
  std::string quiet = "--log=root.thres:error";
  std::array<char*, 3> arguments{name.data(), quiet.data(), nullptr};
  int count = 2;

  const Stopwatch starting;
  // Neither is ever destroyed: the process ends with its actors in the middle of their talk.
  s4u::Engine& engine = *new s4u::Engine(&count, arguments.data());
  configure(form.network);
  s4u::Host* host = build_platform(form.network);
  Gossip& gossip = *new Gossip{.form = form, .mailboxes = {}};
  for (std::uint32_t i = 0; i < load.peers; ++i)
    gossip.mailboxes.push_back(s4u::Mailbox::by_name(std::to_string(i)));
  for (std::uint32_t i = 0; i < load.peers; ++i)
    s4u::Actor::create(std::to_string(i), host, Actor(gossip, i));
  double until = 0.0005;  // all actors run up to their first receive, and no message arrives
  engine.run_until(until);
  Measurement measured{.startup = starting.seconds()};

  const Stopwatch running;
  while (running.seconds() < load.seconds) engine.run_until(until += 0.001);
  measured.seconds = running.seconds();
  measured.count = static_cast<double>(gossip.handled);
  measured.resident_bytes = resident_bytes() - resident_before;
  return measured;
}

std::optional<std::string> simgrid_version() {
  return std::to_string(SIMGRID_VERSION_MAJOR) + "." + std::to_string(SIMGRID_VERSION_MINOR);
}

}  // namespace rhizome::bench
