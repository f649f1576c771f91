#include "scenarios/live/seen/recording.hpp"

#include <algorithm>
#include <iterator>
#include <system_error>
#include <utility>
#include <variant>

#include "scenarios/text/files.hpp"
#include "scenarios/text/whole_file.hpp"

namespace rhizome::scenarios::live {

namespace {

// The first line, with the version of the messages in the file.
constexpr std::string_view title = "rhizome recording 3\n";
static_assert(protocol_version == 4);
constexpr std::string_view name_of_any = title.substr(0, title.rfind(' '));
// The end of a file with an index: where that is, and this.
constexpr std::string_view seal = "rhizome!";
constexpr std::size_t length_bytes = 4;
constexpr std::size_t head_bytes = 1 + 8;
constexpr std::size_t sum_bytes = 4;
constexpr std::size_t longest = answer_limits.bytes + head_bytes;

enum Kind : std::uint8_t { answer, whole, index };

void put(std::string& text, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>(number >> (8 * i) & 0xFFU);
}

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  for (std::size_t i = text.size(); i > 0; --i)
    number = number << 8U | static_cast<unsigned char>(text[i - 1]);
  return number;
}

std::uint32_t sum_of(std::string_view text) {
  std::uint32_t hash = 0x811c9dc5;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193;
  return hash;
}

struct Index {
  std::vector<std::uint64_t> places{};
  std::vector<core::Duration> times{};
  core::Duration length{0};
};

}  // namespace

RecordingWriter::RecordingWriter(const std::filesystem::path& file, core::Duration stretch)
    : out_(open_own(file)), stretch_(stretch) {
  out_ << title << std::flush;
  place_ = title.size();
}

RecordingWriter::~RecordingWriter() {
  if (!is_sound()) return;
  Index made;
  for (const Whole& each : wholes_) {
    made.places.push_back(each.place);
    made.times.push_back(each.at);
  }
  made.length = last_;
  core::Bytes bytes;
  core::encode(made, bytes);
  std::string end;
  put(end, place_, 8);
  write(index, last_, bytes);
  out_ << end << seal << std::flush;
}

void RecordingWriter::add(core::Duration at, const core::Bytes& bytes) {
  write(answer, at, bytes);
  if (!bytes.empty() && std::to_integer<std::size_t>(bytes[0]) == core::position_of<Plan, Answer>)
    plan_ = bytes;
}

void RecordingWriter::add_frame(core::Duration at, const core::Bytes& bytes, const State& after) {
  write(answer, at, bytes);
  if (last_whole_ && at - *last_whole_ < stretch_) return;
  last_whole_ = at;
  wholes_.push_back({place_, at});
  write(whole, at, encode(Answer{after.whole_frame()}));
  if (!plan_.empty()) write(answer, at, plan_);
}

// Each block is on its way to the file once it is written, so that little is lost with the monitor.
void RecordingWriter::write(std::uint8_t kind, core::Duration at, const core::Bytes& bytes) {
  std::string block;
  put(block, head_bytes + bytes.size(), length_bytes);
  put(block, kind, 1);
  put(block, static_cast<std::uint64_t>(at.count()), 8);
  block.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  put(block, sum_of(std::string_view(block).substr(length_bytes)), sum_bytes);
  out_.write(block.data(), static_cast<std::streamsize>(block.size()));
  out_.flush();
  place_ += block.size();
  last_ = at;
}

bool is_recording(const std::filesystem::path& file) {
  std::string begin(name_of_any.size(), '\0');
  std::ifstream in = open_regular(file);
  return in.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == name_of_any;
}

Recording::Recording(const std::filesystem::path& file)
    : name_(file.string()), in_(open_regular(file)) {
  std::error_code error;
  size_ = std::filesystem::file_size(file, error);
  std::string begin(title.size(), '\0');
  if (error || !in_.read(begin.data(), static_cast<std::streamsize>(begin.size())) ||
      !begin.starts_with(name_of_any))
    refuse("is no recording of rhizome monitor --record");
  if (begin != title) refuse("was recorded by another version, which alone can show it");
  end_ = size_;
  if (!read_index()) look_through();
  place_ = title.size();
}

