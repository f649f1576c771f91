// The protocol fuzz: random fair scenarios of every scheduler in virtual time. See test/README.md.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "agents/scheduler.hpp"
#include "test/fuzz/protocol/campaign.hpp"
#include "test/fuzz/protocol/generator.hpp"
#include "test/fuzz/protocol/judge.hpp"
#include "test/fuzz/protocol/known.hpp"
#include "test/fuzz/protocol/relations.hpp"
#include "test/fuzz/protocol/shrinker.hpp"
#include "test/support/catalogue.hpp"

namespace rhizome::fuzz {

namespace {

constexpr const char* usage =
    "usage: rhizome_fuzz_protocols [OPTION...]\n"
    "  --scheduler NAME  of this one only; may stand several times\n"
    "  --runs N          of each scheduler (RHIZOME_FUZZ_RUNS, else 1000)\n"
    "  --first-seed S    the seeds are S, S + 1, ... (1)\n"
    "  --minutes M       of each scheduler, at most\n"
    "  --set OPTION=VALUE  an option of the scheduler that is not drawn; may stand several times\n"
    "  --calm            only worlds without faults, losses and cuts; --disturbed: only others\n"
    "  --relations       judge calm worlds by how they compare with others (relations.hpp)\n"
    "  --jobs N          runs at a time (as many as there are cores)\n"
    "  --shrink N        runs that shrinking a failure may take; 0: none (500)\n"
    "  --save DIRECTORY  write a shrunk scenario for each kind of failure there\n"
    "  --known FILE      failures that are known, by scheduler and seed, are told and not counted\n"
    "  --seed S          run one seed, print its scenario and what is left of it when shrunk\n"
    "  --judge FILE      judge a scenario as the fuzz does; FILE may stand several times\n";

struct Arguments {
  std::vector<const agents::Scheduler*> schedulers;
  CampaignOptions campaign;
  std::size_t shrinking = 500;
  std::string save;
  std::string known;
  bool one = false;
  std::uint64_t seed = 0;
  std::vector<std::string> files;
};

class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

const agents::Scheduler* scheduler_called(const std::string& name) {
  const agents::Scheduler* scheduler = agents::find_scheduler(name);
  if (scheduler == nullptr) throw UsageError("there is no scheduler " + name);
  return scheduler;
}

// As a scenario file writes it: whatever is neither a number nor a truth value is a text.
std::string in_toml(const std::string& value) {
  const bool bare = value == "true" || value == "false" || value.starts_with('"') ||
                    value.find_first_not_of("+-.0123456789e") == std::string::npos;
  return bare ? value : '"' + value + '"';
}

void pin(Pinned& pinned, const std::string& assignment) {
  const std::size_t sign = assignment.find('=');
  if (sign == std::string::npos) throw UsageError("--set takes OPTION=VALUE, not " + assignment);
  pinned[assignment.substr(0, sign)] = in_toml(assignment.substr(sign + 1));
}

void take(Arguments& arguments, const std::string& option, const std::string& value) {
  try {
    if (option == "--scheduler") {
      arguments.schedulers.push_back(scheduler_called(value));
    } else if (option == "--runs") {
      arguments.campaign.runs = std::stoull(value);
    } else if (option == "--first-seed") {
      arguments.campaign.first_seed = std::stoull(value);
    } else if (option == "--minutes") {
      arguments.campaign.minutes = std::stod(value);
    } else if (option == "--set") {
      pin(arguments.campaign.pinned, value);
    } else if (option == "--jobs") {
      arguments.campaign.workers = static_cast<unsigned>(std::stoul(value));
    } else if (option == "--shrink") {
      arguments.shrinking = std::stoull(value);
    } else if (option == "--save") {
      arguments.save = value;
    } else if (option == "--known") {
      arguments.known = value;
    } else if (option == "--seed") {
      arguments.one = true;
      arguments.seed = std::stoull(value);
    } else if (option == "--judge") {
      arguments.files.push_back(value);
    } else {
      throw UsageError("there is no option " + option);
    }
  } catch (const std::logic_error&) {
    throw UsageError(option + " takes a number, not " + value);
  }
}

// Whether it was an option without a value.
bool take_flag(CampaignOptions& campaign, const std::string& word) {
  if (word == "--calm" || word == "--relations") campaign.worlds = Worlds::calm;
  if (word == "--disturbed") campaign.worlds = Worlds::disturbed;
  if (word == "--relations") campaign.judge = judge_relations;
  return word == "--calm" || word == "--disturbed" || word == "--relations";
}

void check_pinned(const Arguments& arguments) {
  for (const agents::Scheduler* scheduler : arguments.schedulers)
    for (const auto& [option, value] : arguments.campaign.pinned)
      if (std::none_of(scheduler->settings.begin(), scheduler->settings.end(),
                       [&](const core::Setting& known) { return known.name == option; }))
        throw UsageError(std::string(scheduler->name) + " has no option " + option);
}

Arguments read_arguments(const std::vector<std::string>& words) {
  Arguments arguments;
  if (const char* wish = std::getenv("RHIZOME_FUZZ_RUNS"))
    arguments.campaign.runs = std::strtoull(wish, nullptr, 10);
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (take_flag(arguments.campaign, words[i])) {
      --i;
      continue;
    }
    if (i + 1 == words.size()) throw UsageError(words[i] + " lacks its value");
    take(arguments, words[i], words[i + 1]);
  }
  if (arguments.schedulers.empty()) arguments.schedulers = test::ready_schedulers();
  check_pinned(arguments);
  return arguments;
}

void print(const Verdict& verdict) {
  if (verdict.refused()) std::printf("refused: %s\n", verdict.refusal.c_str());
  std::printf("makespan / bound %.2f, at most %zu executions of a task\n", verdict.ratio,
              verdict.executions);
  for (const Failure& failure : verdict.failures)
    std::printf("FAILED (%s): %s\n", failure.kind.c_str(), failure.text.c_str());
}

// Prints a failure after it was shrunk, and writes it to a file if requested.
class Shower {
 public:
  Shower(const agents::Scheduler& scheduler, const Arguments& arguments)
      : scheduler_(scheduler), arguments_(arguments) {}

