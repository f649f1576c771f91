// The codec: everything that may travel does so unchanged, and everything else is refused for the
// right reason.
#include "core/peer/codec.hpp"

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "test/support/messages.hpp"

namespace rhizome::codec_test {

using core::Bytes;
using core::DecodeError;

namespace {

Bytes bytes(std::initializer_list<unsigned> values) {
  Bytes out;
  for (const unsigned value : values) out.push_back(static_cast<std::byte>(value));
  return out;
}

template <class T>
Bytes encoded(const T& value) {
  Bytes out;
  core::encode(value, out);
  return out;
}

template <class T>
DecodeError decode_as(const Bytes& payload) {
  T value{};
  return core::decode(payload, value);
}

template <class T>
void check_round_trip(const T& value) {
  T back{};
  CHECK(core::decode(encoded(value), back) == DecodeError::none);
  CHECK(back == value);
}

test::Nested rich_message() {
  return {.name = "a name, long enough to live on the heap",
          .points = {{1, 0.5}, {-7, 1e300}, {0, -3}},
          .rows = {{}, {1, 2, 3}, {4'000'000'000}},
          .label = {"label"},
          .labels = {{""}, {"two"}},
          .flags = {true, false, true}};
}

template <class T>
struct Only {
  T value{};
  friend bool operator==(const Only&, const Only&) = default;
};

}  // namespace

TEST_CASE("scalars at the ends of their ranges survive a round trip") {
  check_round_trip(test::Scalars{});
  check_round_trip(test::Scalars{.small = 255,
                                 .large = std::numeric_limits<std::uint64_t>::max(),
                                 .signed_small = -32768,
                                 .signed_large = std::numeric_limits<std::int64_t>::min(),
                                 .real = 0.1,
                                 .flag = true,
                                 .colour = test::Colour::blue,
                                 .duration = core::Duration::min(),
                                 .time = core::Time::max()});
  check_round_trip(test::Scalars{.signed_small = 32767,
                                 .signed_large = std::numeric_limits<std::int64_t>::max(),
                                 .real = -1,
                                 .duration = core::Duration::max()});
}

TEST_CASE("reals survive a round trip, whole ones and unusual ones too") {
  using Limits = std::numeric_limits<double>;
  for (const double value : {0.0, 1.0, -1.0, 0.1, 9007199254740993.0, 9.3e18, -9.3e18, 1e300,
                             Limits::min(), Limits::denorm_min(), Limits::max(), Limits::lowest(),
                             Limits::infinity(), -Limits::infinity()})
    check_round_trip(Only<double>{value});
  Only<double> back;
  CHECK(core::decode(encoded(Only<double>{Limits::quiet_NaN()}), back) == DecodeError::none);
  CHECK(std::isnan(back.value));
}

TEST_CASE("texts, vectors and nested structs survive a round trip") {
  check_round_trip(rich_message());
  check_round_trip(test::Nested{});
  check_round_trip(test::Nothing{});
  for (const std::size_t size : {31U, 32U, 255U, 256U, 65'535U, 65'536U, 1'000'000U})
    check_round_trip(Only<std::string>{std::string(size, 'x')});
  check_round_trip(Only<std::string>{std::string("zero \0 inside", 13)});
  for (const std::size_t size : {15U, 16U, 65'534U})
    check_round_trip(Only<std::vector<std::uint8_t>>{std::vector<std::uint8_t>(size, 3)});
}

namespace {

struct Few {
  std::array<std::uint32_t, 3> numbers{};
  std::optional<core::Time> at{};
  Bytes raw{};
  bool operator==(const Few&) const = default;
};
struct Lists {
  std::vector<std::uint32_t> numbers;
  std::vector<core::Time> at{};
  std::string raw{};
};

}  // namespace

TEST_CASE("arrays, optionals and bytes survive a round trip, and decode only as their own type") {
  check_round_trip(Few{{1, 2, 3}, core::Time{std::chrono::seconds(4)}, bytes({0, 255, 7})});
  check_round_trip(Few{});
  CHECK(decode_as<Few>(encoded(Lists{{1, 2, 3}})) == DecodeError::none);
  CHECK(decode_as<Few>(encoded(Lists{{1, 2}})) == DecodeError::mismatched);
  CHECK(decode_as<Few>(encoded(Lists{{1, 2, 3}, {{}, {}}})) == DecodeError::mismatched);
}

TEST_CASE("the encoding is compact and stable") {
  CHECK(encoded(test::Point{.x = 5, .y = 2}) == bytes({0x92, 0x05, 0x02}));
  CHECK(encoded(test::Label{"ab"}) == bytes({0xa2, 'a', 'b'}));
  CHECK(encoded(test::Nothing{}) == bytes({0x90}));
}

TEST_CASE("numbers are read in every width, also in one that is wider than they need") {
  Only<std::uint64_t> natural;
  CHECK(core::decode(bytes({0xcc, 5}), natural) == DecodeError::none);
  CHECK(natural.value == 5);
  CHECK(core::decode(bytes({0xcd, 1, 0}), natural) == DecodeError::none);
  CHECK(natural.value == 256);
  CHECK(core::decode(bytes({0xcf, 1, 2, 3, 4, 5, 6, 7, 8}), natural) == DecodeError::none);
  CHECK(natural.value == 0x0102030405060708);
  Only<std::int64_t> integer;
  CHECK(core::decode(bytes({0xe0}), integer) == DecodeError::none);
  CHECK(integer.value == -32);
  CHECK(core::decode(bytes({0xd0, 0x80}), integer) == DecodeError::none);
  CHECK(integer.value == -128);
}

TEST_CASE("every proper prefix of a message is truncated") {
  const Bytes whole = encoded(rich_message());
  for (std::size_t size = 0; size < whole.size(); ++size) {
    CAPTURE(size);
    CHECK(decode_as<test::Nested>(Bytes(whole.begin(), whole.begin() + static_cast<long>(size))) ==
          DecodeError::truncated);
  }
}

TEST_CASE("bytes that are no msgpack, or more than one message, are malformed") {
  CHECK(decode_as<test::Label>(bytes({0xc1})) == DecodeError::malformed);
  CHECK(decode_as<test::Point>(bytes({0x92, 0x05, 0xc1})) == DecodeError::malformed);
  Bytes twice = encoded(rich_message());
  core::encode(rich_message(), twice);
  CHECK(decode_as<test::Nested>(twice) == DecodeError::malformed);
  CHECK(decode_as<test::Nothing>(bytes({0x90, 0x00})) == DecodeError::malformed);
}

TEST_CASE("kinds that no message uses are mismatched") {
  CHECK(decode_as<test::Label>(bytes({0xc0})) == DecodeError::mismatched);              // nil
  CHECK(decode_as<test::Label>(bytes({0xc4, 0x01, 0x00})) == DecodeError::mismatched);  // bin
  CHECK(decode_as<test::Label>(bytes({0xd4, 0x01, 0x00})) == DecodeError::mismatched);  // ext
  CHECK(decode_as<test::Label>(bytes({0x80})) == DecodeError::mismatched);              // map
}

TEST_CASE("a field of another kind is mismatched") {
  CHECK(decode_as<test::Point>(bytes({0x92, 0xa1, 'a', 0x02})) == DecodeError::mismatched);
  CHECK(decode_as<test::Point>(bytes({0x92, 0xc3, 0x02})) == DecodeError::mismatched);
  CHECK(decode_as<test::Point>(bytes({0x92, 0xcb, 0, 0, 0, 0, 0, 0, 0, 0, 0x02})) ==
        DecodeError::mismatched);  // a real where an integer belongs
  CHECK(decode_as<test::Label>(bytes({0x05})) == DecodeError::mismatched);
  CHECK(decode_as<Only<bool>>(bytes({0x01})) == DecodeError::mismatched);
  CHECK(decode_as<Only<std::vector<bool>>>(bytes({0x01})) == DecodeError::mismatched);
}

TEST_CASE("a struct with too few or too many fields is mismatched") {
  CHECK(decode_as<test::Point>(bytes({0x91, 0x05})) == DecodeError::mismatched);
  CHECK(decode_as<test::Point>(bytes({0x93, 0x05, 0x02, 0x01})) == DecodeError::mismatched);
  CHECK(decode_as<test::Nothing>(bytes({0x91, 0x05})) == DecodeError::mismatched);
  CHECK(decode_as<test::Label>(bytes({0x91, 0xa1, 'a'})) == DecodeError::mismatched);
  CHECK(decode_as<test::Scalars>(encoded(rich_message())) == DecodeError::mismatched);
}

TEST_CASE("a number that does not fit its field is mismatched") {
  CHECK(decode_as<Only<std::uint8_t>>(bytes({0xcc, 0xff})) == DecodeError::none);
  CHECK(decode_as<Only<std::uint8_t>>(bytes({0xcd, 0x01, 0x00})) == DecodeError::mismatched);
  CHECK(decode_as<Only<std::uint8_t>>(bytes({0xff})) == DecodeError::mismatched);  // -1
  CHECK(decode_as<Only<std::int8_t>>(bytes({0xcc, 0x80})) == DecodeError::mismatched);
  CHECK(decode_as<Only<std::int8_t>>(bytes({0xd1, 0xff, 0x7f})) == DecodeError::mismatched);
  const Bytes beyond = encoded(Only<std::uint64_t>{std::uint64_t{1} << 63U});
  CHECK(decode_as<Only<std::int64_t>>(beyond) == DecodeError::mismatched);
  CHECK(decode_as<Only<core::Duration>>(beyond) == DecodeError::mismatched);
}

TEST_CASE("an enum out of its range is mismatched") {
  CHECK(decode_as<Only<test::Colour>>(bytes({0x02})) == DecodeError::none);
  CHECK(decode_as<Only<test::Colour>>(bytes({0x03})) == DecodeError::mismatched);
  CHECK(decode_as<Only<test::Colour>>(bytes({0xff})) == DecodeError::mismatched);
}

TEST_CASE("an array that lies about its size is refused before memory is asked for") {
  using Numbers = Only<std::vector<std::uint64_t>>;
  CHECK(decode_as<Numbers>(bytes({0x93, 0x01, 0x02})) == DecodeError::truncated);
  CHECK(decode_as<Numbers>(bytes({0xdc, 0xff, 0xff, 0x01})) == DecodeError::truncated);
  CHECK(decode_as<Numbers>(bytes({0xdd, 0xff, 0xff, 0xff, 0xff})) == DecodeError::oversized);
  CHECK(decode_as<test::Label>(bytes({0xdb, 0xff, 0xff, 0xff, 0xff, 'a'})) ==
        DecodeError::truncated);
}

TEST_CASE("payloads, arrays and nesting beyond the limits are oversized") {
  const auto error_of = [](const Bytes& payload, const core::CodecLimits& limits) {
    core::Tokens tokens;
    return core::Reader(payload, tokens, limits).error();
  };
  const Bytes three = bytes({0x93, 0x01, 0x02, 0x03});
  CHECK(error_of(three, {.bytes = 4}) == DecodeError::none);
  CHECK(error_of(three, {.bytes = 3}) == DecodeError::oversized);
  CHECK(error_of(three, {.elements = 4}) == DecodeError::none);       // the array itself is a token
  CHECK(error_of(three, {.elements = 3}) == DecodeError::oversized);  // a token beyond the limit
  CHECK(error_of(three, {.elements = 2}) == DecodeError::oversized);  // an array too long
  const Bytes deep = bytes({0x91, 0x91, 0x91, 0x01});
  CHECK(error_of(deep, {.depth = 3}) == DecodeError::none);
  CHECK(error_of(deep, {.depth = 2}) == DecodeError::oversized);
  const Bytes wide = bytes({0x92, 0x91, 0x01, 0x91, 0x01});
  CHECK(error_of(wide, {.depth = 2}) == DecodeError::none);  // side by side is not deep
}

TEST_CASE("the limits hold as they are for whole messages") {
  CHECK(decode_as<test::Label>(encoded(test::Label{std::string(core::codec_limits.bytes, 'x')})) ==
        DecodeError::oversized);
  using Flags = Only<std::vector<bool>>;
  CHECK(decode_as<Flags>(encoded(Flags{std::vector<bool>(core::codec_limits.elements)})) ==
        DecodeError::oversized);
  CHECK(decode_as<test::Label>(Bytes(core::codec_limits.depth + 1, std::byte{0x91})) ==
        DecodeError::oversized);
}

TEST_CASE("a hundred thousand nested arrays are refused without recursion") {
  CHECK(decode_as<test::Label>(Bytes(100'000, std::byte{0x91})) == DecodeError::oversized);
}

}  // namespace rhizome::codec_test
