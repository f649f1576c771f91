#include "core/mesh/process_descriptor.hpp"

#include <cstddef>

#include "core/peer/codec.hpp"

namespace rhizome::core {

namespace {

constexpr std::string_view digits = "0123456789abcdef";

// The fields that identify a program whose descriptor has another format.
struct Origin {
  std::string host;
  std::string version;
  std::string build;
};

std::string name_of(std::size_t number, const Origin& of) {
  return "process " + std::to_string(number) + " on " + of.host;
}

void check_same(std::size_t number, const Origin& mine, const Origin& first) {
  if (mine.version != first.version)
    throw Unreachable(name_of(number, mine) + " is rhizome " + mine.version + ", and " +
                      name_of(0, first) + " is " + first.version + ": all have to be the same");
  if (mine.build != first.build)
    throw Unreachable(name_of(number, mine) + " is another build of rhizome " + mine.version +
                      " than " + name_of(0, first) + ": " + mine.build + ", and " + first.build +
                      ": all have to be the same");
}

std::string hexadecimal(const Bytes& bytes) {
  std::string text;
  for (const std::byte byte : bytes) {
    text += digits[std::to_integer<std::size_t>(byte >> 4U)];
    text += digits[std::to_integer<std::size_t>(byte & std::byte{15})];
  }
  return text;
}

std::optional<Bytes> bytes_of(std::string_view text) {
  Bytes bytes;
  if (text.size() % 2 != 0) return {};
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const std::size_t high = digits.find(text[i]);
    const std::size_t low = digits.find(text[i + 1]);
    if (high == std::string_view::npos || low == std::string_view::npos) return {};
    bytes.push_back(static_cast<std::byte>(high * 16 + low));
  }
  return bytes;
}

template <class T>
std::string written(const T& value) {
  Bytes bytes;
  encode(value, bytes);
  return hexadecimal(bytes);
}

template <class T>
bool read_into(std::string_view text, T& value) {
  const auto bytes = bytes_of(text);
  return bytes && decode(*bytes, value) == DecodeError::none;
}

void check_same_subjects(std::size_t number, const ProcessIdentity& mine,
                         const ProcessIdentity& first) {
  for (std::size_t i = 0; i < mine.subjects.size() || i < first.subjects.size(); ++i) {
    const bool both = i < mine.subjects.size() && i < first.subjects.size();
    if (both && mine.subjects[i] == first.subjects[i]) continue;
    const std::string& what = (i < mine.subjects.size() ? mine : first).subjects[i].name;
    throw Unreachable("process " + std::to_string(number) + " on " + mine.host +
                      " has something else than process 0 on " + first.host + ": " + what +
                      " differs");
  }
}

// Nothing if it cannot be read.
std::optional<Origin> origin_in(std::string_view text) {
  Origin origin;
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos || !read_into(text.substr(0, dash), origin)) return {};
  return origin;
}

Origin origin_of(std::size_t number, std::string_view text) {
  if (auto origin = origin_in(text)) return *origin;
  throw Unreachable("the descriptor of process " + std::to_string(number) + " cannot be read");
}

}  // namespace

std::string text_of(const ProcessDescriptor& descriptor) {
  const ProcessIdentity& process = descriptor.process;
  return written(Origin{process.host, process.version, process.build}) + '-' + written(descriptor);
}

std::optional<std::string> host_in(std::string_view text) {
  const auto origin = origin_in(text);
  return origin ? std::optional(origin->host) : std::nullopt;
}

// Equal programs write equal formats: a different program is recognised before its descriptor is
// read.
std::vector<ProcessDescriptor> read_descriptors(std::span<const std::string> texts) {
  std::vector<ProcessDescriptor> descriptors;
  for (std::size_t number = 0; number < texts.size(); ++number)
    check_same(number, origin_of(number, texts[number]), origin_of(0, texts.front()));
  for (const std::string& text : texts) {
    const std::size_t number = descriptors.size();
    ProcessDescriptor& descriptor = descriptors.emplace_back();
    if (!read_into(std::string_view(text).substr(text.find('-') + 1), descriptor))
      throw Unreachable("the descriptor of process " + std::to_string(number) + " cannot be read");
    if (descriptor.endpoints.size() != texts.size())
      throw Unreachable("the descriptor of process " + std::to_string(number) +
                        " does not say where it awaits the others");
    check_same_subjects(number, descriptor.process, descriptors.front().process);
  }
  return descriptors;
}

}  // namespace rhizome::core
