#include "tools/monitor/web/door/client.hpp"

#include <httplib.h>

namespace rhizome::tools {

// The library throws where it does not know the scheme.
Answer ask(const ServerAddress& server, const Request& request) try {
  constexpr int patience = 30;  // seconds
  httplib::Client client(server.url);
  if (!client.is_valid()) throw NoAnswer(server.url + " is no address of a server");
  client.set_connection_timeout(patience);
  client.set_read_timeout(patience);
  httplib::Request said;
  said.method = request.method;
  said.path = request.path;
  said.set_header("Authorization", "Bearer " + server.token);
  if (!request.body.empty()) said.set_header("Content-Type", "application/json");
  if (!request.idempotency_key.empty()) said.set_header("Idempotency-Key", request.idempotency_key);
  if (!request.if_none_match.empty()) said.set_header("If-None-Match", request.if_none_match);
  said.body = request.body;
  const httplib::Result result = client.send(said);
  if (!result) throw NoAnswer(server.url + ": " + httplib::to_string(result.error()));
  if (result->has_header("ETag"))
    return {result->status, result->body, result->get_header_value("ETag")};
  return {result->status, result->body};
} catch (const std::invalid_argument&) {
  throw NoAnswer(server.url + " is no address of a server");
}

}  // namespace rhizome::tools
