#include "core/history/print.hpp"

#include <bit>
#include <cstring>
#include <string_view>
#include <variant>

namespace rhizome::core {

namespace {

// Takes eight bytes at a time: it is on the way of every event of a run that is recorded.
class Print {
 public:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15U;
    state_ ^= state_ >> 32U;
  }
  void add(std::span<const std::byte> bytes) {
    add(bytes.size());
    for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t)))
      add(word(bytes.first(sizeof(std::uint64_t))));
    if (!bytes.empty()) add(word(bytes));
  }
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  void add(Time time) { add(static_cast<std::uint64_t>(time.time_since_epoch().count())); }
  void add(TimerId id) {
    add(id.service);
    add(std::uint64_t{id.slot} << 32U | id.generation);
  }
  void add(WorkId id) { add(std::uint64_t{id.service} << 32U | id.number); }
  [[nodiscard]] std::uint64_t value() const { return state_; }

 private:
  // The lowest byte comes first, on every machine.
  static std::uint64_t word(std::span<const std::byte> bytes) {
    std::uint64_t value = 0;
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&value, bytes.data(), bytes.size());
    } else {
      for (std::size_t i = 0; i < bytes.size(); ++i)
        value |= std::to_integer<std::uint64_t>(bytes[i]) << (8 * i);
    }
    return value;
  }

  std::uint64_t state_ = 0x2545f4914f6cdd1dU;
};

void add(Print& print, const Effects& effects, const Send& send) {
  const PacketHeader& header = send.header;
  print.add(header.to.value);
  print.add(std::uint64_t{header.service} << 24U | std::uint64_t{header.type} << 16U |
            static_cast<std::uint64_t>(header.message_class) << 8U |
            static_cast<std::uint64_t>(header.cause));
  print.add(header.units);
  print.add(effects.packet(send).payload);
}
void add(Print& print, const Effects&, const Arm& arm) {
  print.add(arm.id);
  print.add(arm.due);
}
void add(Print& print, const Effects&, const Cancel& cancel) { print.add(cancel.id); }
void add(Print& print, const Effects& effects, const StartWork& start) {
  print.add(start.id);
  print.add(static_cast<std::uint64_t>(start.kind));
  print.add(static_cast<std::uint64_t>(start.duration.count()));
  print.add(start.seed);
  print.add(std::span(effects.arena).subspan(start.offset, start.size));
}
void add(Print& print, const Effects&, const StopWork& stop) { print.add(stop.id); }
void add(Print& print, const Effects&, const PaceWork& pace) {
  print.add(pace.id);
  print.add(std::bit_cast<std::uint64_t>(pace.rate));
}
void add(Print& print, const Effects& effects, const Note& note) {
  print.add(note.info->name);
  print.add(effects.fact(note).payload);
}
void add(Print& print, const Effects&, const Refuse& refuse) {
  print.add(static_cast<std::uint64_t>(refuse.why));
}
void add(Print&, const Effects&, const Finish&) {}
void add(Print&, const Effects&, const FinishPassively&) {}
void add(Print&, const Effects&, const Resume&) {}
void add(Print& print, const Effects&, const Launch& launch) { print.add(launch.peer.value); }
void add(Print&, const Effects&, const Quit&) {}

}  // namespace

std::uint32_t print_of(const Effects& effects) {
  Print print;
  for (const Effect& effect : effects.list) {
    print.add(std::uint64_t{effect.index()});
    std::visit([&](const auto& wanted) { add(print, effects, wanted); }, effect);
  }
  return static_cast<std::uint32_t>(print.value() ^ print.value() >> 32U);
}

std::uint64_t print_of(std::uint64_t kind, std::uint64_t host, std::span<const std::byte> bytes) {
  Print print;
  print.add(kind);
  print.add(host);
  print.add(bytes);
  return print.value();
}

}  // namespace rhizome::core
