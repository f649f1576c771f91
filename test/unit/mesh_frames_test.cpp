// Formats of a link: records, frames, batches and descriptors, written and refused.
#include <doctest/doctest.h>

#include <string>
#include <variant>
#include <vector>

#include "core/mesh/entrance.hpp"
#include "core/mesh/frame.hpp"
#include "core/mesh/process_descriptor.hpp"
#include "core/mesh/record.hpp"
#include "core/mesh/send_queue.hpp"
#include "core/peer/rng.hpp"
#include "test/support/crossing.hpp"

namespace rhizome::core::mesh_frames_test {

namespace {

const PacketHeader header{.from = PeerId{1},
                          .to = PeerId{0x01020304},
                          .to_incarnation = Incarnation{3},
                          .service = 4,
                          .type = 5,
                          .message_class = MessageClass::result,
                          .cause = Cause::probe,
                          .units = 7,
                          .declared_bytes = 0x0102030405060708,
                          .sent = Time{Duration{-8}},
                          .due = Time{Duration{9}}};

Bytes bytes_of(std::initializer_list<int> values) {
  Bytes bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

Bytes record_of(std::span<const std::byte> payload) {
  Bytes bytes;
  put_record(bytes, header, payload);
  return bytes;
}

// All records in there; nothing where one of them is none.
std::optional<std::vector<Record>> records_in(std::span<const std::byte> bytes) {
  std::vector<Record> records;
  while (!bytes.empty()) {
    const auto record = take_record(bytes);
    if (!record) return {};
    records.push_back(*record);
  }
  return records;
}

// A run of four peers: 0 and 2 are of process 0, where this is, and the others of process 5.
RunOfMany run_of_two() {
  return {.number = 3, .share = {Placement::round_robin(4, 2), 0}, .peers = 4, .processes = {0, 5}};
}

Bytes packet_between(std::uint32_t from, std::uint32_t to) {
  Bytes bytes;
  put_record(bytes, {.from = PeerId{from}, .to = PeerId{to}}, {});
  return bytes;
}

ProcessDescriptor descriptor_of(const std::string& host) {
  return {.process = {.host = host,
                      .version = "1",
                      .build = "program a on x86_64, little-endian",
                      .subjects = {{"the scenario", "a"}, {"jobs.txt", "b"}}},
          .key = "k",
          .endpoints = {"", "e"}};
}

}  // namespace

TEST_CASE("a packet comes out as it went in, whatever the order of bytes of the machine") {
  const Bytes payload = bytes_of({1, 2, 3});
  const Bytes bytes = record_of(payload);
  CHECK(bytes.size() == 1 + 44 + 4 + 3);
  CHECK(Bytes(bytes.begin(), bytes.begin() + 9) == bytes_of({0, 1, 0, 0, 0, 4, 3, 2, 1}));
  std::span<const std::byte> rest = bytes;
  const auto record = take_record(rest);
  REQUIRE(record);
  CHECK(rest.empty());
  const auto& packet = std::get<Packet>(*record);
  CHECK(packet.header.from == header.from);
  CHECK(packet.header.to == header.to);
  CHECK(packet.header.to_incarnation == header.to_incarnation);
  CHECK(packet.header.service == header.service);
  CHECK(packet.header.type == header.type);
  CHECK(packet.header.message_class == header.message_class);
  CHECK(packet.header.cause == header.cause);
  CHECK(packet.header.units == header.units);
  CHECK(packet.header.declared_bytes == header.declared_bytes);
  CHECK(packet.header.sent == header.sent);
  CHECK(packet.header.due == header.due);
  CHECK(Bytes(packet.payload.begin(), packet.payload.end()) == payload);
}

TEST_CASE("records stand one behind the other") {
  Bytes bytes;
  put_record(bytes, NewLife{PeerId{4}, Incarnation{2}});
  put_record(bytes, header, bytes_of({1}));
  const auto records = records_in(bytes);
  REQUIRE(records);
  REQUIRE(records->size() == 2);
  CHECK(std::get<NewLife>(records->front()) == NewLife{PeerId{4}, Incarnation{2}});
  CHECK(std::get<Packet>(records->back()).payload.size() == 1);
}

TEST_CASE("a record that was cut short or has an unknown kind is refused") {
  const Bytes whole = record_of(bytes_of({1, 2, 3}));
  for (std::size_t length = 1; length < whole.size(); ++length)
    CHECK_FALSE(records_in(std::span(whole).first(length)).has_value());
  const auto with = [&whole](std::size_t place, int value) {
    Bytes damaged = whole;
    damaged[place] = static_cast<std::byte>(value);
    return records_in(damaged).has_value();
  };
  CHECK(with(13, 9));          // of any service
  CHECK_FALSE(with(0, 2));     // no such kind
  CHECK_FALSE(with(15, 200));  // no such class
  CHECK_FALSE(with(16, 200));  // no such cause
  CHECK_FALSE(with(45, 4));    // longer than there is
  CHECK_FALSE(with(48, 255));  // longer than anything may be
}

TEST_CASE("whatever bytes come, reading them ends, and within them") {
  Rng rng = Rng::derive({1}, "bytes of a stranger");
  const Bytes whole = record_of(Bytes(40));
  for (int run = 0; run < 20'000; ++run) {
    Bytes bytes = run % 2 == 0 ? whole : Bytes(rng.below(120));
    for (std::uint64_t flips = 1 + rng.below(6); flips > 0 && !bytes.empty(); --flips)
      bytes[rng.below(bytes.size())] = static_cast<std::byte>(rng.below(256));
    if (const auto records = records_in(bytes))
      for (const Record& record : *records)
        if (const auto* packet = std::get_if<Packet>(&record); packet && !packet->payload.empty())
          CHECK(&packet->payload.back() <= &bytes.back());
    if (const auto frame = read_frame(bytes)) {
      static_cast<void>(read_ping(*frame));
      static_cast<void>(read_pong(*frame));
      CHECK(frame->body.size() + frame_head == bytes.size());
    }
  }
}

TEST_CASE("a send queue counts the packets that it has taken in a run, by class") {
  Bell bell;
  SendQueue send_queue(bell, 1000);
  send_queue.begin(1);
  const Bytes payload = bytes_of({1, 2, 3});
  CHECK_FALSE(send_queue.put(header, payload));
  CHECK_FALSE(send_queue.put(header, payload));
  const BurdensByClass burdens = send_queue.burdens();
  CHECK(burdens[static_cast<std::size_t>(MessageClass::result)] == Burden{2, 86, 14});
  CHECK(burdens[static_cast<std::size_t>(MessageClass::job)] == Burden{});
  send_queue.begin(2);
  CHECK(send_queue.burdens() == BurdensByClass{});
}

TEST_CASE("frames keep their kind, and pings and pongs their times") {
  const Bytes body = bytes_of({9});
  const Bytes bytes = frame_of(LinkFrame::Kind::letter, 258, body);
  CHECK(Bytes(bytes.begin(), bytes.begin() + 5) == bytes_of({1, 2, 1, 0, 0}));
  const auto frame = read_frame(bytes);
  REQUIRE(frame);
  CHECK(frame->kind == LinkFrame::Kind::letter);
  CHECK(frame->number == 258);
  CHECK(frame->body.size() == 1);
  CHECK_FALSE(read_frame(bytes_of({10, 0, 0, 0, 0})).has_value());
  CHECK_FALSE(read_frame(bytes_of({0, 0, 0, 0})).has_value());

  CHECK(read_ready(*read_frame(ready_of(ClockTime{5}))) == ClockTime{5});
  CHECK_FALSE(read_ready(*read_frame(ready_of(ClockTime{-1}))).has_value());
  const Bytes ping = ping_of(ClockTime{-5});
  CHECK(read_ping(*read_frame(ping)) == ClockTime{-5});
  CHECK_FALSE(read_pong(*read_frame(ping)).has_value());
  const PongTimes times{ClockTime{1}, ClockTime{2}, ClockTime{3}};
  CHECK(read_pong(*read_frame(pong_of(times))) == times);
}

TEST_CASE(
    "packets that gather in a send queue travel together, cut where it is long, letters first") {
  Bell bell;
  SendQueue send_queue(bell, std::size_t{1} << 20U);
  send_queue.begin(6);
  const Bytes payload(1000);
  for (int i = 0; i < 100; ++i) CHECK_FALSE(send_queue.put(header, payload).has_value());
  send_queue.begins({PeerId{2}, Incarnation{1}});
  send_queue.say(frame_of(LinkFrame::Kind::letter, 6));
  CHECK(send_queue.packets() == 100);
  CHECK(read_frame(*send_queue.next())->kind == LinkFrame::Kind::letter);
  std::size_t records = 0;
  std::size_t frames = 0;
  while (const auto bytes = send_queue.next()) {
    const auto frame = read_frame(*bytes);
    CHECK(frame->kind == LinkFrame::Kind::batch);
    CHECK(frame->number == 6);
    CHECK(bytes->size() < full_batch + 2000);
    records += records_in(frame->body)->size();
    ++frames;
  }
  CHECK(records == 101);
  CHECK(frames == 2);
  CHECK(send_queue.empty());
}

TEST_CASE(
    "a send queue refuses packets when too much waits, when one is too long, and once it is "
    "closed") {
  Bell bell;
  SendQueue send_queue(bell, 5000);
  const Bytes payload(1000);
  for (int i = 0; i < 5; ++i) CHECK_FALSE(send_queue.put(header, payload).has_value());
  CHECK(send_queue.put(header, payload) == Drop::congested);
  static_cast<void>(send_queue.next());
  CHECK_FALSE(send_queue.put(header, payload).has_value());
  CHECK(send_queue.put(header, Bytes(longest_payload + 1)) == Drop::oversized);
  CHECK(send_queue.packets() == 6);
  send_queue.close();
  CHECK(send_queue.put(header, payload) == Drop::machine);
  CHECK(send_queue.empty());
  CHECK(send_queue.packets() == 6);
}

TEST_CASE("a send queue of a new run carries nothing of the one before") {
  Bell bell;
  SendQueue send_queue(bell, 5000);
  CHECK_FALSE(send_queue.put(header, {}).has_value());
  send_queue.begin(2);
  CHECK(send_queue.empty());
  CHECK(send_queue.packets() == 0);
}

TEST_CASE("only packets of the sender's peers for peers of this process come in") {
  test::Inside inside;
  Entrance entrance(6);
  entrance.open(run_of_two(), inside);
  CHECK(entrance.take(5, 3, packet_between(1, 2)));
  CHECK_FALSE(entrance.take(5, 3, packet_between(2, 0)));  // from a peer of this process
  CHECK_FALSE(entrance.take(5, 3, packet_between(1, 3)));  // peer 4 is not in the run
  CHECK_FALSE(entrance.take(5, 3, packet_between(4, 0)));  // peer 4 is not in the run
  CHECK_FALSE(entrance.take(5, 3, packet_between(1, 4)));  // for no peer
  CHECK_FALSE(entrance.take(4, 3, packet_between(1, 2)));  // of a process without a share
  CHECK_FALSE(entrance.take(5, 3, bytes_of({7})));
  CHECK(inside.packets() == 1);
  Bytes lives;
  put_record(lives, NewLife{PeerId{3}, Incarnation{1}});
  CHECK(entrance.take(5, 3, lives));
  put_record(lives, NewLife{PeerId{2}, Incarnation{1}});
  CHECK_FALSE(entrance.take(5, 3, lives));
  CHECK(inside.lives() == 2);
  CHECK(entrance.came_from(5).packets == 1);
  CHECK(entrance.came_from(5).all == 3);
}

TEST_CASE("packets for a run that is over are dropped") {
  test::Inside inside;
  Entrance entrance(6);
  CHECK(entrance.take(5, 3, packet_between(1, 2)));
  entrance.open(run_of_two(), inside);
  CHECK(entrance.take(5, 2, packet_between(1, 2)));
  entrance.close();
  CHECK(entrance.take(5, 3, packet_between(1, 2)));
  CHECK(inside.packets() == 0);
}

TEST_CASE("descriptors are refused that cannot be read, or are of another program or scenario") {
  const std::string first = text_of(descriptor_of("h0"));
  CHECK(read_descriptors(std::vector{first, text_of(descriptor_of("h1"))})[1].process.host == "h1");
  ProcessDescriptor other = descriptor_of("h1");
  other.process.version = "2";
  CHECK_THROWS_WITH_AS(
      static_cast<void>(read_descriptors(std::vector{first, text_of(other)})),
      "process 1 on h1 is rhizome 2, and process 0 on h0 is 1: all have to be the same",
      Unreachable);
  other = descriptor_of("h1");
  other.process.subjects[1].fingerprint = "c";
  CHECK_THROWS_WITH_AS(static_cast<void>(read_descriptors(std::vector{first, text_of(other)})),
                       "process 1 on h1 has something else than process 0 on h0: jobs.txt differs",
                       Unreachable);
  const std::size_t dash = first.find('-');
  for (const std::string& text : std::vector<std::string>{
           "", "0", "zz", "00ff", "-", first.substr(0, dash), first.substr(dash)})
    CHECK_THROWS_AS(static_cast<void>(read_descriptors(std::vector{first, text})), Unreachable);
  other = descriptor_of("h1");
  other.endpoints.clear();
  CHECK_THROWS_AS(static_cast<void>(read_descriptors(std::vector{first, text_of(other)})),
                  Unreachable);
}

TEST_CASE("a process of another build, or on machines of another kind, is refused with both") {
  const std::string first = text_of(descriptor_of("h0"));
  ProcessDescriptor other = descriptor_of("h1");
  for (const std::string build :
       {"program b on x86_64, little-endian", "program a on s390x, big-endian"}) {
    other.process.build = build;
    CHECK_THROWS_WITH_AS(
        static_cast<void>(read_descriptors(std::vector{first, text_of(other)})),
        ("process 1 on h1 is another build of rhizome 1 than process 0 on h0: " + build +
         ", and program a on x86_64, little-endian: all have to be the same")
            .c_str(),
        Unreachable);
  }
}

TEST_CASE("an unreadable descriptor of another version is refused with both versions") {
  const std::string first = text_of(descriptor_of("h0"));
  ProcessDescriptor other = descriptor_of("h1");
  other.process.version = "2";
  const std::string text = text_of(other);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(
          read_descriptors(std::vector{first, text.substr(0, text.find('-') + 1) + "c0"})),
      "process 1 on h1 is rhizome 2, and process 0 on h0 is 1: all have to be the same",
      Unreachable);
}

}  // namespace rhizome::core::mesh_frames_test
