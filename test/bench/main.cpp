// rhizome_bench: how fast the engines carry gossip and overlays, how much memory a peer takes and
// how long it takes to start, each beside a system without our burdens.
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

#include "test/bench/parts.hpp"
#include "test/bench/report.hpp"
#include "test/bench/systems.hpp"

namespace rhizome::bench {

namespace {

constexpr std::string_view usage =
    "usage: rhizome_bench [--only PART] [--quick] [--json] [--repetitions N] [--seconds S]\n"
    "  --only         one part: threads, virtual, cyclon or gradient; and these, which run only "
    "when\n"
    "                 asked for: memory, every system of gossip at its largest size, without "
    "goals\n"
    "                 of speed; million, a million peers of Cyclon; processes, gossip between "
    "two\n"
    "                 of them beside one\n"
    "  --quick        two runs of a quarter of a second in place of five of two seconds\n"
    "  --json         JSON in place of the table\n";

struct Part {
  std::string_view name;
  void (*run)(Bench&);
  bool always = true;  // or only when asked for
};

// Parts that measure memory also measure speed. A million peers burden all users of a shared
// machine, so some parts run only when asked for.
constexpr Part parts[] = {{"threads", bench_threads},
                          {"virtual", bench_virtual},
                          {"cyclon", bench_cyclon},
                          {"gradient", bench_gradient},
                          {"million", bench_million, false},
                          {"memory", bench_memory, false},
                          {"processes", bench_processes, false}};

struct Options {
  std::string only;  // empty: all that always run
  bool json = false;
  Effort effort;
};

template <class Number>
Number number_of(std::string_view text) {
  Number number{};
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || number <= 0)
    throw std::invalid_argument("not a positive number: " + std::string(text));
  return number;
}

Options parse(const std::vector<std::string_view>& arguments) {
  Options options;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view argument = arguments[i];
    const auto value = [&] {
      if (i + 1 == arguments.size())
        throw std::invalid_argument(std::string(argument) + " needs a value");
      return arguments[++i];
    };
    if (argument == "--json") {
      options.json = true;
    } else if (argument == "--quick") {
      options.effort.repetitions = 2;
      options.effort.seconds = 0.25;
    } else if (argument == "--only") {
      options.only = value();
    } else if (argument == "--repetitions") {
      options.effort.repetitions = number_of<unsigned>(value());
    } else if (argument == "--seconds") {
      options.effort.seconds = number_of<double>(value());
    } else {
      throw std::invalid_argument("unknown option: " + std::string(argument));
    }
  }
  const auto named = [&](const Part& part) { return part.name == options.only; };
  if (!options.only.empty() && std::none_of(std::begin(parts), std::end(parts), named))
    throw std::invalid_argument("unknown part: " + options.only);
  return options;
}

Report run(const Options& options) {
  Bench bench(options.effort);
  for (const Part& part : parts)
    if (options.only.empty() ? part.always : part.name == options.only) part.run(bench);
  bench.remark("Memory is the growth of the resident set, which leaves out the kernel's share.");
  if (simgrid_version())
    bench.remark("SimGrid " + *simgrid_version() +
                 "; all its forms are described in test/bench/systems.hpp.");
  return bench.report();
}

}  // namespace

}  // namespace rhizome::bench

int main(int count, char** arguments) {
  using namespace rhizome::bench;
  try {
    const Options options = parse({arguments + 1, arguments + count});
    const Report report = run(options);
    const std::string text = options.json ? render_json(report) : render_table(report);
    std::fputs(text.c_str(), stdout);
    return 0;
  } catch (const std::invalid_argument& problem) {
    std::fprintf(stderr, "%s\n%s", problem.what(), usage.data());
    return 64;
  }
}
