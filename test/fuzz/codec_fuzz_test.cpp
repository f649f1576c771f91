// Bytes from nowhere: whatever arrives, a peer either handles it or refuses it with a reason.
// RHIZOME_FUZZ_RUNS sets how many strings are tried, RHIZOME_FUZZ_SEED which.
#include <doctest/doctest.h>

#include <array>
#include <cstdlib>
#include <limits>
#include <string>

#include "core/peer/peer.hpp"
#include "test/support/messages.hpp"

namespace rhizome::codec_fuzz_test {

using core::Bytes;
using core::DecodeError;
using core::Rng;

namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

const std::uint64_t runs = number_from("RHIZOME_FUZZ_RUNS", 100'000);
const std::uint64_t seed = number_from("RHIZOME_FUZZ_SEED", 1);

// Prints what replays a failure.
#define REPLAY(run) \
  CAPTURE(run);     \
  INFO("replay: RHIZOME_FUZZ_SEED=" << seed << " RHIZOME_FUZZ_RUNS=" << (run) + 1)

std::string random_text(Rng& rng) {
  std::string text(rng.below(40), ' ');
  for (char& letter : text) letter = static_cast<char>(rng.between(-128, 127));
  return text;
}

// Small numbers and the ends of the range as often as all others.
std::uint64_t random_number(Rng& rng) {
  switch (rng.below(3)) {
    case 0:
      return rng.below(4);
    case 1:
      return std::numeric_limits<std::uint64_t>::max() >> rng.below(64);
    default:
      return rng.bits();
  }
}

test::Scalars random_scalars(Rng& rng) {
  return {.small = static_cast<std::uint8_t>(random_number(rng)),
          .large = random_number(rng),
          .signed_small = static_cast<std::int16_t>(random_number(rng)),
          .signed_large = static_cast<std::int64_t>(random_number(rng)),
          .real = rng.chance(0.5) ? rng.uniform(-1e9, 1e9)
                                  : static_cast<double>(random_number(rng) >> 1U),
          .flag = rng.chance(0.5),
          .colour = static_cast<test::Colour>(rng.below(3)),
          .duration = core::Duration(static_cast<std::int64_t>(random_number(rng))),
          .time = core::Time(core::Duration(static_cast<std::int64_t>(random_number(rng))))};
}

test::Nested random_nested(Rng& rng) {
  test::Nested message;
  message.name = random_text(rng);
  message.label = {random_text(rng)};
  for (std::uint64_t i = rng.below(5); i > 0; --i)
    message.points.push_back({static_cast<std::int32_t>(random_number(rng)), rng.normal()});
  for (std::uint64_t i = rng.below(4); i > 0; --i) {
    auto& row = message.rows.emplace_back();
    for (std::uint64_t j = rng.below(20); j > 0; --j)
      row.push_back(static_cast<std::uint32_t>(random_number(rng)));
  }
  for (std::uint64_t i = rng.below(4); i > 0; --i) message.labels.push_back({random_text(rng)});
  for (std::uint64_t i = rng.below(4); i > 0; --i) message.flags.push_back(rng.chance(0.5));
  return message;
}

template <class T>
Bytes encoded(const T& value) {
  Bytes out;
  core::encode(value, out);
  return out;
}

Bytes random_encoding(Rng& rng) {
  return rng.chance(0.5) ? encoded(random_scalars(rng)) : encoded(random_nested(rng));
}

std::byte random_byte(Rng& rng) {
  // Bytes that begin a container or a long text lie about sizes most.
  constexpr std::array<unsigned, 8> wicked{0x9f, 0xdc, 0xdd, 0xdb, 0xc6, 0xdf, 0xc9, 0xc1};
  if (rng.chance(0.2)) return static_cast<std::byte>(wicked[rng.below(wicked.size())]);
  return static_cast<std::byte>(rng.below(256));
}

Bytes random_bytes(Rng& rng) {
  Bytes out(rng.below(64));
  for (std::byte& byte : out) byte = random_byte(rng);
  return out;
}

// A valid message with one to four accidents.
Bytes mutated_encoding(Rng& rng) {
  Bytes out = random_encoding(rng);
  for (std::uint64_t accidents = 1 + rng.below(4); accidents > 0 && !out.empty(); --accidents) {
    const std::uint64_t at = rng.below(out.size());
    const auto place = out.begin() + static_cast<std::ptrdiff_t>(at);
    switch (rng.below(5)) {
      case 0:
        *place = random_byte(rng);
        break;
      case 1:
        *place ^= static_cast<std::byte>(1U << rng.below(8));
        break;
      case 2:
        out.erase(place);
        break;
      case 3:
        out.insert(place, random_byte(rng));
        break;
      default:
        out.resize(at);
        break;
    }
  }
  return out;
}

Bytes random_payload(Rng& rng) {
  switch (rng.below(4)) {
    case 0:
      return random_bytes(rng);
    case 1:
      return random_encoding(rng);
    default:
      return mutated_encoding(rng);
  }
}

core::Drop drop_for(DecodeError error) {
  switch (error) {
    case DecodeError::malformed:
      return core::Drop::malformed;
    case DecodeError::truncated:
      return core::Drop::truncated;
    case DecodeError::oversized:
      return core::Drop::oversized;
    case DecodeError::mismatched:
    case DecodeError::none:
      break;
  }
  return core::Drop::mismatched;
}

// A value that decodes is valid: encoding it again and decoding that yields the same.
template <class T>
DecodeError decode_and_check(const Bytes& payload) {
  T value{};
  const DecodeError error = core::decode(payload, value);
  if (error != DecodeError::none) return error;
  const Bytes again = encoded(value);
  T back{};
  CHECK(core::decode(again, back) == DecodeError::none);
  CHECK(encoded(back) == again);
  return error;
}

DecodeError decode_as(std::uint8_t type, const Bytes& payload) {
  if (type == 0) return decode_and_check<test::Scalars>(payload);
  if (type == 1) return decode_and_check<test::Nested>(payload);
  return decode_and_check<test::Nothing>(payload);
}

}  // namespace

TEST_CASE("a peer handles or refuses whatever bytes it gets") {
  Rng rng = Rng::derive({seed}, "codec fuzz");
  core::Peer peer(core::PeerId{0}, {}, 1);
  const auto& receiver = peer.add<test::Receiver>();
  std::uint64_t handled = 0;
  core::Effects effects;
  for (std::uint64_t run = 0; run < runs; ++run) {
    REPLAY(run);
    const Bytes payload = random_payload(rng);
    const auto type = static_cast<std::uint8_t>(rng.below(5));
    const auto service = static_cast<std::uint8_t>(rng.chance(0.05) ? rng.below(256) : 0);
    effects.clear();
    peer.deliver({}, {{.from = core::PeerId{1}, .service = service, .type = type}, payload},
                 effects);

    const bool known = service == 0 && type < 3;
    const DecodeError error = known ? decode_as(type, payload) : DecodeError::none;
    if (known && error == DecodeError::none) {
      ++handled;
      CHECK(effects.list.empty());
    } else {
      REQUIRE(effects.list.size() == 1);
      const auto* refuse = std::get_if<core::Refuse>(effects.list.data());
      REQUIRE(refuse != nullptr);
      CHECK(refuse->why == (known ? drop_for(error) : core::Drop::unknown));
    }
    REQUIRE(receiver.received() == handled);
  }
  if (runs >= 1000) {  // the strings are worth trying: some are handled, most are not
    CHECK(handled > runs / 50);
    CHECK(handled < runs / 2);
  }
}

TEST_CASE("every random message survives a round trip") {
  Rng rng = Rng::derive({seed}, "codec round trips");
  for (std::uint64_t run = 0; run < runs / 10; ++run) {
    REPLAY(run);
    const test::Scalars scalars = random_scalars(rng);
    test::Scalars scalars_back;
    REQUIRE(core::decode(encoded(scalars), scalars_back) == DecodeError::none);
    CHECK(scalars_back == scalars);
    const test::Nested nested = random_nested(rng);
    test::Nested nested_back;
    REQUIRE(core::decode(encoded(nested), nested_back) == DecodeError::none);
    CHECK(nested_back == nested);
  }
}

}  // namespace rhizome::codec_fuzz_test
