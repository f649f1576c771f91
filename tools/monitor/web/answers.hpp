// What a server of this program answers, whatever it speaks of: a run under way, tapes of runs that
// are over, or jobs. Called from many threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rhizome::tools {

struct Question {
  std::string method = "GET";
  std::string path;
  std::map<std::string, std::string> words{};  // behind its question mark
  std::string body{};
  std::size_t pages = 0;  // that are open
  // Of the head: what a submission is known by, and which state of the answer is there already.
  std::string idempotency_key{};
  std::string if_none_match{};

  // Empty where it is not said.
  [[nodiscard]] std::string word(const std::string& name) const;
  // Nothing where it is not said, or no number.
  [[nodiscard]] std::optional<std::uint64_t> number(const std::string& name) const;
};

struct Reply {
  int status = 200;
  std::string type = "application/json; charset=utf-8";
  std::string text;
  std::vector<std::pair<std::string, std::string>> fields{};  // of its head, besides
};
// In plain words, which end with a line.
[[nodiscard]] Reply sorry(int status, const std::string& why);

// What pieces are, see pieces.hpp.
inline constexpr const char* pieces_type = "application/octet-stream";

// Tells what is new: maybe nothing for a while, and nothing at all once there is no more.
using Teller = std::function<std::optional<std::string>()>;

// How a path may be asked.
struct Way {
  std::vector<std::string> methods{};  // none: there is nothing
  bool steers = false;                 // all but reading by the token that steers
  bool open = false;                   // by everybody of this machine
  std::string otherwise = "there is nothing to be changed here";  // what is said of other methods
};

class WebAnswers {
 public:
  WebAnswers() = default;
  WebAnswers(const WebAnswers&) = delete;
  WebAnswers& operator=(const WebAnswers&) = delete;
  virtual ~WebAnswers() = default;

  [[nodiscard]] virtual Way way(const std::string& path) const;
  // A request that is not answered is told why.
  [[nodiscard]] virtual Reply refused(int status, const std::string& why) const {
    return sorry(status, why);
  }
  // Nothing where nothing is known by that path.
  [[nodiscard]] virtual std::optional<Reply> answer(const Question& question) = 0;
  // For one page, until it leaves; none where nothing goes on.
  [[nodiscard]] virtual Teller follow(const Question& question) = 0;
};

}  // namespace rhizome::tools
