#include "core/peer/codec.hpp"

#include <algorithm>
#include <bit>
#include <msgpack.hpp>

namespace rhizome::core {

namespace {

// Heads of tokens, as msgpack's specification has them: what most tokens of most messages are is
// written and read here, where it costs a few instructions.
constexpr std::uint8_t largest_in_head = 0x7f;  // number
constexpr std::uint8_t array_head = 0x90;       // and the elements
constexpr std::uint8_t most_in_head = 15;       // elements
constexpr std::uint8_t text_head = 0xa0;        // and the bytes
constexpr std::uint8_t longest_in_head = 31;    // bytes
constexpr std::uint8_t false_head = 0xc2;       // and true after it
constexpr std::uint8_t real_head = 0xcb;        // head of eight bytes
constexpr std::uint8_t natural_head = 0xcc;    // head of one more byte; the next ones of 2, 4 and 8
constexpr std::uint8_t long_text_head = 0xd9;  // its length in one byte behind it; then in 2 and 4
constexpr std::uint8_t negative_head = 0xe0;   // from here to -1

// Lets msgpack's packer append to our buffer.
struct Sink {
  Bytes& out;
  void write(const char* data, std::size_t size) {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    out.insert(out.end(), first, first + size);
  }
};

}  // namespace

// Most numbers are their own token.
void Writer::natural(std::uint64_t value) {
  if (value <= largest_in_head) {
    out_.push_back(static_cast<std::byte>(value));
    return;
  }
  Sink sink{out_};
  msgpack::packer<Sink>(sink).pack_uint64(value);
}

void Writer::integer(std::int64_t value) {
  Sink sink{out_};
  msgpack::packer<Sink>(sink).pack_int64(value);
}

void Writer::real(double value) {
  Sink sink{out_};
  msgpack::packer<Sink>(sink).pack_double(value);
}

void Writer::boolean(bool value) {
  Sink sink{out_};
  msgpack::packer<Sink> packer(sink);
  value ? packer.pack_true() : packer.pack_false();
}

void Writer::text(std::string_view value) {
  Sink sink{out_};
  msgpack::packer<Sink> packer(sink);
  packer.pack_str(static_cast<std::uint32_t>(value.size()));
  packer.pack_str_body(value.data(), static_cast<std::uint32_t>(value.size()));
}

void Writer::array(std::size_t elements) {
  if (elements <= most_in_head) {
    out_.push_back(static_cast<std::byte>(array_head + elements));
    return;
  }
  Sink sink{out_};
  msgpack::packer<Sink>(sink).pack_array(static_cast<std::uint32_t>(elements));
}

// Receives the tokens of msgpack's parser; returning false stops it.
class Reader::Visitor : public msgpack::null_visitor {
 public:
  Visitor(Reader& reader, const CodecLimits& limits) : reader_(reader), limits_(limits) {}

  bool visit_positive_integer(std::uint64_t value) {
    return add(Kind::natural, 0, [&](Token& t) { t.natural = value; });
  }
  bool visit_negative_integer(std::int64_t value) {
    return add(Kind::negative, 0, [&](Token& t) { t.integer = value; });
  }
  bool visit_float32(float value) { return visit_float64(static_cast<double>(value)); }
  bool visit_float64(double value) {
    return add(Kind::real, 0, [&](Token& t) { t.real = value; });
  }
  bool visit_boolean(bool value) {
    return add(Kind::boolean, 0, [&](Token& t) { t.natural = value ? 1 : 0; });
  }
  bool visit_str(const char* text, std::uint32_t size) {
    return add(Kind::text, size, [&](Token& t) { t.text = text; });
  }
  bool start_array(std::uint32_t elements) {
    if (elements > limits_.elements || ++depth_ > limits_.depth)
      return refuse(DecodeError::oversized);
    return add(Kind::array, elements, [](Token& t) { t.natural = 0; });
  }
  bool end_array() {
    --depth_;
    return true;
  }
  // Kinds that no message uses.
  bool visit_nil() { return refuse(DecodeError::mismatched); }
  bool visit_bin(const char*, std::uint32_t) { return refuse(DecodeError::mismatched); }
  bool visit_ext(const char*, std::uint32_t) { return refuse(DecodeError::mismatched); }
  bool start_map(std::uint32_t) { return refuse(DecodeError::mismatched); }

  void parse_error(std::size_t, std::size_t) { refuse(DecodeError::malformed); }
  void insufficient_bytes(std::size_t, std::size_t) { refuse(DecodeError::truncated); }

 private:
  using Kind = Token::Kind;

  template <class Fill>
  bool add(Kind kind, std::uint32_t size, Fill fill) {
    if (reader_.tokens_.size() >= limits_.elements) return refuse(DecodeError::oversized);
    Token token{.kind = kind, .size = size, .natural = 0};
    fill(token);
    reader_.tokens_.push_back(token);
    return true;
  }
  bool refuse(DecodeError why) {
    if (reader_.error_ == DecodeError::none) reader_.error_ = why;
    return false;
  }

  Reader& reader_;
  const CodecLimits& limits_;
  std::size_t depth_ = 0;
};

// Takes tokens from a payload while they are of the kinds above.
class Reader::Scanner {
 public:
  Scanner(std::span<const std::byte> payload, Tokens& tokens, const CodecLimits& limits)
      : rest_(payload), tokens_(tokens), limits_(limits) {}

  // Whether the payload is exactly one value.
  bool scan() {
    do {
      if (rest_.empty() || tokens_.size() >= limits_.elements || !take()) return false;
    } while (depth_ > 0);
    return rest_.empty();
  }

 private:
  using Kind = Token::Kind;

