#include "scenarios/bill/bill.hpp"

#include <doctest/doctest.h>

#include "scenarios/json.hpp"
#include "test/support/outcomes.hpp"

namespace rhizome {

using namespace scenarios;

TEST_CASE("a bill says what messages were for, and that none is missing") {
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

TEST_CASE("a bill as JSON names every cause") {
  const auto json = parse_json(json_of(bill_of(test::busy_outcome())));
  REQUIRE(json.has_value());
  CHECK(json->at("schema") == "rhizome.bill/1");
  CHECK(json->at("causes").size() == 2);
  CHECK(json->at("conservation").at("balanced") == true);
}

}  // namespace rhizome
