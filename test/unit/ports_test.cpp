// The ports that a user names, and what a firewall lets through.
#include "tools/launch/ports.hpp"

#include <doctest/doctest.h>

#include "tools/cli/command.hpp"

namespace rhizome::tools::ports_test {

TEST_CASE("ports are a range, or one") {
  CHECK(ports_in("4000-4010") == core::PortRange{4000, 4010});
  CHECK(ports_in("1-65535") == core::PortRange{1, 65535});
  CHECK(ports_in("4000") == core::PortRange{4000, 4000});
  CHECK(ports_in("4000-4010").size() == 11);
}

TEST_CASE("a wrong range of ports is refused") {
  for (const char* wrong :
       {"", "-", "0", "0-5", "5-", "-5", "9-8", "1-65536", "x", "1-2-3", "1 - 2"})
    CHECK_THROWS_AS(static_cast<void>(ports_in(wrong)), UsageError);
}

TEST_CASE("fewer ports than the first process needs are refused") {
  CHECK_NOTHROW(check_enough({4000, 4001}, 3));
  CHECK_THROWS_WITH_AS(
      check_enough({4000, 4001}, 4),
      "--ports: 4 processes need at least 3 ports, one for each of the others, and 2 are given",
      UsageError);
}

}  // namespace rhizome::tools::ports_test
