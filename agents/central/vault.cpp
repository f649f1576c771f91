#include "agents/central/vault.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "agents/files/content.hpp"
#include "agents/store/operation.hpp"

namespace rhizome::agents::central {

namespace {

core::Digest digest_of(const std::string& record) {
  return files::digest_of(std::as_bytes(std::span(record)));
}

std::string encoded(const Relay& part) {
  core::Bytes bytes;
  core::encode(part, bytes);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

void Vault::keep(Env& env, PeerId from, const Relay& part) {
  const bool later = std::pair(part.epoch, part.copy) > std::pair(epoch_, copy_);
  const bool next = part.epoch == epoch_ && part.copy == copy_ && part.number == number_ + 1;
  if (!next && !(later && part.number == 1)) return;
  epoch_ = part.epoch;
  copy_ = part.copy;
  number_ = part.number;
  steps_.push_back({.number = records_++, .until = 0, .from = from, .part = part});
  begin(env);
}

// One load is enough: a head stores nothing before it has loaded the snapshot.
void Vault::load(Env& env) {
  if (std::any_of(steps_.begin(), steps_.end(), [](const Step& step) { return step.loads; }))
    return;
  loaded_ = {};
  loaded_.begin_empty();
  steps_.push_back({.loads = true, .until = records_, .from = core::no_peer});
  begin(env);
}

core::Work Vault::work_of(const Step& step) const {
  const Options& options = rules_.options;
  if (!real_ || (step.loads && step.until == 0))
    return {.recipe = {}, .duration = real_ ? Duration::zero() : options.store_latency};
  store::Operation operation{
      .location = {
          .medium =
              options.store == StoreKind::redis ? store::Medium::redis : store::Medium::sqlite,
          .address = options.store == StoreKind::redis ? options.store_address : options.store_file,
          .name = rules_.store_name}};
  operation.number = step.number;
  operation.what = !cleared_    ? store::What::clear
                   : step.loads ? store::What::get
                                : store::What::put;
  if (operation.what == store::What::put) operation.record = encoded(step.part);
  return {.recipe = store::recipe_of(operation), .duration = {}};
}

// Begins the next operation, if none is in progress.
void Vault::begin(Env& env) {
  if (running_ || failing_since_ || steps_.empty()) return;
  tried_ = env.now();
  running_ = env.work(work_of(steps_.front()));
}

std::string Vault::failure(Time now, const core::WorkDone& done) const {
  if (real_) return done.result.verdict == core::Result::Verdict::wrong ? done.result.value : "";
  const Duration since = now.time_since_epoch() - rules_.options.store_down_at;
  const bool down = since >= Duration::zero() && since < rules_.options.store_down_for;
  return down ? "it is down" : "";
}

Vault::News Vault::on(Env& env, const core::WorkDone& done) {
  running_.reset();
  reason_ = failure(env.now(), done);
  News news;
  const bool clears = real_ && !cleared_;
  if (reason_.empty() && !clears) news = end(done);
  if (!reason_.empty()) {
    if (!failing_since_) failing_since_ = tried_;
    return {};
  }
  failing_since_.reset();
  cleared_ = true;
  begin(env);
  return news;
}

// Completes a step; a load reads one record after the other.
Vault::News Vault::end(const core::WorkDone& done) {
  Step& step = steps_.front();
  if (!step.loads) {
    Kept kept{step.from, std::move(step.part)};
    if (real_)
      put_.push_back(digest_of(encoded(kept.part)));
    else
      in_time_.push_back(encoded(kept.part));
    steps_.pop_front();
    return kept;
  }
  if (step.number < step.until &&
      !(real_ ? is_put(step.number, done.result.value) && take(done.result.value)
              : take(in_time_[step.number]))) {
    reason_ = "it has a record that was not put there";
    return {};
  }
  if (++step.number < step.until) return {};
  steps_.pop_front();
  return std::exchange(loaded_, {});
}

bool Vault::is_put(std::uint64_t number, const std::string& record) const {
  return number < put_.size() && put_[number] == digest_of(record);
}

bool Vault::take(const std::string& record) {
  Relay part{};
  core::Tokens tokens;
  if (core::decode(std::as_bytes(std::span(record)), part, tokens) != core::DecodeError::none)
    return false;
  loaded_.apply(part);
  return true;
}

void Vault::tick(Env& env) {
  if (running_ || !failing_since_ || env.now() - tried_ < rules_.options.repeat) return;
  tried_ = env.now();
  running_ = env.work(work_of(steps_.front()));
}

void Vault::stop(Env& env) {
  if (running_) env.stop(*std::exchange(running_, std::nullopt));
  steps_.clear();
}

std::string Vault::given_up(Time now) const {
  if (!failing_since_ || now - *failing_since_ <= rules_.options.store_patience) return {};
  return "the store of snapshots has not answered for " +
         std::to_string(static_cast<std::int64_t>(core::seconds(now - *failing_since_))) +
         " s: " + reason_;
}

}  // namespace rhizome::agents::central
