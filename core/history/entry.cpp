#include "core/history/entry.hpp"

#include <fmt/core.h>

namespace rhizome::core {

std::string text_of(const RecordedEvent& event) {
  using Kind = HostEvent::Kind;
  switch (event.kind) {
    case Kind::start:
      return "its start";
    case Kind::crash:
      return "its crash";
    case Kind::leave:
      return "its leaving";
    case Kind::restart:
      return "the beginning of its next life";
    case Kind::adapt:
      return "another share of a processor";
    case Kind::departure:
      return fmt::format("the departure of packet {} from its line", event.number);
    case Kind::arrival:
      return fmt::format("packet {} of peer {} at its line", event.number, event.from.value);
    case Kind::packet:
      return fmt::format("packet {} of peer {}", event.number, event.from.value);
    case Kind::timer:
      return fmt::format("timer {} of service {}", event.id.slot, event.id.service);
    case Kind::work:
      return fmt::format("the end of work {} of service {}", event.id.slot, event.id.service);
    case Kind::result:
      return fmt::format("the result of work {} of service {}", event.id.slot, event.id.service);
    case Kind::input:
      return fmt::format("input {}", event.number);
  }
  return "nothing";
}

}  // namespace rhizome::core
