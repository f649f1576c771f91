#include "core/engine/limits.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <string>

#include "test/support/temporary_directory.hpp"

namespace rhizome::control_group_test {

namespace {

// A machine's files, as far as they tell of control groups.
struct Machine {
  test::TemporaryDirectory root;
  void file(const std::string& path, const std::string& text) const {
    const auto whole = root.path() / path;
    std::filesystem::create_directories(whole.parent_path());
    std::ofstream(whole) << text << '\n';
  }
  [[nodiscard]] core::GroupLimits limits() const { return core::group_limits(root.path()); }
};

}  // namespace

TEST_CASE("a machine without control groups sets no limits") {
  const Machine machine;
  CHECK_FALSE(machine.limits().threads);
  CHECK_FALSE(machine.limits().memory);
}

TEST_CASE("of a group and its ancestors, the one that leaves the least counts") {
  const Machine machine;
  machine.file("proc/self/cgroup", "0::/outer/inner");
  machine.file("sys/fs/cgroup/outer/inner/pids.max", "max");
  machine.file("sys/fs/cgroup/outer/pids.max", "1000");
  machine.file("sys/fs/cgroup/outer/pids.current", "40");
  machine.file("sys/fs/cgroup/outer/inner/memory.max", "9000");
  machine.file("sys/fs/cgroup/outer/inner/memory.current", "5000");
  machine.file("sys/fs/cgroup/outer/inner/memory.stat", "anon 3000\ninactive_file 2000");
  machine.file("sys/fs/cgroup/outer/memory.max", "8000");
  CHECK(machine.limits().threads == 960);
  CHECK(machine.limits().memory == 6000);
}

TEST_CASE("groups of version 1 count, also where the path begins outside of a container") {
  const Machine machine;
  machine.file("proc/self/cgroup", "8:pids:/of/the/host\n4:memory:/deep\n1:name=systemd:/\n0::/");
  machine.file("sys/fs/cgroup/pids/pids.max", "500");
  machine.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
  machine.file("sys/fs/cgroup/memory/deep/memory.limit_in_bytes", "4096");
  machine.file("sys/fs/cgroup/memory/deep/memory.usage_in_bytes", "5000");
  CHECK(machine.limits().threads == 500);
  CHECK(machine.limits().memory == 0);
}

}  // namespace rhizome::control_group_test
