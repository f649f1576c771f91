#include "scenarios/store/open_mark.hpp"

#include <unistd.h>

#include <string_view>
#include <system_error>

#include "scenarios/text/files.hpp"

namespace rhizome::scenarios {

// A disk without room takes no mark, and then the store is not written, either.
void mark_open(int lock) {
  constexpr std::string_view mark = "open\n";
  static_cast<void>(!pwrite(lock, mark.data(), mark.size(), 0));
}

void mark_closed(int lock) { static_cast<void>(!ftruncate(lock, 0)); }

bool is_marked_open(const std::filesystem::path& lock) {
  std::error_code error;
  return is_own_file(lock) && std::filesystem::file_size(lock, error) > 0 && !error;
}

}  // namespace rhizome::scenarios
