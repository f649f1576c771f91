#include "agents/routing.hpp"

#include <doctest/doctest.h>

#include <string>
#include <type_traits>

namespace rhizome::routing_test {

using core::OneOf;

namespace {

struct Ping {};
struct Pong {};
struct Due {};
struct News {};

struct Left {
  using Messages = OneOf<Ping>;
  using Signals = OneOf<News>;
  std::string& said;
  void on(const Ping&) { said += "left "; }
  void on(const News&) { said += "left-news "; }
  void on(const Pong&) {
    said += "unlisted ";
  }  // an overload for an unlisted message changes nothing
};
struct Right {
  using Messages = OneOf<Pong>;
  using Timers = OneOf<Due>;
  using Signals = OneOf<News>;
  std::string& said;
  void on(const Pong&) { said += "right "; }
  void on(const Due&) { said += "due "; }
  void on(const News&) { said += "right-news "; }
};

static_assert(agents::takers<Ping, Left, Right> == 1);
static_assert(agents::takers<News, Left, Right> == 2);
static_assert(agents::takers<Due, Left> == 0);
static_assert(std::is_same_v<core::Joined<OneOf<Ping>, OneOf<Pong, Due>>, OneOf<Ping, Pong, Due>>);
static_assert(
    std::is_same_v<agents::Without<OneOf<Ping, Pong, Due>, OneOf<Pong>>, OneOf<Ping, Due>>);

}  // namespace

TEST_CASE("an event goes to the part that lists it, whatever others could handle") {
  std::string said;
  Left left{said};
  Right right{said};
  const auto deliver = [&](const auto& event) {
    agents::route(
        event, [&](auto& part) { part.on(event); }, &left, &right);
  };
  deliver(Pong{});
  deliver(Due{});
  deliver(Ping{});
  CHECK(said == "right due left ");
}

TEST_CASE("an event for a part that is absent is dropped") {
  std::string said;
  Left left{said};
  Right* const right = nullptr;
  const Pong event;
  agents::route(
      event, [&](auto& part) { part.on(event); }, &left, right);
  CHECK(said.empty());
}

TEST_CASE("a role ignores an event that none of its parts lists") {
  std::string said;
  Left left{said};
  const Due event;
  agents::offer(
      event, [](auto&) { FAIL("nobody lists it"); }, &left);
  CHECK(said.empty());
}

TEST_CASE("a signal is told to every part that lists it, in order") {
  std::string said;
  Left left{said};
  Right right{said};
  const News news;
  agents::tell(
      news, [&](auto& part) { part.on(news); }, &left, &right);
  CHECK(said == "left-news right-news ");
}

TEST_CASE("the handlers of a protocol itself are one more part") {
  std::string said;
  Left left{said};
  auto own = agents::itself<OneOf<Pong>>([&](const Pong&) { said += "own "; });
  const Pong event;
  agents::route(
      event, [&](auto& part) { part.on(event); }, &left, &own);
  CHECK(said == "own ");
}

}  // namespace rhizome::routing_test