  bool take() {
    const auto head = std::to_integer<std::uint8_t>(rest_.front());
    rest_ = rest_.subspan(1);
    if (head <= largest_in_head) return scalar({.kind = Kind::natural, .size = 0, .natural = head});
    if (head >= negative_head)
      return scalar({.kind = Kind::negative, .size = 0, .integer = static_cast<std::int8_t>(head)});
    if (head >= array_head && head <= array_head + most_in_head)
      return array(static_cast<std::uint32_t>(head - array_head));
    if (head >= text_head && head <= text_head + longest_in_head) return text(head - text_head);
    if (head >= natural_head && head < natural_head + 4)
      return natural(1U << (head - natural_head));
    return take_rare(head);
  }
  bool take_rare(std::uint8_t head) {
    if (head == false_head || head == false_head + 1)
      return scalar(
          {.kind = Kind::boolean, .size = 0, .natural = std::uint64_t{head} - false_head});
    if (head >= long_text_head && head < long_text_head + 3) {
      const auto length = bits(1U << (head - long_text_head));
      return length && text(*length);
    }
    return head == real_head && real();
  }
  // What so many bytes say, the first most; nothing where they are not there.
  std::optional<std::uint64_t> bits(std::size_t bytes) {
    if (rest_.size() < bytes) return {};
    std::uint64_t value = 0;
    for (const std::byte byte : rest_.first(bytes))
      value = value << 8U | std::to_integer<std::uint64_t>(byte);
    rest_ = rest_.subspan(bytes);
    return value;
  }
  bool natural(std::size_t bytes) {
    const auto value = bits(bytes);
    return value && scalar({.kind = Kind::natural, .size = 0, .natural = *value});
  }
  bool real() {
    const auto value = bits(sizeof(double));
    return value && scalar({.kind = Kind::real, .size = 0, .real = std::bit_cast<double>(*value)});
  }
  bool text(std::uint64_t length) {
    if (rest_.size() < length) return false;
    const auto* first = reinterpret_cast<const char*>(rest_.data());
    rest_ = rest_.subspan(length);
    return scalar({.kind = Kind::text, .size = static_cast<std::uint32_t>(length), .text = first});
  }
  bool scalar(const Token& token) {
    tokens_.push_back(token);
    close();
    return true;
  }
  bool array(std::uint32_t elements) {
    if (elements > limits_.elements || depth_ >= std::min(limits_.depth, left_.size()))
      return false;
    tokens_.push_back({.kind = Kind::array, .size = elements, .natural = 0});
    if (elements > 0)
      left_[depth_++] = elements;
    else
      close();
    return true;
  }
  // A value has ended, and with it all arrays whose last element it is.
  void close() {
    while (depth_ > 0 && --left_[depth_ - 1] == 0) --depth_;
  }

  std::span<const std::byte> rest_;
  Tokens& tokens_;
  const CodecLimits& limits_;
  std::array<std::uint32_t, codec_limits.depth> left_;  // elements to come, by open array
  std::size_t depth_ = 0;
};

// A payload that the scanner does not know, or that seems incomplete, is left to msgpack, which
// reads or refuses it.
Reader::Reader(std::span<const std::byte> payload, Tokens& tokens, const CodecLimits& limits)
    : tokens_(tokens) {
  tokens_.clear();
  if (payload.size() > limits.bytes) {
    error_ = DecodeError::oversized;
    return;
  }
  if (Scanner(payload, tokens_, limits).scan()) return;
  tokens_.clear();
  Visitor visitor(*this, limits);
  std::size_t offset = 0;
  const bool parsed = msgpack::parse(reinterpret_cast<const char*>(payload.data()), payload.size(),
                                     offset, visitor);
  if (error_ != DecodeError::none) return;
  if (!parsed) error_ = DecodeError::truncated;
  if (parsed && offset != payload.size()) error_ = DecodeError::malformed;
}

const Token* Reader::take(Token::Kind kind) {
  if (next_ >= tokens_.size() || tokens_[next_].kind != kind) return nullptr;
  return &tokens_[next_++];
}

bool Reader::natural(std::uint64_t& value) {
  const Token* token = take(Token::Kind::natural);
  if (token != nullptr) value = token->natural;
  return token != nullptr;
}

bool Reader::integer(std::int64_t& value) {
  if (const Token* token = take(Token::Kind::negative)) {
    value = token->integer;
    return true;
  }
  std::uint64_t positive = 0;
  if (!natural(positive) || positive > std::uint64_t{INT64_MAX}) return false;
  value = static_cast<std::int64_t>(positive);
  return true;
}

// msgpack's packer writes whole doubles as integers, which are shorter.
bool Reader::real(double& value) {
  if (const Token* token = take(Token::Kind::real)) {
    value = token->real;
    return true;
  }
  if (const Token* token = take(Token::Kind::natural)) {
    value = static_cast<double>(token->natural);
    return true;
  }
  const Token* token = take(Token::Kind::negative);
  if (token != nullptr) value = static_cast<double>(token->integer);
  return token != nullptr;
}

bool Reader::boolean(bool& value) {
  const Token* token = take(Token::Kind::boolean);
  if (token != nullptr) value = token->natural != 0;
  return token != nullptr;
}

bool Reader::text(std::string_view& value) {
  const Token* token = take(Token::Kind::text);
  if (token != nullptr) value = {token->text, token->size};
  return token != nullptr;
}

// An array of n elements needs n tokens behind it: a lie about the size fails here, before memory.
bool Reader::array(std::size_t& elements) {
  const Token* token = take(Token::Kind::array);
  if (token == nullptr || token->size > tokens_.size() - next_) return false;
  elements = token->size;
  return true;
}

}  // namespace rhizome::core
