#include "tools/nodes/lines.hpp"

#include <fmt/core.h>

#include <charconv>
#include <sstream>
#include <vector>

#include "agents/work/kinds.hpp"

namespace rhizome::tools {

namespace {

// "-" means no bytes, because a word is never empty.
std::string digits_of(std::string_view bytes) {
  if (bytes.empty()) return "-";
  std::string digits;
  for (const char byte : bytes) digits += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return digits;
}

std::optional<std::string> bytes_in(std::string_view digits) {
  std::string bytes;
  if (digits == "-") return bytes;
  if (digits.size() % 2 != 0) return {};
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned char byte = 0;
    const char* const end = digits.data() + i + 2;
    const auto [rest, error] = std::from_chars(digits.data() + i, end, byte, 16);
    if (error != std::errc{} || rest != end) return {};
    bytes += static_cast<char>(byte);
  }
  return bytes;
}

template <class Number>
std::optional<Number> number_in(std::string_view word) {
  Number number{};
  const char* const end = word.data() + word.size();
  const auto [rest, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc{} || rest != end) return {};
  return number;
}

std::vector<std::string> words_of(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::optional<core::WorkKindId> kind_named(std::string_view name) {
  const core::WorkKinds kinds = agents::work_kinds();
  for (std::size_t i = 0; i < kinds.size(); ++i)
    if (kinds[i].name == name) return static_cast<core::WorkKindId>(i);
  return {};
}

std::optional<core::Work> work_in(const std::vector<std::string>& words) {
  const auto kind = kind_named(words[2]);
  const auto seed = number_in<std::uint64_t>(words[3]);
  auto spec = bytes_in(words[4]);
  if (!kind || !seed || !spec || spec->size() > core::Recipe::longest) return {};
  return core::Work{.recipe = {*kind, std::move(*spec)}, .seed = *seed};
}

}  // namespace

std::string line_of(const WorkerOrder& order) {
  using Kind = WorkerOrder::Kind;
  const core::Recipe& recipe = order.work.recipe;
  switch (order.kind) {
    case Kind::work:
      return fmt::format("work {} {} {} {}\n", order.id,
                         agents::work_kinds()[static_cast<std::size_t>(recipe.kind())].name,
                         order.work.seed, digits_of(recipe.spec()));
    case Kind::pace:
      return fmt::format("pace {} {}\n", order.id, order.rate);
    case Kind::stop:
      return fmt::format("stop {}\n", order.id);
    case Kind::here:
      return "here\n";
    case Kind::end:
      break;
  }
  return "end\n";
}

std::string line_of(const WorkerAnswer& answer) {
  using Kind = WorkerAnswer::Kind;
  if (answer.kind == Kind::ready) return "ready " + answer.version + "\n";
  if (answer.kind == Kind::here) return "here\n";
  return fmt::format("done {} {} {}\n", answer.id, static_cast<int>(answer.result.verdict),
                     digits_of(answer.result.value));
}

std::optional<WorkerOrder> worker_order_in(std::string_view line) {
  using Kind = WorkerOrder::Kind;
  const std::vector<std::string> words = words_of(line);
  if (words.size() == 1 && words[0] == "here") return WorkerOrder{};
  if (words.size() == 1 && words[0] == "end") return WorkerOrder{.kind = Kind::end};
  const auto id = words.size() < 2 ? std::nullopt : number_in<std::uint32_t>(words[1]);
  if (!id) return {};
  if (words.size() == 2 && words[0] == "stop") return WorkerOrder{.kind = Kind::stop, .id = *id};
  if (words.size() == 3 && words[0] == "pace") {
    const auto rate = number_in<double>(words[2]);
    if (!rate || !(*rate >= 0 && *rate <= 1)) return {};
    return WorkerOrder{.kind = Kind::pace, .id = *id, .rate = *rate};
  }
  if (words.size() != 5 || words[0] != "work") return {};
  auto work = work_in(words);
  if (!work) return {};
  return WorkerOrder{.kind = Kind::work, .id = *id, .work = std::move(*work)};
}

std::optional<WorkerAnswer> answer_in(std::string_view line) {
  using Kind = WorkerAnswer::Kind;
  using Verdict = core::Result::Verdict;
  const std::vector<std::string> words = words_of(line);
  if (words.size() == 1 && words[0] == "here") return WorkerAnswer{};
  if (words.size() == 2 && words[0] == "ready")
    return WorkerAnswer{.kind = Kind::ready, .version = words[1]};
  if (words.size() != 4 || words[0] != "done") return {};
  const auto id = number_in<std::uint32_t>(words[1]);
  const auto verdict = number_in<std::uint8_t>(words[2]);
  auto value = bytes_in(words[3]);
  if (!id || !verdict || *verdict > static_cast<std::uint8_t>(Verdict::wrong) || !value ||
      value->size() > core::Result::longest)
    return {};
  return WorkerAnswer{
      .kind = Kind::done, .id = *id, .result = {std::move(*value), static_cast<Verdict>(*verdict)}};
}

std::string worker_version() { return RHIZOME_VERSION; }

}  // namespace rhizome::tools
