// The exchange: how clients outside a process ask it something and are answered. It carries bytes;
// other parts encode and decode them. Only this file and the transports use ZeroMQ.
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
  std::string client;  // the client that gets the answer
  Bytes bytes;
};

// Answers any number of clients. For one thread, except wake().
class ExchangeServer {
 public:
  // Throws ExchangeFailed. A client that sends more than `longest` bytes at a time is cut off.
  ExchangeServer(const std::string& endpoint, std::size_t longest);
  ~ExchangeServer();
  ExchangeServer(const ExchangeServer&) = delete;
  ExchangeServer& operator=(const ExchangeServer&) = delete;

  // The next request, or nothing: after that time, or once wake() was called.
  [[nodiscard]] std::optional<Request> receive(std::chrono::milliseconds wait);
  // Never waits: a client that has left many answers unread gets none. False where the client has
  // gone.
  bool send(const std::string& client, const Bytes& answer);
  // Whether the client is still there, which only a send can tell; the client does not notice it.
  [[nodiscard]] bool knock(const std::string& client) { return send(client, {}); }
  // May be called from any thread.
  void wake();

 private:
  struct Sockets;
  std::unique_ptr<Sockets> sockets_;
};

// For one thread.
class ExchangeClient {
 public:
  // Throws ExchangeFailed where the endpoint is invalid; whether a server answers there shows
  // later.
  explicit ExchangeClient(const std::string& endpoint);
  ~ExchangeClient();
  ExchangeClient(const ExchangeClient&) = delete;
  ExchangeClient& operator=(const ExchangeClient&) = delete;

  void send(const Bytes& request);
  // The next answer that is not empty, or nothing after that time.
  [[nodiscard]] std::optional<Bytes> receive(std::chrono::milliseconds wait);

 private:
  struct Socket;
  std::unique_ptr<Socket> socket_;
};

}  // namespace rhizome::core
