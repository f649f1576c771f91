// The peers that a Sparrow peer probes: the view that its links come from, and the peers left out.
#include "agents/sparrow/next_hop_selector.hpp"

#include <doctest/doctest.h>

#include <set>

#include "overlay/t_man.hpp"
#include "test/support/lone_sparrow.hpp"

namespace rhizome::sparrow_next_hop_selector_test {

using core::PeerId;
using test::LoneSparrow;
using test::other;
using test::probing;
using test::third;
using namespace agents::sparrow;

namespace {

// The peers probed for eight tasks, while the peer's gradient knows `third` only.
std::set<PeerId> probed(ViewSource view, std::uint32_t probes) {
  Options options = probing(probes);
  options.view = view;
  LoneSparrow alone(options);
  const overlay::Descriptor best{.peer = third};
  alone.peer.deliver_to<overlay::TMan>(third, overlay::Exchange{best, {best}});
  alone.peer.forget();
  for (std::uint32_t job = 0; job < 8; ++job) alone.adopt({{job, 0}});
  std::set<PeerId> peers;
  for (const auto& [to, probe] : alone.peer.sent<Probe>()) peers.insert(to);
  return peers;
}

}  // namespace

TEST_CASE("probes follow the gradient, or both views, as the options say") {
  CHECK(probed(ViewSource::gradient, 1) == std::set<PeerId>{third});
  CHECK(probed(ViewSource::both, 3) == std::set<PeerId>{PeerId{0}, other, third});
}

TEST_CASE("a peer taken for dead is not probed, though its link is still there") {
  Options options = probing(3);
  options.shuffle_period = core::Duration::zero();  // the view never changes
  LoneSparrow alone(options);
  alone.adopt({{0, 0}});
  CHECK(alone.peer.sent<Probe>().size() == 3);
  alone.peer.deliver(other, Deposited{{0, 0}, 7});  // watched from now on
  alone.leaves(other);
  alone.peer.forget();
  alone.adopt({{1, 0}});
  CHECK(alone.peer.sent<Probe>().size() == 2);
  for (const auto& [to, probe] : alone.peer.sent<Probe>()) CHECK(to != other);
}

}  // namespace rhizome::sparrow_next_hop_selector_test
