// The exchange: how strangers beside a process ask it something and are answered. Bytes come in and
// bytes go out; what they mean is for others. With the transports, this is the door to ZeroMQ.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "core/peer/codec.hpp"

namespace rhizome::core {

// An endpoint cannot be used; the text says why.
class ExchangeFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Request {
  std::string client;  // which one, for the answer
  Bytes bytes;
};

// Answers any number of clients; of one thread, but for wake().
class ExchangeServer {
 public:
  // Throws ExchangeFailed. A client that sends more than `longest` bytes at a time is cut off.
  ExchangeServer(const std::string& endpoint, std::size_t longest);
  ~ExchangeServer();
  ExchangeServer(const ExchangeServer&) = delete;
  ExchangeServer& operator=(const ExchangeServer&) = delete;

  // The next request, or nothing: after that time, or once somebody has called wake().
  [[nodiscard]] std::optional<Request> receive(std::chrono::milliseconds wait);
  // Never waits: a client that has left many answers unread gets none. False where it has gone.
  bool send(const std::string& client, const Bytes& answer);
  // Whether it is still there, which only something sent tells: it does not hear of that.
  [[nodiscard]] bool knock(const std::string& client) { return send(client, {}); }
  // From any thread.
  void wake();

 private:
  struct Sockets;
  std::unique_ptr<Sockets> sockets_;
};

// Of one thread.
class ExchangeClient {
 public:
  // Throws ExchangeFailed where the endpoint is none; whether anybody answers there shows later.
  explicit ExchangeClient(const std::string& endpoint);
  ~ExchangeClient();
  ExchangeClient(const ExchangeClient&) = delete;
  ExchangeClient& operator=(const ExchangeClient&) = delete;

  void send(const Bytes& request);
  // The next answer that says anything, or nothing after that time.
  [[nodiscard]] std::optional<Bytes> receive(std::chrono::milliseconds wait);

 private:
  struct Socket;
  std::unique_ptr<Socket> socket_;
};

}  // namespace rhizome::core
