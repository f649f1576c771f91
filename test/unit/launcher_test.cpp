// The variables of launchers in their processes, and the rendezvous that follows from them.
#include "core/mesh/launcher.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include "core/mesh/launcher_owner.hpp"
#include "core/mesh/missing.hpp"
#include "core/mesh/process_descriptor.hpp"
#include "core/mesh/rendezvous_choice.hpp"
#include "test/support/listening_port.hpp"

namespace rhizome::core::launcher_test {

namespace {

const Environment by_srun{
    {"SLURM_PROCID", "1"}, {"SLURM_NTASKS", "3"}, {"SLURM_STEP_ID", "0"}, {"SLURM_JOB_ID", "17"}};
const Environment by_mpirun{{"OMPI_COMM_WORLD_RANK", "2"}, {"OMPI_COMM_WORLD_SIZE", "4"}};

Environment with(Environment environment, const std::string& name, const std::string& value) {
  environment[name] = value;
  return environment;
}

std::string refusal(const Environment& environment,
                    const std::optional<std::filesystem::path>& directory = std::nullopt) {
  try {
    static_cast<void>(meeting_of(environment, directory));
  } catch (const WronglyLaunched& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("each launcher names rank and size in its own words") {
  CHECK_FALSE(place_in({}));
  const auto srun = place_in(by_srun);
  REQUIRE(srun);
  CHECK(srun->launcher == "srun");
  CHECK(srun->rank == 1);
  CHECK(srun->size == 3);
  CHECK(srun->session == "17.0");
  CHECK(place_in(by_mpirun)->launcher == "mpirun");
  CHECK(place_in(by_mpirun)->rank == 2);
  CHECK(place_in({{"RHIZOME_RANK", "0"}, {"RHIZOME_SIZE", "2"}})->launcher == "somebody");
  CHECK(place_in({{"JOB_COMPLETION_INDEX", "5"}, {"RHIZOME_SIZE", "8"}})->rank == 5);
}

TEST_CASE("mpirun within a step of Slurm counts as mpirun, and RHIZOME_RANK comes before both") {
  Environment both = by_srun;
  both.insert(by_mpirun.begin(), by_mpirun.end());
  CHECK(place_in(both)->launcher == "mpirun");
  both.insert({{"RHIZOME_RANK", "0"}, {"RHIZOME_SIZE", "2"}});
  CHECK(place_in(both)->launcher == "somebody");
}

TEST_CASE("a batch script is one process, however many tasks its job has") {
  Environment script = by_srun;
  script.erase("SLURM_STEP_ID");
  CHECK_FALSE(place_in(script));
}

TEST_CASE("ranks and sizes that cannot be are refused by name") {
  CHECK(refusal(with(by_mpirun, "OMPI_COMM_WORLD_RANK", "4"))
            .starts_with("OMPI_COMM_WORLD_RANK is 4 and OMPI_COMM_WORLD_SIZE 4"));
  CHECK(refusal(with(by_mpirun, "OMPI_COMM_WORLD_RANK", "-1")) ==
        "OMPI_COMM_WORLD_RANK should be a whole number, and is \"-1\"");
  CHECK(refusal(with(by_mpirun, "OMPI_COMM_WORLD_SIZE", "")).starts_with("OMPI_COMM_WORLD_SIZE"));
  CHECK(refusal(with(by_mpirun, "OMPI_COMM_WORLD_SIZE", "0")) ==
        "OMPI_COMM_WORLD_SIZE is 0; a run has 1 to 4096 processes");
  CHECK(refusal(with(by_mpirun, "OMPI_COMM_WORLD_SIZE", "4097")).ends_with("4096 processes"));
  CHECK(refusal({{"JOB_COMPLETION_INDEX", "1"}})
            .ends_with("set RHIZOME_SIZE to the completions of the job"));
}

TEST_CASE("processes meet by PMIx where it is, in a directory if there is one, or are alone") {
  CHECK(meeting_of({}, {}) == Meeting::alone);
  CHECK(meeting_of(with(by_srun, "PMIX_RANK", "1"), {}) == Meeting::pmix);
  CHECK(meeting_of(with(by_srun, "PMIX_RANK", "1"), "d") == Meeting::directory);
  CHECK(meeting_of(by_srun, "d") == Meeting::directory);
  CHECK(meeting_of(with(by_srun, "SLURM_NTASKS", "3"), "d") == Meeting::directory);
  Environment one = by_srun;
  one["SLURM_PROCID"] = "0";
  one["SLURM_NTASKS"] = "1";
  CHECK(meeting_of(one, {}) == Meeting::alone);
}

TEST_CASE("copies that know nothing of each other are refused with the remedy of their launcher") {
  CHECK(refusal(by_srun) ==
        "srun has begun 3 processes that do not know of each other, and each would run everything: "
        "add --mpi=pmix, or --rendezvous DIR, of a directory that all of them see");
  CHECK(refusal(by_mpirun).ends_with("add --rendezvous DIR, of a directory that all of them see"));
  CHECK(refusal({{"RHIZOME_RANK", "0"}, {"RHIZOME_SIZE", "2"}})
            .ends_with("add --rendezvous DIR, of a directory that all of them see"));
  CHECK(refusal({}, "d").starts_with("--rendezvous: no launcher says which process this is"));
}

TEST_CASE("a process that may use fewer cores than there are is told how to get them") {
  CHECK(confinement(1, 2, "mpirun") ==
        "confined to 1 of 2 cores by the launcher: add --bind-to none");
  CHECK(confinement(1, 2, "srun") ==
        "confined to 1 of 2 cores by the launcher: ask for more with -c");
  CHECK(confinement(3, 4, "Kubernetes") == "confined to 3 of 4 cores by the launcher");
  CHECK_FALSE(confinement(2, 2, "mpirun"));
  CHECK_FALSE(confinement(1, 2, ""));
  CHECK(allowed_cores() >= 1);
}

TEST_CASE("launcher options that hide a verdict, or end all processes, are reported") {
  Environment mpirun{{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "2"}};
  CHECK(traps_in(mpirun).empty());
  mpirun["OMPI_MCA_orte_enable_recovery"] = "1";
  CHECK(
      traps_in(mpirun) ==
      std::vector<std::string>{"mpirun --enable-recovery ends with 0 whatever comes of these runs: "
                               "go by their verdict"});
  Environment srun{{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "2"}, {"SLURM_STEP_ID", "0"}};
  CHECK(traps_in(srun).empty());
  srun["SLURM_KILL_BAD_EXIT"] = "1";
  CHECK(traps_in(srun).size() == 1);
  srun.erase("SLURM_STEP_ID");  // srun did not launch this process
  CHECK(traps_in(srun).empty());
}

TEST_CASE("a launcher that hides a verdict once a process is lost is told of, and no other") {
  CHECK(
      hidden_status("srun")->starts_with("srun will end with the status of the process that was"));
  for (const std::string launcher : {"mpirun", "ssh", "rhizome", "Kubernetes", "somebody", ""})
    CHECK_FALSE(hidden_status(launcher));
}

TEST_CASE("a launcher that has ended, and one whose port another user has, are refused by name") {
  const test::ListeningPort port;
  const std::uint32_t me = geteuid();
  const Environment told{{"PMIX_RANK", "0"},
                         {"PMIX_SERVER_URI41", "17.0;tcp4://127.0.0.1:" + port.text()}};
  const auto refusal_to = [](std::uint32_t user, const Environment& environment) {
    try {
      check_launcher_owner(environment, user);
    } catch (const Unreachable& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  CHECK(refusal_to(me, told) == "accepted");
  const Environment elsewhere{{"PMIX_SERVER_URI41", "17.0;tcp4://127.9.9.9:" + port.text()}};
  CHECK(refusal_to(me, elsewhere).find("has ended") != std::string::npos);
  CHECK(refusal_to(me, {{"PMIX_SERVER_URI2", "17.0;usock://here:1"}}) == "accepted");
  if (me != 0) CHECK(refusal_to(me + 1, told).starts_with("PMIx: another user listens"));
  CHECK(refusal_to(me, with(told, "PMIX_SERVER_URI2", "17.0;tcp4://127.0.0.1:1")) ==
        "PMIx: the launcher that began this process has ended (PMIX_SERVER_URI2): unset the "
        "variables PMIX_*");
}

TEST_CASE("processes missing at a rendezvous are named, the first ten of them") {
  std::vector<std::optional<std::string>> descriptors(3, "descriptor");
  CHECK(complete(descriptors) ==
        std::vector<std::string>{"descriptor", "descriptor", "descriptor"});
  descriptors[1].reset();
  CHECK_FALSE(complete(descriptors));
  CHECK(who_is_missing(descriptors, std::chrono::seconds(60)) ==
        "process 1 of 3 has not come within 60 s, and 0, 2 have");
  const std::vector<std::optional<std::string>> none(12);
  CHECK(who_is_missing(none, std::chrono::milliseconds(1500)) ==
        "processes 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 2 more of 12 have not come within 1.5 s");
}

TEST_CASE("the hosts of present and of missing processes are named as far as is known") {
  const auto descriptor = [](const std::string& host) {
    return text_of(ProcessDescriptor{.process = {.host = host, .version = "1"}, .key = "k"});
  };
  const std::vector<std::optional<std::string>> descriptors{
      descriptor("h1"), {}, descriptor("h3"), {}};
  const std::vector<std::string> hosts{"", "far2", "far3", "far4"};
  CHECK(who_is_missing(descriptors, std::chrono::seconds(60), hosts) ==
        "processes 1 on far2, 3 on far4 of 4 have not come within 60 s, and 0 on h1, 2 on h3 have");
  CHECK(who_has_ended(std::span(descriptors).first(2), hosts) ==
        "process 1 on far2 of 2 has ended before it came, and 0 on h1 has");
}

}  // namespace rhizome::core::launcher_test
