#include "tools/monitor/web/door/client.hpp"

#include <httplib.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <regex>
#include <string>
#include <string_view>
#include <system_error>

#include "core/peer/number_text.hpp"
#include "tools/monitor/web/door/porch.hpp"
#include "tools/monitor/web/door/proof.hpp"
#include "tools/monitor/web/door/token.hpp"

namespace rhizome::tools {

namespace {

using Clock = std::chrono::steady_clock;

// A connection that ends at a deadline and after so many bytes, however the server divides its
// answer.
class BoundedStream final : public httplib::Stream {
 public:
  BoundedStream(socket_t socket, Clock::time_point until, std::size_t most)
      : socket_(socket), until_(until), most_(most) {}
  [[nodiscard]] bool is_readable() const override { return wait(POLLIN); }
  [[nodiscard]] bool is_writable() const override { return wait(POLLOUT); }
  ssize_t read(char* to, size_t size) override {
    if (next_ == end_ && !refill()) return end_of_file_ ? 0 : -1;
    const std::size_t taken = std::min(size, end_ - next_);
    std::copy_n(buffer_.data() + next_, taken, to);
    next_ += taken;
    return static_cast<ssize_t>(taken);
  }
  ssize_t write(const char* from, size_t size) override {
    if (!wait(POLLOUT)) return -1;
    return send(socket_, from, size, MSG_NOSIGNAL | MSG_DONTWAIT);
  }
  void get_remote_ip_and_port(std::string& ip, int& port) const override {
    ip.clear();  // nothing here asks
    port = 0;
  }
  void get_local_ip_and_port(std::string& ip, int& port) const override {
    get_remote_ip_and_port(ip, port);
  }
  [[nodiscard]] socket_t socket() const override { return socket_; }

 private:
  [[nodiscard]] bool wait(short event) const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until_ - Clock::now()).count();
    pollfd asked{socket_, event, 0};
    return left > 0 && poll(&asked, 1, static_cast<int>(left)) > 0;
  }
  bool refill() {
    if (taken_ >= most_ || !wait(POLLIN)) return false;
    const ssize_t size = recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    end_of_file_ = size == 0;
    next_ = 0;
    end_ = static_cast<std::size_t>(std::max<ssize_t>(size, 0));
    taken_ += end_;
    return end_ > 0 && begins_well();
  }

  // httplib takes stack for each letter of the line with the status, also of one behind interim
  // answers, for which no client of ours asks.
  bool begins_well() {
    constexpr std::size_t longest = 8192;
    constexpr std::size_t place_of_status = std::string_view("HTTP/1.1 ").size();
    if (first_line_.ends_with('\n')) return true;
    const auto* const begin = buffer_.data();
    const auto* const line = std::find(begin, begin + end_, '\n');
    first_line_.append(begin, line == begin + end_ ? line : line + 1);
    const bool interim =
        first_line_.size() > place_of_status && first_line_[place_of_status] == '1';
    return first_line_.size() <= longest && !interim;
  }

  socket_t socket_;
  Clock::time_point until_;
  std::string first_line_{};
  std::size_t most_;
  std::array<char, 16384> buffer_{};
  std::size_t next_ = 0;
  std::size_t end_ = 0;
  std::size_t taken_ = 0;
  bool end_of_file_ = false;
};

struct Place {
  std::string host;
  int port = 80;
};

Place place_of(const std::string& url) {
  static const std::regex form(
      R"((?:http://)?(?:\[([0-9a-fA-F:.]+)\]|([^:/?#\[\]]+))(?::([0-9]{1,5}))?/?)");
  std::smatch parts;
  constexpr std::size_t longest = 300;  // std::regex takes some of the stack for each character
  if (url.size() > longest || !std::regex_match(url, parts, form))
    throw NoAnswer(url + " is no address of a server");
  Place place{.host = parts[1].matched ? parts[1].str() : parts[2].str()};
  if (parts[3].matched) place.port = std::stoi(parts[3].str());
  if (place.port > 65535) throw NoAnswer(url + " is no address of a server");
  return place;
}

