// A correspondent answers beside a run, and tells its last at the end of it.
#include "core/engine/correspondent.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "test/support/boards.hpp"

namespace rhizome::correspondent_test {

using namespace std::chrono_literals;
using namespace core;

namespace {

class Desk final : public Post {
 public:
  void send(std::uint32_t, const Bytes& message) override {
    const auto said = control::decode(message);
    const std::scoped_lock lock(mutex_);
    sent_.push_back(aside::decode(std::get<control::Aside>(said.value()).said).value());
  }
  std::optional<Letter> receive(std::chrono::nanoseconds) override { return {}; }
  // The messages of one kind, once there are so many.
  template <class M>
  [[nodiscard]] std::vector<M> await(std::size_t count) {
    std::vector<M> found;
    for (int tries = 0; tries < 1000 && found.size() < count; ++tries) {
      found.clear();
      std::this_thread::sleep_for(5ms);
      const std::scoped_lock lock(mutex_);
      for (const aside::Message& each : sent_)
        if (const M* message = std::get_if<M>(&each)) found.push_back(*message);
    }
    return found;
  }
  [[nodiscard]] std::size_t count() {
    const std::scoped_lock lock(mutex_);
    return sent_.size();
  }

 private:
  std::mutex mutex_;
  std::vector<aside::Message> sent_;
};

const Share second(Placement::round_robin(4, 2), 1);

}  // namespace

TEST_CASE("a correspondent answers each call, and its callers get its last message at the end") {
  Desk desk;
  test::HandmadeBoard made(4);
  Correspondent correspondent(desk, second, 4, {});
  correspondent.watch(made.board());
  correspondent.hear(0, aside::encode(aside::Call{}));
  const auto first = desk.await<aside::News>(1);
  REQUIRE(first.size() == 1);
  CHECK_FALSE(first[0].last);
  CHECK(first[0].peers.size() == 2);
  made.send(3, MessageClass::job);
  correspondent.unwatch();
  const auto all = desk.await<aside::News>(2);
  REQUIRE(all.size() == 2);
  CHECK(all[1].last);
  REQUIRE(all[1].peers.size() == 1);
  CHECK(all[1].peers[0].peer == PeerId{3});
}

TEST_CASE("a correspondent without callers sends nothing, and obeys share 0 alone") {
  Desk desk;
  test::HandmadeBoard made(4);
  Correspondent correspondent(desk, second, 4, {});
  correspondent.watch(made.board());
  correspondent.hear(2, aside::encode(aside::Call{}));
  correspondent.hear(0, {std::byte{99}});
  correspondent.unwatch();
  CHECK(desk.count() == 0);
}

TEST_CASE("a fault by hand is told once the engine has done it, or with why it has not") {
  Desk desk;
  test::HandmadeBoard made(4);
  Correspondent correspondent(desk, second, 4, {});
  correspondent.watch(made.board());
  for (const std::uint32_t peer : {1U, 3U})
    correspondent.hear(0,
                       aside::encode(aside::Charge{
                           peer, {.kind = OperatorCommand::Kind::crash, .peers = {PeerId{peer}}}}));
  correspondent.steering().drain([](OperatorCommand& operator_command) {
    operator_command.at = Time{3s};
    return operator_command.peers[0].value == 1 ? "" : "peer 3 is down already";
  });
  // The two may end in either order.
  auto outcomes = desk.await<aside::ChargeResult>(2);
  REQUIRE(outcomes.size() == 2);
  if (outcomes[0].number > outcomes[1].number) std::swap(outcomes[0], outcomes[1]);
  CHECK(outcomes[0].number == 1);
  REQUIRE(outcomes[0].done);
  CHECK(outcomes[0].done->at == Time{3s});
  CHECK(outcomes[1].number == 3);
  CHECK_FALSE(outcomes[1].done);
  CHECK(outcomes[1].reason == "peer 3 is down already");
}

}  // namespace rhizome::correspondent_test
