// A store of numbered records, which survive the processes that write them. Two implementations: a
// file of SQLite, and a server of Redis.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>

#include "core/peer/codec.hpp"
#include "core/peer/interface.hpp"

namespace rhizome::agents::store {

// A store did not answer, or lacks the record; the text tells which.
class Failed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// An operation that takes longer fails. File and server may belong to a stranger.
constexpr std::chrono::seconds operation_within{1};
// A longer record is refused; in bytes. A record holds a packet.
constexpr std::size_t largest_record = core::codec_limits.bytes;

class RecordStore : public core::Interface {
 public:
  // Stores a record durably: once this returns, it outlives the process. A record of the same
  // number is replaced. Throws Failed.
  virtual void put(std::uint64_t number, std::string_view record) = 0;
  // Throws Failed, also where there is no such record.
  [[nodiscard]] virtual std::string get(std::uint64_t number) = 0;
  // Removes all records. Throws Failed.
  virtual void clear() = 0;
};

// Why such a file cannot keep records: another user might put a journal beside it, of which SQLite
// would take records. "" if it can.
[[nodiscard]] std::string objection_to(const std::string& file);
// A file, made where there is none. Throws Failed.
[[nodiscard]] std::unique_ptr<RecordStore> open_sqlite(const std::string& file);
// A server, HOST:PORT; records are in a hash of that name. Throws Failed if the server does not
// answer within a second, or this program was built without hiredis.
[[nodiscard]] std::unique_ptr<RecordStore> open_redis(const std::string& address,
                                                      const std::string& name);

}  // namespace rhizome::agents::store
