#include "tools/monitor/web/door/proof.hpp"

#include <fmt/core.h>
#include <netdb.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>

#include "tools/monitor/web/door/porch.hpp"

namespace rhizome::tools {

namespace {

constexpr std::string_view asked = "GET /proof HTTP/1.1\r\n";
constexpr std::size_t longest_nonce = 64;

// The boot of this machine and the network namespace of this process: in another container, or on
// another machine, an address is another's. Nothing if that cannot be known.
std::optional<std::string> network_of_this() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string boot;
  struct stat space {};
  if (!std::getline(file, boot) || stat("/proc/self/ns/net", &space) != 0) return {};
  return boot + " " + std::to_string(space.st_ino);
}

using Look = int (*)(int, sockaddr*, socklen_t*);

// One end of a connection, as both see it: a server for IPv6 and IPv4 sees ::ffff:127.0.0.1.
std::optional<std::string> end_of(Look look, int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  auto* const seen = reinterpret_cast<sockaddr*>(&address);
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (look(socket, seen, &size) != 0 ||
      getnameinfo(seen, size, host.data(), host.size(), port.data(), port.size(),
                  NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return {};
  std::string_view name(host.data());
  constexpr std::string_view mapped = "::ffff:";
  if (name.starts_with(mapped)) name.remove_prefix(mapped.size());
  return fmt::format("{} {}", name, port.data());
}

std::string line_of(const std::string& token, const std::string& subject) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> code{};
  unsigned size = 0;
  HMAC(EVP_sha256(), token.data(), static_cast<int>(token.size()),
       reinterpret_cast<const unsigned char*>(subject.data()), subject.size(), code.data(), &size);
  std::string line;
  for (unsigned i = 0; i < size; ++i) line += fmt::format("{:02x}", code[i]);
  return line + "\n";
}

// What is signed; nothing if a part of it cannot be known. `server`, `client`: how their ends are
// seen from here.
std::optional<std::string> subject_of(const std::string& nonce, int socket, Look server,
                                      Look client) {
  const auto network = network_of_this();
  const auto to = end_of(server, socket);
  const auto from = end_of(client, socket);
  if (!network || !to || !from) return {};
  return "rhizome\n" + nonce + "\n" + *to + "\n" + *from + "\n" + *network;
}

}  // namespace

std::string answer_with_proof(const std::string& head, const std::vector<std::string>& tokens,
                              int socket) {
  if (!head.starts_with(asked)) return {};
  const std::string nonce = field_of(head, "nonce");
  const auto subject = subject_of(nonce, socket, getsockname, getpeername);
  if (nonce.empty() || nonce.size() > longest_nonce || !subject) return {};
  std::string lines;
  for (const std::string& token : tokens) lines += line_of(token, *subject);
  return fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{}",
                     lines.size(), lines);
}

std::string question_of_proof(const std::string& nonce) {
  return std::string(asked) + "Host: localhost\r\nNonce: " + nonce + "\r\n\r\n";
}

bool is_proof(std::string_view answer, const std::string& token, const std::string& nonce,
              int socket) {
  const auto subject = subject_of(nonce, socket, getpeername, getsockname);
  return subject && answer.find("\n" + line_of(token, *subject)) != std::string_view::npos;
}

}  // namespace rhizome::tools
