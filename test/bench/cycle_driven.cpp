// The baseline of Cyclon: see cycle_driven in overlays.hpp.
#include <algorithm>
#include <array>
#include <vector>

#include "core/peer/rng.hpp"
#include "overlay/cyclon.hpp"
#include "test/bench/overlays.hpp"

namespace rhizome::bench {

namespace {

constexpr std::size_t view_size = overlay::CyclonOptions{}.view;
constexpr std::size_t shuffle_size = overlay::CyclonOptions{}.shuffle;

struct Link {
  std::uint32_t peer = 0;
  std::uint32_t age = 0;
};

// Up to N links in place.
template <std::size_t N>
struct Links {
  std::array<Link, N> items;
  std::size_t size = 0;

  void add(Link link) { items[size++] = link; }
  Link* begin() { return items.data(); }
  Link* end() { return items.data() + size; }
  Link* find(std::uint32_t peer) {
    return std::find_if(begin(), end(), [peer](const Link& link) { return link.peer == peer; });
  }
};

using View = Links<view_size>;
using Sample = Links<shuffle_size>;

class CycleDriven {
 public:
  explicit CycleDriven(std::uint32_t peers) : rng_(1), views_(peers) {
    for (std::uint32_t peer = 0; peer < peers; ++peer)
      while (views_[peer].size < view_size) {
        const auto drawn = static_cast<std::uint32_t>(rng_.below(peers));
        if (drawn != peer && views_[peer].find(drawn) == views_[peer].end())
          views_[peer].add({.peer = drawn});
      }
  }

  void cycle() {
    for (std::uint32_t peer = 0; peer < views_.size(); ++peer) shuffle(peer);
  }

 private:
  void shuffle(std::uint32_t peer) {
    View& view = views_[peer];
    for (Link& link : view) ++link.age;
    Link* oldest = std::max_element(view.begin(), view.end(),
                                    [](const Link& a, const Link& b) { return a.age < b.age; });
    const std::uint32_t partner = oldest->peer;
    *oldest = view.items[--view.size];
    Sample request = draw(view, shuffle_size - 1);
    Sample reply = draw(views_[partner], shuffle_size);
    Sample sent = request;
    sent.add({.peer = peer});
    merge(partner, sent, reply);
    merge(peer, reply, request);
  }

  Sample draw(View& view, std::size_t links) {
    Sample drawn;
    links = std::min(links, view.size);
    std::size_t left = view.size;
    for (const Link& link : view) {
      if (drawn.size == links) break;
      if (rng_.below(left--) < links - drawn.size) drawn.add(link);
    }
    return drawn;
  }

  // Empty slots first, then those of links that were sent away.
  void merge(std::uint32_t self, Sample& received, Sample sent_away) {
    View& view = views_[self];
    for (const Link& link : received) {
      if (link.peer == self || view.find(link.peer) != view.end()) continue;
      if (view.size < view_size) {
        view.add(link);
        continue;
      }
      Link* slot = view.end();
      while (slot == view.end() && sent_away.size > 0)
        slot = view.find(sent_away.items[--sent_away.size].peer);
      if (slot == view.end()) return;
      *slot = link;
    }
  }

  core::Rng rng_;
  std::vector<View> views_;
};

}  // namespace

Measurement cycle_driven(const BenchLoad& load) {
  const double resident_before = resident_bytes();
  const Stopwatch starting;
  CycleDriven simulator(load.peers);
  Measurement measured{.startup = starting.seconds()};

  const Stopwatch running;
  std::uint32_t cycle = 0;
  for (; load.goes_on(cycle, running); ++cycle) simulator.cycle();
  measured.seconds = running.seconds();
  measured.resident_bytes = peak_bytes() - resident_before;
  measured.count = static_cast<double>(load.peers) * cycle;
  return measured;
}

}  // namespace rhizome::bench