// The answer to that, without more bytes than proofs have; empty if none comes.
std::string answer_to(httplib::Stream& stream, const std::string& question) {
  constexpr std::size_t longest = 4096;
  if (stream.write(question.data(), question.size()) != static_cast<ssize_t>(question.size()))
    return {};
  std::string head;
  std::string body;
  for (char c = 0; !head.ends_with("\r\n\r\n"); head += c)
    if (head.size() >= longest || stream.read(&c, 1) != 1) return {};
  const auto length = core::parse_number<std::uint16_t>(field_of(head, "content-length"));
  if (!head.starts_with("HTTP/1.1 200 OK\r\n") || !length || *length > longest) return {};
  for (auto left = *length; left > 0; --left) {
    char c = 0;
    if (stream.read(&c, 1) != 1) return {};
    body += c;
  }
  return "\n" + body;
}

class BoundedClient final : public httplib::ClientImpl {
 public:
  BoundedClient(const ServerAddress& server, AnswerBounds bounds)
      : BoundedClient(place_of(server.url), server, bounds) {
    if (!is_valid()) throw NoAnswer(server.url + " is no address of a server");
  }

  [[nodiscard]] Answer answer_in(const httplib::Result& result) const {
    if (server_.proves && !proven_)
      throw NoAnswer("no server at " + server_.url +
                     " proves that it knows the token of the store: it has ended, or is on another "
                     "machine or in a container (then say --server URL and --token-file FILE)");
    if (!result) throw NoAnswer(server_.url + ": " + httplib::to_string(result.error()));
    return {result->status, result->body,
            result->has_header("ETag") ? result->get_header_value("ETag") : std::string()};
  }

 private:
  BoundedClient(const Place& place, const ServerAddress& server, AnswerBounds bounds)
      : ClientImpl(place.host, place.port),
        server_(server),
        until_(Clock::now() + bounds.time),
        most_(bounds.bytes) {
    set_connection_timeout(bounds.time);
    set_decompress(false);  // no request of ours asks for compression
  }

  bool process_socket(const Socket& socket,
                      std::function<bool(httplib::Stream&)> callback) override {
    if (server_.proves && !is_proven(socket.sock)) return false;
    BoundedStream stream(socket.sock, until_, most_);
    return callback(stream);
  }
  // The answer comes at once, however long the request may take.
  bool is_proven(socket_t socket) {
    constexpr std::chrono::seconds patience(10);
    constexpr std::size_t most = 8192;
    BoundedStream stream(socket, std::min(until_, Clock::now() + patience), most);
    const std::string nonce = new_token();
    proven_ = is_proof(answer_to(stream, question_of_proof(nonce)), server_.token, nonce, socket);
    return proven_;
  }

  const ServerAddress server_;
  const Clock::time_point until_;
  const std::size_t most_;
  bool proven_ = false;
};

}  // namespace

Answer ask(const ServerAddress& server, const Request& request, AnswerBounds bounds) {
  BoundedClient client(server, bounds);
  httplib::Request said;
  said.method = request.method;
  said.path = request.path;
  said.set_header("Authorization", "Bearer " + server.token);
  if (!request.body.empty()) said.set_header("Content-Type", "application/json");
  if (!request.idempotency_key.empty()) said.set_header("Idempotency-Key", request.idempotency_key);
  if (!request.if_none_match.empty()) said.set_header("If-None-Match", request.if_none_match);
  said.body = request.body;
  return client.answer_in(client.send(said));
}

Answer put_file(const ServerAddress& server, const std::string& path, const Content& content) {
  constexpr AnswerBounds bounds{.time = std::chrono::hours(1)};
  BoundedClient client(server, bounds);
  std::array<char, 65536> piece{};
  const auto more = [&](std::size_t, std::size_t left, httplib::DataSink& sink) {
    content.in.read(piece.data(), static_cast<std::streamsize>(std::min(left, piece.size())));
    const auto read = static_cast<std::size_t>(content.in.gcount());
    return read > 0 && sink.write(piece.data(), read);
  };
  const httplib::Headers head{{"Authorization", "Bearer " + server.token}};
  const httplib::Result result =
      client.Put(path.c_str(), head, content.size, more, "application/octet-stream");
  if (!result && result.error() == httplib::Error::Write)
    throw NoAnswer(server.url + " stopped taking " + content.name +
                   ": it may be larger than uploads may be there (--uploads-mib), or too many "
                   "files are sent at a time");
  return client.answer_in(result);
}

}  // namespace rhizome::tools
