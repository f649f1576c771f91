#include "core/mesh/mailbox.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::core {

using std::chrono::steady_clock;

void Mailbox::put_letter(std::uint32_t run, std::uint32_t from, std::span<const std::byte> text) {
  const std::scoped_lock lock(mutex_);
  letters_.push_back({run, {from, {text.begin(), text.end()}}});
  changed_.notify_all();
}

void Mailbox::put_piece(std::uint32_t from, std::span<const std::byte> piece, bool more_follows) {
  const std::scoped_lock lock(mutex_);
  Bytes& whole = pieces_[from];
  whole.insert(whole.end(), piece.begin(), piece.end());
  if (more_follows) return;
  parcels_.push_back({from, std::exchange(whole, {})});
  changed_.notify_all();
}

void Mailbox::put_loss(ProcessLoss loss) {
  const std::scoped_lock lock(mutex_);
  pieces_[loss.process].clear();
  losses_.push_back(std::move(loss));
  changed_.notify_all();
}

void Mailbox::put_ping(const PingTimes& ping) {
  const std::scoped_lock lock(mutex_);
  clock_.add(ping);
  changed_.notify_all();
}

void Mailbox::came_up(std::uint32_t process) {
  const std::scoped_lock lock(mutex_);
  standing_[process].up = true;
  changed_.notify_all();
}

void Mailbox::put_ready(std::uint32_t process, std::chrono::nanoseconds clock_bound) {
  const std::scoped_lock lock(mutex_);
  standing_[process].clock_bound = clock_bound;
  changed_.notify_all();
}

void Mailbox::put_left(std::uint32_t process) {
  const std::scoped_lock lock(mutex_);
  standing_[process].left = true;
  changed_.notify_all();
}

std::optional<Parcel> Mailbox::first_letter(std::uint32_t run) {
  std::erase_if(letters_, [run](const Letter& letter) { return letter.run < run; });
  const auto found = std::find_if(letters_.begin(), letters_.end(),
                                  [run](const Letter& letter) { return letter.run == run; });
  if (found == letters_.end()) return {};
  Parcel content = std::move(found->content);
  letters_.erase(found);
  return content;
}

std::optional<Parcel> Mailbox::take_letter(std::uint32_t run, std::chrono::nanoseconds wait) {
  std::unique_lock lock(mutex_);
  if (auto letter = first_letter(run)) return letter;
  if (wait > std::chrono::nanoseconds::zero()) changed_.wait_for(lock, wait);
  return first_letter(run);
}

std::optional<Parcel> Mailbox::take_parcel(std::chrono::nanoseconds wait) {
  std::unique_lock lock(mutex_);
  const std::size_t lost = losses_.size();
  changed_.wait_for(lock, wait, [&] { return !parcels_.empty() || losses_.size() > lost; });
  if (parcels_.empty()) return {};
  Parcel parcel = std::move(parcels_.front());
  parcels_.pop_front();
  return parcel;
}

std::optional<ProcessLoss> Mailbox::loss_of(std::uint32_t process) const {
  const std::scoped_lock lock(mutex_);
  const auto found =
      std::find_if(losses_.begin(), losses_.end(),
                   [process](const ProcessLoss& loss) { return loss.process == process; });
  return found == losses_.end() ? std::nullopt : std::optional(*found);
}

std::vector<ProcessLoss> Mailbox::losses() const {
  const std::scoped_lock lock(mutex_);
  return losses_;
}

ClockOffset Mailbox::clock() const {
  const std::scoped_lock lock(mutex_);
  return clock_;
}

bool Mailbox::has_come(const Beginning& beginning) const {
  const auto count = [this](auto so) {
    return std::count_if(standing_.begin(), standing_.end(), so);
  };
  return clock_.samples() >= beginning.pings &&
         count([](const Standing& each) { return each.up; }) >= beginning.up &&
         count([](const Standing& each) { return each.clock_bound.has_value(); }) >=
             beginning.ready;
}

bool Mailbox::somebody_has_gone() const {
  return !losses_.empty() || std::any_of(standing_.begin(), standing_.end(),
                                         [](const Standing& each) { return each.left; });
}

bool Mailbox::wait_for(const Beginning& beginning, steady_clock::time_point deadline) {
  std::unique_lock lock(mutex_);
  changed_.wait_until(lock, deadline, [&] { return has_come(beginning) || somebody_has_gone(); });
  return has_come(beginning) && !somebody_has_gone();
}

auto Mailbox::standing() const -> std::vector<Standing> {
  const std::scoped_lock lock(mutex_);
  return standing_;
}

}  // namespace rhizome::core
