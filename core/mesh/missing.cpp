#include "core/mesh/missing.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/mesh/process_descriptor.hpp"

namespace rhizome::core {

std::optional<std::vector<std::string>> complete(
    std::span<const std::optional<std::string>> descriptors) {
  std::vector<std::string> all;
  for (const auto& descriptor : descriptors) {
    if (!descriptor) return {};
    all.push_back(*descriptor);
  }
  return all;
}

namespace {

using Ranks = std::vector<std::size_t>;

std::string name_of(std::size_t rank, std::span<const std::optional<std::string>> descriptors,
                    std::span<const std::string> hosts) {
  std::string host = descriptors[rank] ? host_in(*descriptors[rank]).value_or("") : "";
  if (host.empty() && rank < hosts.size()) host = hosts[rank];
  return std::to_string(rank) + (host.empty() ? "" : " on " + host);
}

class Attendance {
 public:
  Attendance(std::span<const std::optional<std::string>> descriptors,
             std::span<const std::string> hosts)
      : descriptors_(descriptors), hosts_(hosts) {
    for (std::size_t rank = 0; rank < descriptors.size(); ++rank)
      (descriptors[rank] ? came_ : missing_).push_back(rank);
  }
  // "processes 1 on h2, 3 on h4 of 4 have MANY, and 0 on h1, 2 on h3 have".
  [[nodiscard]] std::string text(const std::string& one, const std::string& many) const {
    const bool single = missing_.size() == 1;
    const std::string text =
        fmt::format("process{} {} of {} {}", single ? "" : "es", names_of(missing_),
                    descriptors_.size(), single ? one : many);
    if (came_.empty()) return text;
    return text + fmt::format(", and {} {}", names_of(came_), came_.size() == 1 ? "has" : "have");
  }

 private:
  [[nodiscard]] std::string names_of(const Ranks& ranks) const {
    constexpr std::size_t told = 10;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(told, ranks.size()); ++i)
      names.push_back(name_of(ranks[i], descriptors_, hosts_));
    const std::string more =
        ranks.size() > told ? fmt::format(" and {} more", ranks.size() - told) : "";
    return fmt::format("{}{}", fmt::join(names, ", "), more);
  }

  const std::span<const std::optional<std::string>> descriptors_;
  const std::span<const std::string> hosts_;
  Ranks came_;
  Ranks missing_;
};

}  // namespace

std::string who_is_missing(std::span<const std::optional<std::string>> descriptors,
                           std::chrono::milliseconds patience, std::span<const std::string> hosts) {
  const std::string within =
      fmt::format("not come within {:g} s", static_cast<double>(patience.count()) / 1000);
  return Attendance(descriptors, hosts).text("has " + within, "have " + within);
}

std::string who_has_ended(std::span<const std::optional<std::string>> descriptors,
                          std::span<const std::string> hosts) {
  return Attendance(descriptors, hosts)
      .text("has ended before it came", "have ended before they came");
}

}  // namespace rhizome::core
