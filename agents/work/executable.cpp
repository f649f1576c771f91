#include "agents/work/executable.hpp"

#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <system_error>

namespace rhizome::agents {

bool is_executable(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0;
}

bool finds_program(const std::string& program, const std::filesystem::path& directory) {
  if (program.find('/') != std::string::npos) return is_executable(directory / program);
  const char* path = std::getenv("PATH");
  std::istringstream places(path == nullptr ? "/bin:/usr/bin" : path);
  for (std::string place; std::getline(places, place, ':');)
    if (is_executable(directory / place / program)) return true;
  return false;
}

}  // namespace rhizome::agents