  void show(std::uint64_t seed) const {
    const Draft draft =
        generate(scheduler_, seed, arguments_.campaign.pinned, arguments_.campaign.worlds).draft;
    const auto judge = arguments_.campaign.judge;
    const std::string kind = judge(to_toml(draft)).kind();
    const auto fails = [&](const Draft& candidate) {
      return judge(to_toml(candidate)).kind() == kind;
    };
    const std::string text = to_toml(shrink(draft, fails, arguments_.shrinking).draft);
    const Verdict shrunk = judge(text);
    if (shrunk.failures.empty()) return;
    const std::string told = "# " + kind + ": " + shrunk.failures.front().text +
                             "\n# replay: " + replay_command(seed) + "\n";
    std::printf("%s%s\n", told.c_str(), text.c_str());
    if (!arguments_.save.empty()) std::ofstream(file_for(kind, seed)) << told << text;
  }

 private:
  [[nodiscard]] std::string replay_command(std::uint64_t seed) const {
    std::string command = "rhizome_fuzz_protocols --scheduler " + std::string(scheduler_.name);
    for (const auto& [option, value] : arguments_.campaign.pinned)
      command.append(" --set '").append(option).append("=").append(value).append("'");
    if (arguments_.campaign.judge == judge_relations)
      command += " --relations";
    else if (arguments_.campaign.worlds != Worlds::all)
      command += arguments_.campaign.worlds == Worlds::calm ? " --calm" : " --disturbed";
    return command + " --seed " + std::to_string(seed);
  }
  [[nodiscard]] std::string file_for(std::string kind, std::uint64_t seed) const {
    std::replace(kind.begin(), kind.end(), ' ', '-');
    return arguments_.save + "/" + std::string(scheduler_.name) + "-" + kind + "-" +
           std::to_string(seed) + ".toml";
  }

  const agents::Scheduler& scheduler_;
  const Arguments& arguments_;
};

bool run_one(const agents::Scheduler& scheduler, const Arguments& arguments) {
  const std::string text = to_toml(
      generate(scheduler, arguments.seed, arguments.campaign.pinned, arguments.campaign.worlds)
          .draft);
  std::printf("%s\n", text.c_str());
  const Verdict verdict = arguments.campaign.judge(text);
  print(verdict);
  if (verdict.failures.empty()) return true;
  if (arguments.shrinking == 0) return false;
  std::printf("\nshrunk:\n");
  Shower(scheduler, arguments).show(arguments.seed);
  return false;
}

void print(const agents::Scheduler& scheduler, const CampaignTally& tally) {
  std::printf(
      "%-14s %llu runs, %llu failed; %llu drafts refused; slowest %.2f of its bound (seed %llu), "
      "%.2f of its promise (seed %llu); "
      "at most %zu executions\n",
      std::string(scheduler.name).c_str(), static_cast<unsigned long long>(tally.runs),
      static_cast<unsigned long long>(tally.failed()),
      static_cast<unsigned long long>(tally.refused), tally.slowest,
      static_cast<unsigned long long>(tally.slowest_seed), tally.promised,
      static_cast<unsigned long long>(tally.promised_seed), tally.executions);
  for (const auto& [kind, seeds] : tally.failures) {
    std::printf("  %-20s %zu:", kind.c_str(), seeds.size());
    for (std::size_t i = 0; i < std::min<std::size_t>(seeds.size(), 8); ++i)
      std::printf(" %llu", static_cast<unsigned long long>(seeds[i]));
    std::printf("\n");
  }
  std::fflush(stdout);
}

bool run_many(const agents::Scheduler& scheduler, const Arguments& arguments) {
  CampaignTally tally = run_campaign(scheduler, arguments.campaign);
  print(scheduler, tally);
  const bool current =
      arguments.known.empty() ||
      set_aside(tally, read_known(arguments.known, scheduler.name), arguments.campaign);
  const Shower shower(scheduler, arguments);
  if (arguments.shrinking > 0)
    for (const auto& [kind, seeds] : tally.failures) shower.show(seeds.front());
  return tally.failures.empty() && current;
}

bool judge_file(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  if (!in) throw UsageError("cannot read " + name);
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  const Verdict verdict = judge(text);
  std::printf("%s: ", name.c_str());
  print(verdict);
  return verdict.failures.empty() && !verdict.refused();
}

bool run(const Arguments& arguments) {
  bool well = true;
  for (const std::string& file : arguments.files) well = judge_file(file) && well;
  if (!arguments.files.empty()) return well;
  for (const agents::Scheduler* scheduler : arguments.schedulers)
    well =
        (arguments.one ? run_one(*scheduler, arguments) : run_many(*scheduler, arguments)) && well;
  return well;
}

}  // namespace

}  // namespace rhizome::fuzz

int main(int count, char** words) {
  using namespace rhizome::fuzz;
  try {
    announce_crashes(words[0]);
    return run(read_arguments({words + 1, words + count})) ? 0 : 1;
  } catch (const UsageError& error) {
    std::fprintf(stderr, "%s\n%s", error.what(), usage);
    return 64;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 66;
  }
}