void Recording::refuse(std::string_view why) const {
  throw BadRecording(name_ + ": " + std::string(why));
}

// Nothing where it is not there in full.
auto Recording::read_block() -> std::optional<Block> {
  std::string text(length_bytes, '\0');
  in_.clear();
  in_.seekg(static_cast<std::streamoff>(place_));
  if (end_ - place_ < length_bytes || !in_.read(text.data(), length_bytes)) return {};
  const std::uint64_t length = number_in(text);
  if (length < head_bytes || length > longest)
    refuse("is damaged at byte " + std::to_string(place_));
  if (end_ - place_ < length_bytes + length + sum_bytes) return {};
  text.resize(length + sum_bytes);
  if (!in_.read(text.data(), static_cast<std::streamsize>(text.size()))) return {};
  const std::string_view held = std::string_view(text).substr(0, length);
  if (number_in(std::string_view(text).substr(length)) != sum_of(held))
    refuse("is damaged at byte " + std::to_string(place_));
  place_ += length_bytes + length + sum_bytes;
  const auto* bytes = reinterpret_cast<const std::byte*>(held.data());
  return Block{static_cast<std::uint8_t>(held[0]),
               core::Duration(static_cast<core::Duration::rep>(number_in(held.substr(1, 8)))),
               {bytes + head_bytes, bytes + length}};
}

// False where there is none, as where the file was cut off.
bool Recording::read_index() {
  std::string text(8 + seal.size(), '\0');
  if (size_ < title.size() + text.size()) return false;
  in_.seekg(static_cast<std::streamoff>(size_ - text.size()));
  if (!in_.read(text.data(), static_cast<std::streamsize>(text.size())) ||
      std::string_view(text).substr(8) != seal)
    return false;
  const std::uint64_t place = number_in(std::string_view(text).substr(0, 8));
  if (place < title.size() || place > size_ - text.size()) refuse("its index is damaged");
  end_ = size_ - text.size();
  place_ = place;
  const std::optional<Block> block = read_block();
  Index made;
  core::Tokens tokens;
  if (!block || block->kind != index || place_ != end_ ||
      core::decode(block->bytes, made, tokens, answer_limits) != core::DecodeError::none ||
      made.places.size() != made.times.size())
    refuse("its index is damaged");
  end_ = place;
  length_ = made.length;
  for (std::size_t i = 0; i < made.places.size(); ++i) {
    if (made.places[i] < title.size() || made.places[i] >= end_ ||
        (i > 0 && (made.places[i] <= made.places[i - 1] || made.times[i] < made.times[i - 1])))
      refuse("its index is damaged");
    wholes_.push_back({made.places[i], made.times[i]});
  }
  return true;
}

void Recording::look_through() {
  cut_off_ = true;
  place_ = title.size();
  for (;;) {
    const std::uint64_t place = place_;
    const std::optional<Block> block = read_block();
    if (!block || block->kind == index) {
      end_ = place;
      return;
    }
    length_ = std::max(length_, block->at);
    if (block->kind == whole) wholes_.push_back({place, block->at});
  }
}

std::optional<Recorded> Recording::next() {
  if (place_ >= end_) return {};
  const std::uint64_t place = place_;
  const std::optional<Block> block = read_block();
  std::optional<Answer> said =
      block && block->kind <= whole ? decode_answer(block->bytes) : std::nullopt;
  if (!said || (block->kind == whole && !std::holds_alternative<Frame>(*said)))
    refuse("is damaged at byte " + std::to_string(place));
  return Recorded{block->at, std::move(*said), block->kind == whole, place};
}

void Recording::seek(core::Duration at) {
  const auto after = std::ranges::upper_bound(wholes_, at, {}, &Whole::at);
  place_ = after == wholes_.begin() ? title.size() : std::prev(after)->place;
}

}  // namespace rhizome::scenarios::live
