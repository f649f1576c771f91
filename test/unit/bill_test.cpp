#include "tools/bill/bill.hpp"

#include <doctest/doctest.h>

#include "agents/facts.hpp"
#include "scenarios/outcome/tree.hpp"
#include "scenarios/text/input_error.hpp"
#include "scenarios/text/json.hpp"
#include "test/support/outcomes.hpp"
#include "tools/tree/measures.hpp"

namespace rhizome::bill_test {

using namespace scenarios;
using namespace tools;

TEST_CASE("a bill tells the purpose of all messages") {
  const Outcome outcome = test::busy_outcome();  // four jobs out, four results back
  const Bill bill = bill_of(outcome);
  CHECK(bill.completed == 4);
  CHECK(bill.total.messages == 8);
  REQUIRE(bill.items.size() == 2);
  CHECK(bill.items[0].sent.messages == 4);
  CHECK(bill.peers.front().peer == core::PeerId{0});
  CHECK(bill.peers.front().carried.messages == 8);
  CHECK(bill.hot_spot == doctest::Approx(2));  // the other two carry four each
  CHECK(bill.conservation.balanced());
}

TEST_CASE("a bill that does not balance says so") {
  Outcome outcome = test::busy_outcome();
  ++outcome.peers[0].sent;
  const Bill bill = bill_of(outcome);
  CHECK_FALSE(bill.conservation.balanced());
  CHECK(text_of(bill, 3).find("IT DOES NOT BALANCE") != std::string::npos);
  ++outcome.peers[1].drops[static_cast<std::size_t>(core::Drop::lost)];
  CHECK(bill_of(outcome).conservation.balanced());
}

TEST_CASE("a bill without the peers of a lost process says so, and not that it does not balance") {
  Outcome outcome = test::busy_outcome();
  outcome.lost.push_back({.peers = {core::PeerId{0}}, .why = "process 1 is lost"});
  ++outcome.peers[0].sent;
  const Bill bill = bill_of(outcome);
  CHECK(text_of(bill, 3).find("BALANCE") == std::string::npos);
  CHECK(text_of(bill, 3).find("without what the lost peers") != std::string::npos);
  CHECK(parse_json(json_of(bill)).value().at("conservation").at("balanced").is_null());
}

TEST_CASE("a bill does not count what the lost process of a source knew as zero") {
  Outcome outcome = test::busy_outcome();
  outcome.lost.push_back({.peers = {core::PeerId{0}}, .why = "process 1 is lost"});
  for (JobOutcome& job : outcome.jobs) job.portions = 0;
  const Bill bill = bill_of(outcome);
  CHECK(text_of(bill, 3).find("tasks completed") == std::string::npos);
  CHECK(text_of(bill, 3).find("is not known") != std::string::npos);
  CHECK(parse_json(json_of(bill)).value().at("completed").is_null());
}

TEST_CASE("a bill as JSON names every cause") {
  const auto json = parse_json(json_of(bill_of(test::busy_outcome())));
  REQUIRE(json.has_value());
  CHECK(json->at("schema") == "rhizome.bill/1");
  CHECK(json->at("causes").size() == 2);
  CHECK(json->at("conservation").at("balanced") == true);
}

TEST_CASE("a bill counts the cost of a task, in messages and in bytes, in every format") {
  const Bill bill = bill_of(test::busy_outcome());
  CHECK(bill.classes[static_cast<std::size_t>(core::MessageClass::job)].messages == 4);
  CHECK(bill.classes[static_cast<std::size_t>(core::MessageClass::result)].messages == 4);
  CHECK(text_of(bill, 1).find("B per task") != std::string::npos);
  CHECK(markdown_of(bill, 1).find("| sent, by class | messages |") != std::string::npos);
  CHECK(csv_of(bill).find("\"sent, by class\",\"job\",4,") != std::string::npos);
}

TEST_CASE("a peer counts at every depth for as long as it stood there") {
  Outcome outcome = test::busy_outcome();
  outcome.ended = core::Time{} + std::chrono::seconds(10);
  const core::PeerId root{0};
  outcome.facts = {};
  test::say(outcome, {}, root.value, agents::TaskSubmitted{});
  const auto move = [&](core::Duration when, std::uint32_t peer, std::uint32_t to) {
    test::say(outcome, when, peer,
              agents::ParentChanged{root, core::PeerId{to}, core::no_peer, "join"});
  };
  const core::Duration half = (outcome.ended - core::Time{}) / 2;
  move({}, 1, root.value);
  move({}, 2, 1);
  move(half, 2, root.value);
  const auto sojourns = sojourns_of(outcome);
  CHECK(sojourns[0].at(0) == doctest::Approx(1));
  CHECK(sojourns[1].at(1) == doctest::Approx(1));
  CHECK(sojourns[2].at(1) == doctest::Approx(0.5));
  CHECK(sojourns[2].at(2) == doctest::Approx(0.5));
}

TEST_CASE("depths of peers are kept in proportion to the peers and their moves") {
  constexpr std::uint32_t chain = 1500;
  Outcome outcome = test::quiet_outcome(2 * chain + 1);
  outcome.ended = core::Time{} + std::chrono::hours(1);
  const core::PeerId root{0};
  test::say(outcome, {}, root.value, agents::TaskSubmitted{});
  const auto move = [&](core::Duration when, std::uint32_t peer, std::uint32_t to) {
    test::say(outcome, when, peer,
              agents::ParentChanged{root, core::PeerId{to}, core::no_peer, "join"});
  };
  for (std::uint32_t i = 1; i < chain; ++i) move({}, i, i - 1);
  for (std::uint32_t i = chain + 1; i <= 2 * chain; ++i) move({}, i, chain);
  // The peer with all others below it goes down the chain.
  for (std::uint32_t i = 0; i < chain; ++i) move(std::chrono::seconds(1 + i), chain, i);
  CHECK_THROWS_AS(sojourns_of(outcome), UnreadableFile);
}

TEST_CASE("a bill tells the cost of each datum between tasks, by cause") {
  Outcome outcome = test::busy_outcome();
  CHECK(text_of(bill_of(outcome), 3).find("to find tasks") == std::string::npos);
  const auto row = [](std::uint8_t type, core::MessageClass kind, core::Cause cause) {
    core::BurdenRow made{.service = 7,
                         .type = type,
                         .message_class = kind,
                         .cause = cause,
                         .sent = {.messages = 6, .bytes = 60, .units = 6},
                         .received = {}};
    return made;
  };
  using core::MessageClass, core::Cause;
  outcome.kinds.push_back({"locator", "move", MessageClass::job, 7, 0});
  outcome.kinds.push_back({"locator", "data", MessageClass::result, 7, 1});
  outcome.peers[0].burdens.push_back(row(0, MessageClass::job, Cause::work));
  outcome.peers[0].burdens.push_back(row(1, MessageClass::result, Cause::work));
  const agents::locator::DatumPromised promised{{0, 1}, {0, 0}, core::PeerId{0}, 0, 10};
  for (int i = 0; i < 3; ++i) test::say(outcome, std::chrono::seconds(90 + i), 0, promised);
  const Bill bill = bill_of(outcome);
  CHECK(bill.data == 3);
  REQUIRE(bill.for_data.size() == 1);  // a task that moves is no datum
  CHECK(bill.for_data[0].sent.messages == 6);
  CHECK(text_of(bill, 3).find("per datum") != std::string::npos);
  CHECK(parse_json(json_of(bill))->at("data").at("count") == 3);
}

}  // namespace rhizome::bill_test
