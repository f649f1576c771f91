// Stores that programs may ask as Maelstrom's protocol has them (doc/services.md there): keys with
// values ("seq-kv", "lin-kv", "lww-kv") and one counter ("lin-tso"). All of them live at the source
// and are linearizable, which each of these promises at the most.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace rhizome::agents::program {

[[nodiscard]] bool is_store(std::string_view name);

class Stores {
 public:
  // The body of the answer to a request, both JSON.
  [[nodiscard]] std::string answer(const std::string& store, std::string_view body);

 private:
  std::map<std::pair<std::string, std::string>, std::string> values_;  // by store and key, JSON
  std::uint64_t time_ = 0;
};

}  // namespace rhizome::agents::program
