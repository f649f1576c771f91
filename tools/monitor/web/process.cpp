#include "tools/monitor/web/process.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <sstream>
#include <string>

namespace rhizome::tools {

std::optional<ProcessUsage> usage_of(std::uint64_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  if (!std::getline(file, line) || line.rfind(')') == std::string::npos) return {};
  std::istringstream fields(line.substr(line.rfind(')') + 1));  // its name may be anything
  std::string state;
  std::array<double, 22> numbers{};  // the fields from the fourth to the 25th of proc(5)
  fields >> state;
  for (double& number : numbers) fields >> number;
  if (!fields) return {};
  const auto field = [&numbers](std::size_t i) { return numbers[i - 4]; };
  return ProcessUsage{
      .processor_seconds = (field(14) + field(15)) / static_cast<double>(sysconf(_SC_CLK_TCK)),
      .resident_bytes = field(24) * static_cast<double>(sysconf(_SC_PAGESIZE)),
      .threads = field(20)};
}

double own_processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

}  // namespace rhizome::tools
