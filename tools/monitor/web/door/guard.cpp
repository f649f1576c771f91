#include "tools/monitor/web/door/guard.hpp"

#include <openssl/crypto.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "tools/monitor/web/door/proof.hpp"

namespace rhizome::tools {

namespace {

// Whatever the port, which another one may lead to.
std::string_view name_of_host(std::string_view host) {
  const std::size_t colon = host.rfind(':');
  const std::size_t bracket = host.rfind(']');
  if (colon == std::string_view::npos) return host;
  return bracket != std::string_view::npos && bracket > colon ? host : host.substr(0, colon);
}

bool is_this_machine(std::string_view host) {
  constexpr std::array<std::string_view, 3> names{"127.0.0.1", "localhost", "[::1]"};
  return std::find(names.begin(), names.end(), name_of_host(host)) != names.end();
}

// Compares in constant time, however much of the token is right.
bool shows(const std::string& authorization, const std::string& token) {
  const std::string right = "Bearer " + token;
  return !token.empty() && authorization.size() == right.size() &&
         CRYPTO_memcmp(authorization.data(), right.data(), right.size()) == 0;
}

bool shows_one(const std::string& authorization, const std::vector<std::string>& tokens) {
  return std::any_of(tokens.begin(), tokens.end(),
                     [&](const std::string& token) { return shows(authorization, token); });
}

}  // namespace

std::optional<Refusal> Guard::refusal(const Asked& asked, const Way& way) const {
  if (!anywhere_ && !is_this_machine(asked.host))
    return Refusal{403, "this server is for this machine alone"};
  if (!asked.origin.empty() && asked.origin != "http://" + asked.host)
    return Refusal{403, "pages of other origins are not answered"};
  const bool there = !way.methods.empty();
  if (there && std::find(way.methods.begin(), way.methods.end(), asked.method) == way.methods.end())
    return Refusal{405, way.otherwise};
  if (asked.method == "POST" && asked.type != "application/json")
    return Refusal{415, "what is posted is JSON: Content-Type: application/json"};
  if (asked.type.starts_with("multipart/form-data"))  // httplib would take it apart
    return Refusal{415, "no forms are taken here: send the bytes alone"};
  if (way.open) return {};
  if (!knows(asked.authorization))
    return Refusal{401, "say the token that was printed: Authorization: Bearer TOKEN"};
  if (way.steers && asked.method != "GET" && !shows_one(asked.authorization, tokens_.steer))
    return Refusal{403, "this token is for reading: what changes something takes the other one"};
  if (!there) return Refusal{404, "there is nothing by that name"};
  return {};
}

bool Guard::knows(const std::string& authorization) const {
  return shows_one(authorization, tokens_.read) || shows_one(authorization, tokens_.steer);
}

std::string Guard::proof(int socket, const std::string& head) const {
  std::vector<std::string> all = tokens_.read;
  all.insert(all.end(), tokens_.steer.begin(), tokens_.steer.end());
  return answer_with_proof(head, all, socket);
}

auto ConnectionSlots::take() -> Place {
  if (++taken_ <= most_) return {this, [this](void*) { --taken_; }};
  --taken_;
  return {};
}

}  // namespace rhizome::tools
