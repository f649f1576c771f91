#include "core/history/entry.hpp"

#include <fmt/core.h>

namespace rhizome::core {

std::string text_of(const HostEvent& event) {
  switch (event.kind) {
    case HostEvent::Kind::start:
      return "its start";
    case HostEvent::Kind::crash:
      return "its crash";
    case HostEvent::Kind::leave:
      return "its leaving";
    case HostEvent::Kind::restart:
      return "the beginning of its next life";
    case HostEvent::Kind::adapt:
      return "another share of a processor";
    case HostEvent::Kind::departure:
      return fmt::format("the departure of packet {} from its line", event.number);
    case HostEvent::Kind::arrival:
      return fmt::format("packet {} of peer {} at its line", event.number, event.from.value);
    case HostEvent::Kind::packet:
      return fmt::format("packet {} of peer {}", event.number, event.from.value);
    case HostEvent::Kind::timer:
      return fmt::format("timer {} of service {}", event.id.slot, event.id.service);
    case HostEvent::Kind::work:
      return fmt::format("the end of work {} of service {}", event.id.slot, event.id.service);
    case HostEvent::Kind::result:
      return fmt::format("the result of work {} of service {}", event.id.slot, event.id.service);
    case HostEvent::Kind::input:
      return fmt::format("input {}", event.number);
  }
  return "nothing";
}

}  // namespace rhizome::core
