// Words: texts that many facts share, kept once each.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <string_view>

namespace rhizome::scenarios {

// Copies share what is kept, which lives as long as one of them.
class Words {
 public:
  // The same text, kept.
  [[nodiscard]] std::string_view keep(std::string_view text) {
    const auto known = kept_->find(text);
    return known != kept_->end() ? *known : *kept_->emplace(text).first;
  }
  // Facts compare their texts, wherever these are kept.
  friend bool operator==(const Words&, const Words&) { return true; }

 private:
  using Set = std::set<std::string, std::less<>>;  // its texts stay where they are
  std::shared_ptr<Set> kept_ = std::make_shared<Set>();
};

}  // namespace rhizome::scenarios
