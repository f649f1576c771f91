#include "scenarios/experiment/helpers.hpp"

#include <algorithm>
#include <utility>

#include "core/peer/tagged.hpp"
#include "scenarios/experiment/helping.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::uint32_t most_slots = 4096;  // more is nonsense
constexpr auto nonsense = "sends what cannot be understood, and is asked no more";

}  // namespace

Helpers::Helpers(core::Mesh& mesh, Packing packing)
    : mesh_(mesh), packing_(std::move(packing)), members_(members_of(mesh)) {
  for (std::uint32_t process = 1; process < mesh_.size(); ++process) helpers_[process] = {};
}

Helpers::~Helpers() {
  for (std::uint32_t process = 1; process < mesh_.size(); ++process)
    mesh_.send(process, core::encode_tagged(helping::Word(helping::Dismissal{})));
}

std::vector<std::uint32_t> Helpers::idle() const {
  std::vector<std::uint32_t> list;
  for (const auto& [process, helper] : helpers_)
    if (!helper.gone && helper.busy < helper.slots) list.push_back(process);
  return list;
}

std::vector<Member> Helpers::members() const {
  std::vector<Member> members = members_;
  for (const core::ProcessLoss& loss : mesh_.losses()) members[loss.process].lost = loss.why;
  return members;
}

std::size_t Helpers::slots() const {
  std::size_t sum = 0;
  for (const auto& [process, helper] : helpers_) sum += helper.gone ? 0 : helper.slots;
  return sum;
}

void Helpers::order(std::uint32_t process, std::uint64_t run) {
  ++helpers_[process].busy;
  mesh_.send(process, core::encode_tagged(helping::Word(helping::Order{run})));
}

auto Helpers::hear(std::chrono::nanoseconds wait) -> std::optional<News> {
  const auto parcel = mesh_.receive(wait);
  if (!parcel) return {};
  Helper& helper = helpers_[parcel->from];
  auto word = core::decode_tagged<helping::Word>(parcel->bytes, core::no_limits);
  if (word && std::holds_alternative<helping::Ready>(*word)) {
    helper.slots = std::min(most_slots, std::get<helping::Ready>(*word).slots);
    return {};
  }
  if (word && std::holds_alternative<helping::Answer>(*word) && helper.busy > 0 && !helper.gone) {
    --helper.busy;
    return take(parcel->from, std::move(std::get<helping::Answer>(*word)));
  }
  const auto* leaving = word ? std::get_if<helping::HelperLeaving>(&*word) : nullptr;
  if (leaving == nullptr)
    dismiss(helper, nonsense);
  else
    dismiss(helper, leaving->interrupted ? "was interrupted" : "does not understand this one");
  return {};
}

// Only the first reason is kept.
void Helpers::dismiss(Helper& helper, std::string why) {
  if (!std::exchange(helper.gone, true)) helper.why = std::move(why);
}

auto Helpers::take(std::uint32_t from, helping::Answer&& answer) -> std::optional<News> {
  News news{.from = from, .run = answer.run, .remarks = std::move(answer.remarks)};
  if (!answer.done) return news;
  try {
    news.outcome = packing_.unpack(answer.outcome);
    news.outcome->wall = std::chrono::nanoseconds(answer.wall_ns);
  } catch (const std::exception&) {
    dismiss(helpers_[from], nonsense);
  }
  return news;
}

std::vector<std::uint32_t> Helpers::newly_lost() {
  for (const core::ProcessLoss& loss : mesh_.losses()) helpers_[loss.process].gone = true;
  std::vector<std::uint32_t> list;
  for (auto& [process, helper] : helpers_)
    if (helper.gone && !std::exchange(helper.told, true)) list.push_back(process);
  return list;
}

std::string Helpers::fate_of(std::uint32_t process) const {
  const std::string& why = helpers_.at(process).why;
  const auto loss = mesh_.loss_of(process);
  return mesh_.name_of(process) + " " + (why.empty() && loss ? "is lost: " + loss->why : why);
}

}  // namespace rhizome::scenarios
