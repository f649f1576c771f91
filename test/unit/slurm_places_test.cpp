// Places of workers: jobs of a Slurm whose commands are scripts of the test, and hosts of a list.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/child/own_folder.hpp"
#include "scenarios/text/whole_file.hpp"
#include "tools/launch/slurm_queue.hpp"
#include "tools/nodes/places.hpp"

namespace rhizome::tools::slurm_places_test {

namespace {

using Words = std::vector<std::string>;

std::string text_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The commands of Slurm, first in PATH: three nodes, two of them idle, the jobs of a file, those of
// this user with their names, what is told to who asks for the names of all, and a record of
// cancelled jobs.
class FakeSlurm {
 public:
  FakeSlurm() : path_(std::getenv("PATH")) {
    script("sinfo", "echo node a idle; echo node b idle; echo node c mixed");
    script("squeue", "cd " + folder_.path().string() +
                         "; case \"$*\" in *--user=*) cat own;; *,Name:*) cat named;; "
                         "*) cat queue;; esac");
    script("scancel", "echo \"$@\" >>" + (folder_.path() / "cancelled").string());
    for (const char* answer : {"queue", "own", "named"}) answers(answer, "");
    setenv("PATH", (folder_.path().string() + ":" + path_).c_str(), 1);
  }
  ~FakeSlurm() { setenv("PATH", path_.c_str(), 1); }
  FakeSlurm(const FakeSlurm&) = delete;
  FakeSlurm& operator=(const FakeSlurm&) = delete;

  void script(const std::string& name, const std::string& line) const {
    const auto file = folder_.path() / name;
    std::ofstream(file) << "#!/bin/sh\n" << line << "\n";
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  void answers(const std::string& to, const std::string& jobs) const {
    std::ofstream(folder_.path() / to) << jobs;
  }
  [[nodiscard]] std::string cancelled() const { return text_of(folder_.path() / "cancelled"); }
  [[nodiscard]] std::filesystem::path record() const { return folder_.path() / "record"; }

 private:
  const std::string path_;
  const core::OwnFolder folder_;
};

}  // namespace

TEST_CASE("each node is a job of its own, which is cancelled by its name") {
  const FakeSlurm slurm;
  {
    SlurmPlaces places(slurm.record(), 3);
    CHECK(slurm.cancelled().empty());
    CHECK(text_of(slurm.record()) == places.name() + " 3\n");
    const Words words = places.command(1);
    CHECK(std::count(words.begin(), words.end(), "--job-name=" + places.name() + "-1") == 1);
    CHECK(std::count(words.begin(), words.end(), "--exclusive") == 1);
    CHECK(words.back() == "worker");
    places.give_back(1);
    CHECK(slurm.cancelled() == "--quiet --name=" + places.name() + "-1\n");
    CHECK(SlurmPlaces(slurm.record().string() + "2", 3).name() != places.name());
  }
  CHECK_FALSE(std::filesystem::exists(slurm.record()));
}

TEST_CASE("the jobs that a killed server has left are cancelled at the next start") {
  const FakeSlurm slurm;
  std::ofstream(slurm.record()) << "rhizome-0123456789ab 2\n";
  const SlurmPlaces places(slurm.record(), 1);
  CHECK(slurm.cancelled() ==
        "--quiet --name=rhizome-0123456789ab-0\n--quiet --name=rhizome-0123456789ab-1\n");
}

TEST_CASE("a record that this program has not written cancels no job, and stays") {
  const FakeSlurm slurm;
  const std::filesystem::path other = slurm.record().string() + "-of-others";
  std::ofstream(other) << "rhizome-0123456789ab 2\n";
  std::filesystem::create_symlink(other, slurm.record());
  CHECK_THROWS_AS(SlurmPlaces(slurm.record(), 1), scenarios::CannotWrite);
  std::filesystem::remove(slurm.record());
  for (const std::string name : {"rhizome-my-own-job", "rhizome-0123456789abc", "other"}) {
    std::ofstream(slurm.record()) << name << " 2\n";
    CHECK_THROWS_AS(SlurmPlaces(slurm.record(), 1), scenarios::CannotWrite);
    CHECK(text_of(slurm.record()) == name + " 2\n");
  }
  CHECK(slurm.cancelled().empty());
}

TEST_CASE("workers that start take idle nodes, and jobs of our own do not wait on top") {
  const FakeSlurm slurm;
  SlurmPlaces places(slurm.record(), 3);
  slurm.answers("own", "7 " + places.name() + "-0\n");
  slurm.answers("queue", "7 1 me 90 Resources\n8 3 you 90 Priority\n");
  CHECK(places.state(0).idle == 2);
  CHECK(places.state(1).idle == 1);
  CHECK(places.state(5).idle == 0);
  CHECK(places.state(0).required == 3);
}

TEST_CASE("a line break in the name of a job adds no job to the queue") {
  const FakeSlurm slurm;
  SlurmPlaces places(slurm.record(), 3);
  slurm.answers("queue", "7 1 eve N/A JobHeldUser\n8 3 you 90 Priority\n");
  slurm.answers("named",
                "7 1 eve N/A JobHeldUser x\n1 4000000000 x 0 None\n8 3 you 90 Priority theirs\n");
  CHECK(places.state(0).required == 3);
}

TEST_CASE("a line of the queue that cannot be read is warned of once") {
  const FakeSlurm slurm;
  std::vector<std::string> warnings;
  SlurmPlaces places(slurm.record(), 3, [&](const std::string& text) { warnings.push_back(text); });
  slurm.answers("queue", "what is this?\n8 3 you 90 Priority\n");
  for (int look = 0; look < 2; ++look) CHECK(places.state(0).required == 3);
  REQUIRE(warnings.size() == 1);
  CHECK(warnings.front().find("\"job what is this?\"") != std::string::npos);
}

TEST_CASE("without a Slurm that answers there are no places") {
  const FakeSlurm slurm;
  slurm.script("squeue", "exit 1");
  CHECK_THROWS_AS(SlurmPlaces(slurm.record(), 1), NoSlurm);
}

TEST_CASE("hosts are used one after the other, and one that has failed comes last") {
  HostPlaces places({{"h1", 1}, {"h2", 2}}, "ssh -F conf");
  CHECK(places.size() == 3);
  const Words words = places.command(0);
  CHECK(Words(words.begin(), words.begin() + 5) == Words{"ssh", "-F", "conf", "-T", "h1"});
  CHECK(words.back().find("worker") != std::string::npos);
  CHECK(places.state(0).idle == 2);
  places.give_back(0);
  CHECK(places.command(0)[4] == "h2");
  CHECK(places.command(1)[4] == "h2");
  CHECK(places.command(2)[4] == "h1");
  CHECK(places.state(0).idle == 0);
  CHECK_THROWS_AS(static_cast<void>(places.command(3)), std::runtime_error);
}

}  // namespace rhizome::tools::slurm_places_test
