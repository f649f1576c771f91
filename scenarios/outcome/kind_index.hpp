// Finds types of messages in constant time: a store may describe many of them, and have many
// messages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

class KindIndex {
 public:
  // The kinds outlive it. Of several with the same numbers it finds the first.
  explicit KindIndex(const std::vector<MessageKind>& kinds) : places_(std::size_t{1} << 16U) {
    for (const MessageKind& kind : kinds)
      if (auto& place = places_[number(kind.service_index, kind.type)]; place == nullptr)
        place = &kind;
  }
  // nullptr if there is none.
  [[nodiscard]] const MessageKind* find(std::uint8_t service, std::uint8_t type) const {
    return places_[number(service, type)];
  }

 private:
  static std::size_t number(std::uint8_t service, std::uint8_t type) {
    return std::size_t{service} << 8U | type;
  }
  std::vector<const MessageKind*> places_;
};

}  // namespace rhizome::scenarios
