#include "core/child/children.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

namespace rhizome::core {

namespace fs = std::filesystem;

namespace {

// The parent of a process; 0 where that is not to be had.
pid_t parent_of(const fs::path& process) {
  std::ifstream file(process / "stat");
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t end_of_name = text.rfind(')');
  if (end_of_name == std::string::npos) return 0;
  std::istringstream rest(text.substr(end_of_name + 1));
  char state = 0;
  pid_t parent = 0;
  rest >> state >> parent;
  return parent;
}

}  // namespace

std::set<pid_t> children_of_this() {
  std::set<pid_t> children;
  std::error_code error;
  bool listed = true;
  for (const fs::directory_entry& thread : fs::directory_iterator("/proc/self/task", error)) {
    std::ifstream list(thread.path() / "children");
    listed = listed && list.is_open();
    for (pid_t child = 0; list >> child;) children.insert(child);
  }
  if (listed && !error) return children;
  // A kernel may be built without these lists.
  for (const fs::directory_entry& each : fs::directory_iterator("/proc", error)) {
    const std::string name = each.path().filename();
    if (name.find_first_not_of("0123456789") == std::string::npos &&
        parent_of(each.path()) == getpid())
      children.insert(std::stoi(name));
  }
  return children;
}

}  // namespace rhizome::core
