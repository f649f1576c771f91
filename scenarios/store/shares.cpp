#include "scenarios/store/shares.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace rhizome::scenarios {

namespace {

const RunShare& share_of(const StoredRun& part) { return *order_of_share(part).share; }
std::uint32_t index_of(const StoredRun& part) { return share_of(part).index; }

void check_whole(const StoredRun& part, std::size_t runs) {
  const std::string where = part.path.string();
  if (part.record.verdict.empty())
    throw InconsistentShares(where + " has not ended, or was killed: run its share again");
  if (part.record.verdict == "interrupted")
    throw InconsistentShares(where + " was interrupted: run its share again");
  const RunShare& share = share_of(part);
  const std::size_t due = share.size(runs);
  if (part.store.size() != due)
    throw InconsistentShares(fmt::format("{} holds {} outcomes, and share {} of {} runs has {}",
                                         where, part.store.size(), share.text(), runs, due));
}

void check_once(const StoredRun& before, const StoredRun& part) {
  const RunShare& share = share_of(part);
  const RunShare& other = share_of(before);
  if (share.of != other.of)
    throw InconsistentShares(
        fmt::format("{} holds share {}, and {} share {}: they were not cut alike",
                    before.path.string(), other.text(), part.path.string(), share.text()));
  if (share.index == other.index)
    throw InconsistentShares(fmt::format("{} and {} hold the same share, {}", before.path.string(),
                                         part.path.string(), share.text()));
}

// Shares beyond the number of runs hold none, and need not be there.
void check_complete(const std::vector<StoredRun>& parts, std::size_t runs) {
  constexpr std::size_t told = 10;
  const std::uint32_t of = share_of(parts.front()).of;
  std::vector<std::string> missing;
  std::size_t next = 0;
  for (std::uint32_t i = 0; i < std::min<std::size_t>(of, runs); ++i)
    if (next < parts.size() && index_of(parts[next]) == i)
      ++next;
    else
      missing.push_back(RunShare{i, of}.text());
  if (missing.empty()) return;
  const std::size_t all = missing.size();
  if (all > told) missing.resize(told);
  throw InconsistentShares(fmt::format("missing: share{} {}{}", all == 1 ? "" : "s",
                                       fmt::join(missing, ", "),
                                       all > told ? fmt::format(" and {} more", all - told) : ""));
}

}  // namespace

const OrderRecord& order_of_share(const StoredRun& run) {
  if (!run.record.order || !run.record.order->share)
    throw InconsistentShares(run.path.string() +
                             " holds no share of an experiment, as run --share makes it");
  if (!is_run_again(run.record.order->command))
    throw InconsistentShares(run.path.string() +
                             " is run again by a command that run --share does not write: \"" +
                             run.record.order->command + "\"");
  return *run.record.order;
}

Shares::Shares(std::vector<StoredRun> parts, std::size_t runs)
    : parts_(std::move(parts)), runs_(runs) {
  if (parts_.empty()) throw InconsistentShares("there is nothing to put together");
  for (const StoredRun& part : parts_) check_whole(part, runs_);
  std::ranges::sort(
      parts_, [](const StoredRun& a, const StoredRun& b) { return index_of(a) < index_of(b); });
  for (std::size_t i = 1; i < parts_.size(); ++i) check_once(parts_[i - 1], parts_[i]);
  check_complete(parts_, runs_);
}

void Shares::check_runs(const std::vector<Identity>& expected) const {
  const auto words = [](const Identity& run) {
    return fmt::format("{}, {}, seed {}, repetition {}", run.scenario, run.label, run.seed,
                       run.repetition + 1);
  };
  const std::size_t of = share_of(parts_.front()).of;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const StoredRun& part = parts_[i % of];
    const Identity found = part.store.identity(i / of);
    if (found != expected[i])
      throw InconsistentShares(
          fmt::format("{} holds other runs than its scenario has: {} in the place of {}",
                      part.path.string(), words(found), words(expected[i])));
  }
}

Outcome Shares::read(std::size_t i) const {
  const std::size_t of = share_of(parts_.front()).of;
  return parts_[i % of].read(i / of);
}

std::vector<PartRecord> Shares::records() const {
  std::vector<PartRecord> list;
  for (const StoredRun& part : parts_)
    list.push_back({.share = share_of(part),
                    .directory = part.name(),
                    .started = part.record.started,
                    .ended = part.record.ended,
                    .host = part.record.host,
                    .remarks = part.record.remarks});
  return list;
}

}  // namespace rhizome::scenarios
