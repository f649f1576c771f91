#include "agents/store/operation.hpp"

#include <memory>
#include <utility>
#include <vector>

#include "agents/store/store.hpp"
#include "agents/work/kinds.hpp"
#include "core/child/own_folder.hpp"
#include "core/work/loop.hpp"

namespace rhizome::agents::store {

namespace {

std::unique_ptr<RecordStore> open(const StoreLocation& location) {
  if (location.medium == Medium::redis) return open_redis(location.address, location.name);
  return open_sqlite(location.address.empty() ? own_file(location.name) : location.address);
}

// Unlike values in words, records are not shortened.
core::Result perform(const Operation& operation) {
  try {
    const std::unique_ptr<RecordStore> store = open(operation.location);
    std::string record;
    if (operation.what == What::clear) store->clear();
    if (operation.what == What::put) store->put(operation.number, operation.record);
    if (operation.what == What::get) record = store->get(operation.number);
    return {std::move(record), core::Result::Verdict::right};
  } catch (const std::exception& failure) {
    return core::judged(failure.what(), false);
  }
}

core::WorkKind operations() {
  return {
      .name = "store",
      .summary = "an operation of a store of records",
      .settings = {},
      .defaults = [] { return std::any(); },
      .address = [](std::any&) -> void* { return nullptr; },
      .spec = [](const std::any&) { return std::string(); },
      .compute = [](std::string_view spec, std::uint64_t) -> std::unique_ptr<core::Computation> {
        Operation operation;
        core::Tokens tokens;
        if (core::decode(std::as_bytes(std::span(spec)), operation, tokens, core::no_limits) !=
            core::DecodeError::none)
          return nullptr;
        return std::make_unique<core::Loop>(
            [operation](core::Throttle&) { return perform(operation); });
      }};
}

}  // namespace

core::Recipe recipe_of(const Operation& operation) {
  core::Bytes bytes;
  core::encode(operation, bytes);
  const auto kind = static_cast<core::WorkKindId>(work_kinds().size());
  return {kind, std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())};
}

std::string own_file(const std::string& name) {
  static const core::OwnFolder folder;
  return (folder.path() / (name + ".sqlite")).string();
}

core::WorkKinds kinds_of_runs() {
  static const std::vector<core::WorkKind> kinds = [] {
    std::vector<core::WorkKind> all(work_kinds().begin(), work_kinds().end());
    all.push_back(operations());
    return all;
  }();
  return kinds;
}

}  // namespace rhizome::agents::store
