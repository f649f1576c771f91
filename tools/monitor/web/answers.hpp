// The interface for the answers of this program's web servers, about a run under way, about
// recordings of finished runs, or about jobs. It is called from many threads at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace rhizome::tools {

struct Question {
  std::string method = "GET";
  std::string path;
  std::map<std::string, std::string> words{};  // the query of the address
  std::string body{};
  std::size_t pages = 0;  // the number of open pages
  // Header fields: the key of a submission, and the version of the answer that the client already
  // has.
  std::string idempotency_key{};
  std::string if_none_match{};

  // Empty if the query does not have that word.
  [[nodiscard]] std::string word(const std::string& name) const;
  // None if the query lacks that word, or if its value is no number.
  [[nodiscard]] std::optional<std::uint64_t> number(const std::string& name) const;
};

struct Reply {
  int status = 200;
  std::string type = "application/json; charset=utf-8";
  std::string text;
  std::vector<std::pair<std::string, std::string>> fields{};  // further header fields
};
// A plain-text reply, which ends with a line break.
[[nodiscard]] Reply sorry(int status, const std::string& why);

// The media type of pieces, see pieces.hpp.
inline constexpr const char* pieces_type = "application/octet-stream";

// Returns new text, maybe an empty one, and none at the end.
using Teller = std::function<std::optional<std::string>()>;

// How a path may be requested.
struct Way {
  std::vector<std::string> methods{};  // none: the path does not exist
  bool steers = false;                 // methods other than reading need the token that steers
  bool open = false;                   // to all users of this machine, without a token
  std::string otherwise = "there is nothing to be changed here";  // the reply to other methods
};

// How a body ended: with its last byte, too early or too late, or as no further byte came for long.
enum class BodyEnd : std::uint8_t { whole, cut_off, silent };

// A body that is taken as it comes, because it may be too long for memory.
class Receiver {
 public:
  Receiver() = default;
  Receiver(const Receiver&) = delete;
  Receiver& operator=(const Receiver&) = delete;
  virtual ~Receiver() = default;
  // False: no more is taken. The first piece is empty, so that a body may be refused unseen.
  [[nodiscard]] virtual bool take(std::string_view piece) = 0;
  // Once.
  [[nodiscard]] virtual Reply end(BodyEnd how) = 0;
};

class WebAnswers {
 public:
  WebAnswers() = default;
  WebAnswers(const WebAnswers&) = delete;
  WebAnswers& operator=(const WebAnswers&) = delete;
  virtual ~WebAnswers() = default;

  [[nodiscard]] virtual Way way(const std::string& path) const;
  // The reply that explains why a request is refused.
  [[nodiscard]] virtual Reply refused(int status, const std::string& why) const {
    return sorry(status, why);
  }
  // None for an unknown path.
  [[nodiscard]] virtual std::optional<Reply> answer(const Question& question) = 0;
  // Receives the body of a PUT; null if the path is not known.
  [[nodiscard]] virtual std::unique_ptr<Receiver> receive(const Question&) { return {}; }
  // A teller for one page, until it leaves; none if there is nothing to follow.
  [[nodiscard]] virtual Teller follow(const Question& question) = 0;
};

}  // namespace rhizome::tools
