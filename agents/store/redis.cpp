#include <hiredis/hiredis.h>

#include <charconv>
#include <memory>
#include <string>
#include <utility>

#include "agents/store/store.hpp"

namespace rhizome::agents::store {

namespace {

constexpr timeval answer_within{.tv_sec = 1, .tv_usec = 0};  // for every answer

struct CloseReply {
  void operator()(redisReply* reply) const { freeReplyObject(reply); }
};
using Reply = std::unique_ptr<redisReply, CloseReply>;
struct CloseConnection {
  void operator()(redisContext* connection) const { redisFree(connection); }
};

int port_of(const std::string& address, std::size_t colon) {
  int port = 0;
  const char* end = address.data() + address.size();
  const auto [last, error] = std::from_chars(address.data() + colon + 1, end, port);
  constexpr int most = 65535;
  if (error != std::errc() || last != end || port < 1 || port > most)
    throw Failed("Redis: \"" + address + "\" is not HOST:PORT");
  return port;
}

class RedisStore final : public RecordStore {
 public:
  RedisStore(const std::string& address, std::string name) : name_(std::move(name)) {
    const std::size_t colon = address.rfind(':');
    if (colon == std::string::npos) throw Failed("Redis: \"" + address + "\" is not HOST:PORT");
    connection_.reset(redisConnectWithTimeout(address.substr(0, colon).c_str(),
                                              port_of(address, colon), answer_within));
    if (!connection_) throw Failed("Redis: no memory for a connection");
    if (connection_->err != 0) throw Failed(std::string("Redis: ") + connection_->errstr);
    redisSetTimeout(connection_.get(), answer_within);
  }

  void put(std::uint64_t number, std::string_view record) override {
    const std::string field = std::to_string(number);
    static_cast<void>(
        checked(redisCommand(connection_.get(), "HSET %b %b %b", name_.data(), name_.size(),
                             field.data(), field.size(), record.data(), record.size())));
  }
  std::string get(std::uint64_t number) override {
    const std::string field = std::to_string(number);
    const Reply reply = checked(redisCommand(connection_.get(), "HGET %b %b", name_.data(),
                                             name_.size(), field.data(), field.size()));
    if (reply->type != REDIS_REPLY_STRING) throw Failed("the store has no record " + field);
    return {reply->str, reply->len};
  }
  void clear() override {
    static_cast<void>(
        checked(redisCommand(connection_.get(), "DEL %b", name_.data(), name_.size())));
  }

 private:
  Reply checked(void* answer) const {
    Reply reply(static_cast<redisReply*>(answer));
    if (!reply) throw Failed(std::string("Redis: ") + connection_->errstr);
    if (reply->type == REDIS_REPLY_ERROR) throw Failed(std::string("Redis: ") + reply->str);
    return reply;
  }

  std::unique_ptr<redisContext, CloseConnection> connection_;
  std::string name_;
};

}  // namespace

std::unique_ptr<RecordStore> open_redis(const std::string& address, const std::string& name) {
  return std::make_unique<RedisStore>(address, name);
}

}  // namespace rhizome::agents::store
