// Operations of a store as work of a peer: a protocol knows no file and no server, and gets the end
// of each operation as that of any work. No task is of this kind of work.
#pragma once

#include <cstdint>
#include <string>

#include "core/work/kind.hpp"

namespace rhizome::agents::store {

// Which store: a file of SQLite or a server of Redis, and under which name.
enum class Medium : std::uint8_t { sqlite, redis, last = redis };
struct StoreLocation {
  Medium medium{};
  std::string address{};  // a file, or HOST:PORT; SQLite "": named file of this process
  std::string name{};     // distinguishes the records of a run from others
};

enum class What : std::uint8_t { clear, put, get, last = get };
struct Operation {
  StoreLocation location{};
  What what{};
  std::uint64_t number = 0;
  std::string record{};
};

// The work of the operation. Its result is right, with the requested record as value; or wrong,
// with the reason.
[[nodiscard]] core::Recipe recipe_of(const Operation& operation);

// The file of SQLite that "" stands for; the caller removes it.
[[nodiscard]] std::string own_file(const std::string& name);

// All kinds of work of tasks, and behind them these operations, which no task names. For engines.
[[nodiscard]] core::WorkKinds kinds_of_runs();

}  // namespace rhizome::agents::store
