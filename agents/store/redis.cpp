#include <fcntl.h>
#include <hiredis/hiredis.h>
#include <poll.h>

#include <array>
#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "agents/store/store.hpp"
#include "core/peer/number_text.hpp"

namespace rhizome::agents::store {

namespace {

constexpr timeval connected_within{.tv_sec = operation_within.count(), .tv_usec = 0};

using Clock = std::chrono::steady_clock;

struct CloseReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Reply = std::unique_ptr<redisReply, CloseReply>;
struct CloseConnection {
  void operator()(redisContext* connection) const { redisFree(connection); }
};

int port_of(const std::string& address, std::size_t colon) {
  const int port = core::parse_number<std::uint16_t>(address.substr(colon + 1)).value_or(0);
  if (port == 0) throw Failed("Redis: \"" + address + "\" is not HOST:PORT");
  return port;
}

class RedisStore final : public RecordStore {
 public:
  RedisStore(const std::string& address, std::string name) : name_(std::move(name)) {
    const std::size_t colon = address.rfind(':');
    if (colon == std::string::npos) throw Failed("Redis: \"" + address + "\" is not HOST:PORT");
    connection_.reset(redisConnectWithTimeout(address.substr(0, colon).c_str(),
                                              port_of(address, colon), connected_within));
    if (!connection_) throw Failed("Redis: no memory for a connection");
    if (connection_->err != 0) fail();
    const int flags = ::fcntl(connection_->fd, F_GETFL);
    if (flags < 0 || ::fcntl(connection_->fd, F_SETFL, flags | O_NONBLOCK) < 0)
      throw Failed("Redis: the connection cannot be used without blocking");
    connection_->flags &= ~REDIS_BLOCK;
  }

  void put(std::uint64_t number, std::string_view record) override {
    static_cast<void>(
        ask(std::array<std::string_view, 4>{"HSET", name_, std::to_string(number), record}));
  }
  std::string get(std::uint64_t number) override {
    const std::string field = std::to_string(number);
    const Reply reply = ask(std::array<std::string_view, 3>{"HGET", name_, field});
    if (reply->type != REDIS_REPLY_STRING) throw Failed("the store has no record " + field);
    return {reply->str, reply->len};
  }
  void clear() override { static_cast<void>(ask(std::array<std::string_view, 2>{"DEL", name_})); }

 private:
  // The time is for the whole answer, because a hostile server may send it byte by byte.
  template <std::size_t words>
  [[nodiscard]] Reply ask(const std::array<std::string_view, words>& command) {
    std::array<const char*, words> data{};
    std::array<std::size_t, words> sizes{};
    for (std::size_t i = 0; i < words; ++i) {
      data[i] = command[i].data();
      sizes[i] = command[i].size();
    }
    const auto deadline = Clock::now() + operation_within;
    if (redisAppendCommandArgv(connection_.get(), static_cast<int>(words), data.data(),
                               sizes.data()) != REDIS_OK)
      fail();
    send(deadline);
    return receive(deadline);
  }
  void send(Clock::time_point deadline) {
    for (int done = 0; done == 0;) {
      wait(POLLOUT, deadline);
      if (redisBufferWrite(connection_.get(), &done) != REDIS_OK) fail();
    }
  }
  Reply receive(Clock::time_point deadline) {
    void* answer = nullptr;
    while (answer == nullptr) {
      wait(POLLIN, deadline);
      if (redisBufferRead(connection_.get()) != REDIS_OK) fail();
      refuse_what_is_large(*connection_->reader);
      if (redisGetReplyFromReader(connection_.get(), &answer) != REDIS_OK) fail();
    }
    Reply reply(static_cast<redisReply*>(answer));
    if (reply->type == REDIS_REPLY_ERROR) throw Failed(std::string("Redis: ") + reply->str);
    return reply;
  }
  void wait(short events, Clock::time_point deadline) const {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd ready{.fd = connection_->fd, .events = events, .revents = 0};
    if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) == 0)
      throw Failed("Redis: no whole answer within a second");
  }
  // No operation is answered by a list, a map, a set or a push, and hiredis allocates as many
  // elements as one of them announces.
  static void refuse_what_is_large(const redisReader& reader) {
    if (reader.len > largest_record) throw Failed("Redis: the answer is too long");
    constexpr std::string_view lists = "*%~>|";
    if (reader.len > reader.pos && lists.find(reader.buf[reader.pos]) != std::string_view::npos)
      throw Failed("Redis: the answer is a list");
  }
  [[noreturn]] void fail() const { throw Failed(std::string("Redis: ") + connection_->errstr); }

  std::unique_ptr<redisContext, CloseConnection> connection_;
  std::string name_;
};

}  // namespace

std::unique_ptr<RecordStore> open_redis(const std::string& address, const std::string& name) {
  return std::make_unique<RedisStore>(address, name);
}

}  // namespace rhizome::agents::store
