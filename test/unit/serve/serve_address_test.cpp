// The file with the address of a server, and the proof that the server is the one of the store.
#include <doctest/doctest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "scenarios/text/input_error.hpp"
#include "scenarios/text/whole_file.hpp"
#include "test/support/listening_port.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/monitor/web/door/proof.hpp"
#include "tools/serve/address_file.hpp"

namespace rhizome::serve_address_test {

using scenarios::CannotWrite;
using scenarios::UnreadableFile;
using tools::publish_address;
using tools::published_address;

namespace fs = std::filesystem;

namespace {

class Line {
 public:
  // `other`: a line to another port, of which this one has the client's end.
  explicit Line(test::ListeningPort& port, const Line* other = nullptr)
      : client_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const int shared = 1;
    setsockopt(client_, SOL_SOCKET, SO_REUSEADDR, &shared, sizeof shared);
    if (other != nullptr) share_end_of(*other);
    REQUIRE(connect(client_, port.seen(), port.size()) == 0);
    server_ = accept(port.number(), nullptr, nullptr);
  }
  ~Line() {
    close(client_);
    close(server_);
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  [[nodiscard]] int client() const { return client_; }
  [[nodiscard]] int server() const { return server_; }

 private:
  void share_end_of(const Line& other) const {
    sockaddr_in address{};
    auto* const end = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    REQUIRE(getsockname(other.client_, end, &size) == 0);
    REQUIRE(bind(client_, end, size) == 0);
  }

  int client_ = -1;
  int server_ = -1;
};

}  // namespace

TEST_CASE("a proof holds for one token, one nonce and one connection") {
  test::ListeningPort port;
  const Line line(port);
  const std::string answer =
      tools::answer_with_proof(tools::question_of_proof("n1"), {"page", "kept"}, line.server());
  CHECK(answer.starts_with("HTTP/1.1 200 OK\r\n"));
  CHECK(answer.ends_with("\n"));
  const std::string body = answer.substr(answer.find("\r\n\r\n") + 3);
  CHECK(body.size() == 1 + 2 * 65);
  CHECK(tools::is_proof(body, "kept", "n1", line.client()));
  CHECK_FALSE(tools::is_proof(body, "other", "n1", line.client()));
  CHECK_FALSE(tools::is_proof(body, "kept", "n2", line.client()));
  const Line passed_on(port);
  CHECK_FALSE(tools::is_proof(body, "kept", "n1", passed_on.client()));
  test::ListeningPort another;
  const Line elsewhere(another, &line);
  CHECK_FALSE(tools::is_proof(body, "kept", "n1", elsewhere.client()));
  CHECK_FALSE(tools::is_proof("", "kept", "n1", line.client()));
}

TEST_CASE("only what asks for a proof, with a nonce, gets one") {
  test::ListeningPort port;
  const Line line(port);
  for (const std::string head :
       {"GET /jobs HTTP/1.1\r\nNonce: n1\r\n\r\n", "GET /proof HTTP/1.1\r\n\r\n",
        "POST /proof HTTP/1.1\r\nNonce: n1\r\n\r\n"}) {
    CAPTURE(head);
    CHECK(tools::answer_with_proof(head, {"kept"}, line.server()).empty());
  }
  const std::string longest(65, 'n');
  CHECK(
      tools::answer_with_proof(tools::question_of_proof(longest), {"kept"}, line.server()).empty());
}

TEST_CASE("a file that is no address of a server stays") {
  const test::TemporaryDirectory folder;
  const auto store = folder.path() / "jobs.sqlite";
  const auto file = folder.path() / "jobs.sqlite.address";
  for (const std::string text : {"12 Mill Lane\n", "\nnotes\n", "http://one.example\nhttp://two\n",
                                 "http://127.0.0.1:7300\n\nnotes\n"}) {
    std::ofstream(file) << text;
    CHECK_THROWS_AS(publish_address(store, "http://127.0.0.1:7300"), CannotWrite);
    CHECK(fs::file_size(file) == text.size());
  }
  fs::remove(file);
  fs::create_symlink("elsewhere", file);
  CHECK_THROWS_AS(publish_address(store, "http://127.0.0.1:7300"), CannotWrite);
  CHECK(fs::is_symlink(file));
}

TEST_CASE("the address that an earlier server left is replaced") {
  const test::TemporaryDirectory folder;
  const auto store = folder.path() / "jobs.sqlite";
  std::ofstream(store) << "";
  for (const std::string text :
       {"", "http://127.0.0.1:7300\n",
        "http://[::]:73\n12345678-9abc-4def-8000-123456789abc 4026531833\n"}) {
    std::ofstream(store.string() + ".address") << text;
    publish_address(store, "http://127.0.0.1:7301");
    fs::permissions(store.string() + ".address", fs::perms(0600));
    CHECK(published_address(store) == "http://127.0.0.1:7301");
  }
}

TEST_CASE("an address of another user, or behind a link, is none") {
  const test::TemporaryDirectory folder;
  const auto store = folder.path() / "jobs.sqlite";
  const std::string file = store.string() + ".address";
  CHECK_THROWS_AS(static_cast<void>(published_address(store)), UnreadableFile);
  publish_address(store, "http://127.0.0.1:7300");
  CHECK_THROWS_AS(static_cast<void>(published_address(store)), UnreadableFile);  // without a store
  std::ofstream(store) << "";
  CHECK((fs::status(file).permissions() & fs::perms(0777)) == fs::perms(0600));
  fs::rename(file, folder.path() / "real");
  fs::create_symlink("real", file);
  CHECK_THROWS_AS(static_cast<void>(published_address(store)), UnreadableFile);
  fs::remove(file);
  fs::rename(folder.path() / "real", file);
  CHECK(published_address(store) == "http://127.0.0.1:7300");
  fs::permissions(file, fs::perms(0644));
  CHECK_THROWS_AS(static_cast<void>(published_address(store)), UnreadableFile);
  fs::permissions(file, fs::perms(0600));
  if (geteuid() != 0) return;
  REQUIRE(chown(file.c_str(), 65534, 65534) == 0);
  CHECK_THROWS_AS(static_cast<void>(published_address(store)), UnreadableFile);
}

}  // namespace rhizome::serve_address_test
