// What the page's server answers, whatever it speaks of: a run under way, or tapes of runs that are
// over. Called from many threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace rhizome::tools {

struct Question {
  std::string path;
  std::map<std::string, std::string> words;  // behind its question mark
  std::string body{};
  std::size_t pages = 0;  // that are open

  // Empty where it is not said.
  [[nodiscard]] std::string word(const std::string& name) const;
  // Nothing where it is not said, or no number.
  [[nodiscard]] std::optional<std::uint64_t> number(const std::string& name) const;
};

struct Reply {
  int status = 200;
  std::string type = "application/json; charset=utf-8";
  std::string text;
};
// In plain words, which end with a line.
[[nodiscard]] Reply sorry(int status, const std::string& why);

// What pieces are, see pieces.hpp.
inline constexpr const char* pieces_type = "application/octet-stream";

// Tells what is new: maybe nothing for a while, and nothing at all once there is no more.
using Teller = std::function<std::optional<std::string>()>;

class WebAnswers {
 public:
  WebAnswers() = default;
  WebAnswers(const WebAnswers&) = delete;
  WebAnswers& operator=(const WebAnswers&) = delete;
  virtual ~WebAnswers() = default;

  // Nothing where nothing is known by that path.
  [[nodiscard]] virtual std::optional<Reply> answer(const Question& question) = 0;
  // For one page, until it leaves; none where nothing goes on.
  [[nodiscard]] virtual Teller follow(const Question& question) = 0;
};

}  // namespace rhizome::tools
