#include "core/mesh/record.hpp"

#include <cstdint>

#include "core/mesh/little_endian.hpp"

namespace rhizome::core {

namespace {

enum class Kind : std::uint8_t { packet, life };

std::uint64_t bits(Time time) {
  return static_cast<std::uint64_t>(time.time_since_epoch().count());
}

Time time_of(std::uint64_t bits) { return Time(Duration(static_cast<std::int64_t>(bits))); }

void put_header(Bytes& out, const PacketHeader& header) {
  put_number(out, header.from.value);
  put_number(out, header.to.value);
  put_number(out, header.to_incarnation.value);
  put_number(out, header.service);
  put_number(out, header.type);
  put_number(out, static_cast<std::uint8_t>(header.message_class));
  put_number(out, static_cast<std::uint8_t>(header.cause));
  put_number(out, header.units);
  put_number(out, header.declared_bytes);
  put_number(out, bits(header.sent));
  put_number(out, bits(header.due));
}

template <class E>
bool take_enumerator(std::span<const std::byte>& from, E& value) {
  std::uint8_t raw = 0;
  if (!take_number(from, raw) || raw > static_cast<std::uint8_t>(E::last)) return false;
  value = static_cast<E>(raw);
  return true;
}

bool take_header(std::span<const std::byte>& from, PacketHeader& header) {
  std::uint64_t sent = 0;
  std::uint64_t due = 0;
  if (!take_number(from, header.from.value) || !take_number(from, header.to.value) ||
      !take_number(from, header.to_incarnation.value) || !take_number(from, header.service) ||
      !take_number(from, header.type) || !take_enumerator(from, header.message_class) ||
      !take_enumerator(from, header.cause) || !take_number(from, header.units) ||
      !take_number(from, header.declared_bytes) || !take_number(from, sent) ||
      !take_number(from, due))
    return false;
  header.sent = time_of(sent);
  header.due = time_of(due);
  return true;
}

std::optional<Record> take_packet(std::span<const std::byte>& from) {
  Packet packet;
  std::uint32_t length = 0;
  if (!take_header(from, packet.header) || !take_number(from, length)) return {};
  if (length > longest_payload || length > from.size()) return {};
  packet.payload = from.first(length);
  from = from.subspan(length);
  return packet;
}

std::optional<Record> take_life(std::span<const std::byte>& from) {
  NewLife news;
  if (!take_number(from, news.peer.value) || !take_number(from, news.life.value)) return {};
  return news;
}

}  // namespace

void put_record(Bytes& out, const PacketHeader& header, std::span<const std::byte> payload) {
  put_number(out, static_cast<std::uint8_t>(Kind::packet));
  put_header(out, header);
  put_number(out, static_cast<std::uint32_t>(payload.size()));
  out.insert(out.end(), payload.begin(), payload.end());
}

void put_record(Bytes& out, const NewLife& news) {
  put_number(out, static_cast<std::uint8_t>(Kind::life));
  put_number(out, news.peer.value);
  put_number(out, news.life.value);
}

std::optional<Record> take_record(std::span<const std::byte>& from) {
  std::uint8_t kind = 0;
  if (!take_number(from, kind)) return {};
  if (kind == static_cast<std::uint8_t>(Kind::packet)) return take_packet(from);
  if (kind == static_cast<std::uint8_t>(Kind::life)) return take_life(from);
  return {};
}

}  // namespace rhizome::core
