#include "core/peer/access.hpp"

#include <doctest/doctest.h>

#include "core/peer/simulated_payload.hpp"

namespace rhizome::access_test {

using namespace std::chrono_literals;
using core::AccessLine;
using core::Channel;
using core::Incarnation;
using core::Rate;
using core::Time;

namespace {

constexpr Rate byte_a_microsecond{8'000'000};

Time at(core::Duration duration) { return Time{} + duration; }

}  // namespace

TEST_CASE("a packet takes its size over the rate, behind earlier packets") {
  Channel channel(byte_a_microsecond);
  CHECK(channel.pass(at(10us), 100) == at(110us));
  CHECK(channel.pass(at(20us), 50) == at(160us));
  CHECK(channel.pass(at(500us), 1) == at(501us));
  const core::ChannelUsage usage = channel.usage(at(1s));
  CHECK(usage.packets == 3);
  CHECK(usage.busy == 151us);
  CHECK(usage.waited == 90us);
  CHECK(usage.longest == 90us);
}

TEST_CASE("the total wait of millions of packets saturates instead of overflowing") {
  Channel channel(Rate{1});
  static_cast<void>(channel.pass(at(0us), 500'000'000));  // 127 years
  for (int i = 0; i < 5; ++i) static_cast<void>(channel.pass(at(0us), 1));
  CHECK(channel.usage(at(1s)).waited == core::Duration::max());
}

TEST_CASE("a channel without a rate delays nothing and is never busy") {
  Channel channel(Rate{});
  CHECK(channel.pass(at(10us), 1'000'000'000) == at(10us));
  CHECK(channel.pass(at(10us), 1) == at(10us));
  CHECK(channel.usage(at(1s)).packets == 2);
  CHECK(channel.usage(at(1s)).busy == 0us);
}

TEST_CASE("a transmission that is cut off keeps the channel busy only until then") {
  Channel channel(byte_a_microsecond);
  CHECK(channel.pass(at(0us), 100) == at(100us));
  CHECK(channel.pass(at(0us), 100) == at(200us));
  CHECK(channel.usage(at(150us)).busy == 150us);
  channel.cut(at(120us));
  CHECK(channel.usage(at(1s)).busy == 120us);
  CHECK(channel.pass(at(130us), 10) == at(140us));
  CHECK(channel.usage(at(1s)).busy == 130us);
}

TEST_CASE("the two directions of a line do not hinder each other") {
  AccessLine line({.up = byte_a_microsecond, .down = Rate{4'000'000}});
  CHECK(line.send(at(0us), 100) == at(100us));
  CHECK(line.receive(at(0us), 100) == at(200us));
  CHECK(line.send(at(0us), 100) == at(200us));
}

TEST_CASE("a crash empties both queues, and drops only packets that this life had queued") {
  AccessLine line({.up = byte_a_microsecond, .down = byte_a_microsecond});
  CHECK(line.send(at(0us), 1000) == at(1000us));
  CHECK(line.receive(at(0us), 1000) == at(1000us));
  CHECK_FALSE(line.lost(Incarnation{0}));
  line.crash(at(50us), Incarnation{0});
  CHECK(line.lost(Incarnation{0}));
  CHECK_FALSE(line.lost(Incarnation{1}));
  CHECK(line.send(at(60us), 10) == at(70us));
  CHECK(line.receive(at(60us), 10) == at(70us));
}

TEST_CASE("a peer that leaves still sends its queue, and receives nothing more") {
  AccessLine line({.up = byte_a_microsecond, .down = byte_a_microsecond});
  CHECK(line.send(at(0us), 1000) == at(1000us));
  CHECK(line.receive(at(0us), 1000) == at(1000us));
  line.leave(at(50us));
  CHECK_FALSE(line.lost(Incarnation{0}));
  CHECK(line.send(at(60us), 10) == at(1010us));
  CHECK(line.receive(at(60us), 10) == at(70us));
}

TEST_CASE("a line notes what each direction carried and how long packets waited") {
  AccessLine line({.up = byte_a_microsecond, .down = Rate{4'000'000}});
  for (int i = 0; i < 3; ++i) static_cast<void>(line.send(at(0us), 100));
  static_cast<void>(line.receive(at(0us), 100));
  CHECK(line.usage(at(1s)).up.packets == 3);
  CHECK(core::seconds(line.usage(at(1s)).up.busy) == doctest::Approx(300e-6));
  CHECK(core::seconds(line.usage(at(250us)).up.busy) == doctest::Approx(250e-6));
  CHECK(line.usage(at(1s)).up.longest.count() == 200'000);
  CHECK(core::seconds(line.usage(at(1s)).up.waited) == doctest::Approx(300e-6));
  CHECK(core::seconds(line.usage(at(1s)).down.busy) == doctest::Approx(200e-6));
  CHECK(core::seconds(line.usage(at(1s)).down.waited) == 0);
}

TEST_CASE(
    "simulated payload weighs by the tasks or the results that a packet moves, and not by its "
    "kind") {
  const core::SimulatedPayload simulated_payload{.task = 1000, .result = 10};
  const auto weight = [&](core::MessageClass message_class) {
    return simulated_payload.weigh({{.message_class = message_class, .units = 3}, {}});
  };
  CHECK(weight(core::MessageClass::job) == core::header_bytes + 3000);
  CHECK(weight(core::MessageClass::result) == core::header_bytes + 30);
  CHECK(weight(core::MessageClass::information) == core::header_bytes);
}

}  // namespace rhizome::access_test
