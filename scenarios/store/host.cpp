#include <sys/utsname.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "scenarios/store/database.hpp"
#include "scenarios/store/record.hpp"
#include "scenarios/text/fingerprint.hpp"

namespace rhizome::scenarios {

namespace {

// The first "model name" that the kernel tells of; not every architecture has one.
std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return {};
}

std::string kernel_name() {
  utsname name{};
  if (uname(&name) != 0) return {};
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

// Memory of the machine; a container may be allowed less.
std::uint64_t memory_bytes() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long size = sysconf(_SC_PAGE_SIZE);
  return pages < 0 || size < 0
             ? 0
             : static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size);
}

}  // namespace

MachineRecord this_host() {
  return {.cores = std::thread::hardware_concurrency(),
          .memory_bytes = memory_bytes(),
          .kernel = kernel_name(),
          .processor = processor_name()};
}

const std::string& this_program() {
  static const std::string program = fingerprint("/proc/self/exe");  // which takes a while
  return program;
}

Versions versions() {
  return {{"rhizome", RHIZOME_VERSION},
          {"compiler", "g++ " __VERSION__},
          {"sqlite", database_version()},
          {"program", this_program()}};
}

}  // namespace rhizome::scenarios
