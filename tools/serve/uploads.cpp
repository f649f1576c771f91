#include "tools/serve/uploads.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "core/child/own_folder.hpp"
#include "scenarios/text/files.hpp"
#include "tools/serve/job_store.hpp"

namespace rhizome::tools {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view incoming = ".incoming-";

std::string hash_of(const fs::path& path) {
  std::ifstream in = scenarios::open_regular(path, false);
  ContentHash content;
  std::array<char, 65536> piece{};
  while (in.is_open() && (in.read(piece.data(), piece.size()) || in.gcount() > 0))
    content.add({piece.data(), static_cast<std::size_t>(in.gcount())});
  return content.text();
}

[[noreturn]] void fail(const fs::path& path) {
  throw StoreFull(path.string() + ": " + std::generic_category().message(errno));
}

}  // namespace

Uploads::Uploads(const fs::path& folder, std::uint64_t most_bytes)
    : folder_(fs::absolute(folder.empty() ? fs::path(".") : folder) / folder_name),
      most_(most_bytes),
      kept_(bytes_kept()) {
  std::error_code error;
  if (!is_own_folder()) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
    if (entry.path().filename().string().starts_with(incoming)) fs::remove(entry.path(), error);
}

std::uint64_t Uploads::bytes_kept() const {
  std::uint64_t bytes = 0;
  std::error_code error;
  if (!is_own_folder()) return bytes;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
    bytes += bytes_of(entry.path().filename().string());
  return bytes;
}

fs::path Uploads::path_of(const std::string& hash) const { return folder_ / hash; }

std::string Uploads::name_of(const std::string& hash) {
  return std::string(folder_name) + "/" + hash;
}

std::uint64_t Uploads::bytes_of(const std::string& hash) const {
  std::error_code error;
  const fs::path path = path_of(hash);
  if (!is_content_hash(hash) || !is_own_folder() || !scenarios::is_own_file(path)) return 0;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

// An archive may have brought along a file with a name that is not the hash of its content.
std::optional<std::uint64_t> Uploads::size_of(const std::string& hash) const {
  if (!is_content_hash(hash) || !is_own_folder() || !scenarios::is_own_file(path_of(hash)))
    return {};
  const std::scoped_lock lock(reading_);
  const Stamp stamp = stamp_of(path_of(hash));
  const auto known = read_.find(hash);
  if (known == read_.end() || known->second != stamp) {
    if (hash_of(path_of(hash)) != hash) return {};
    read_[hash] = stamp;
  }
  return bytes_of(hash);
}

Uploads::Stamp Uploads::stamp_of(const fs::path& file) {
  struct stat status {};
  if (lstat(file.c_str(), &status) != 0) return {};
  return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_ctim.tv_sec),
          static_cast<std::uint64_t>(status.st_ctim.tv_nsec)};
}

// Another user may not have put a link, or a folder of theirs, in its place, nor files into it:
// what they are is told by their names alone.
bool Uploads::is_own_folder() const {
  struct stat status {};
  return lstat(folder_.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         status.st_uid == geteuid() && !core::others_may_write(folder_);
}

void Uploads::make_folder() const {
  if (mkdir(folder_.c_str(), S_IRWXU) != 0 && errno != EEXIST) fail(folder_);
  if (!is_own_folder())
    throw StoreFull(folder_.string() +
                    " is no directory of this user's own, or others may write to it");
}

// Under a name of its own, so that two clients may send the same file at a time.
Uploads::Incoming::Incoming(Uploads& uploads, const std::string& hash)
    : uploads_(uploads), hash_(hash) {
  uploads.make_folder();
  std::string part = fmt::format("{}/{}XXXXXX", uploads.folder_.string(), incoming);
  descriptor_ = mkostemp(part.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail(uploads.folder_);
  part_ = part;
}

Uploads::Incoming::~Incoming() {
  close(descriptor_);
  if (kept_) return;
  unlink(part_.c_str());
  uploads_.receiving_ -= size_;
}

// Somebody may have removed files since they were counted.
void Uploads::Incoming::check_room() {
  if (uploads_.kept_ + uploads_.receiving_ <= uploads_.most_) return;
  const std::scoped_lock lock(uploads_.keeping_);
  uploads_.kept_ = uploads_.bytes_kept();
  if (uploads_.kept_ + uploads_.receiving_ > uploads_.most_)
    throw TooLarge(fmt::format("uploaded files may have {} bytes together", uploads_.most_));
}

void Uploads::Incoming::take(std::string_view piece) {
  size_ += piece.size();
  uploads_.receiving_ += piece.size();
  check_room();
  content_.add(piece);
  while (!piece.empty()) {
    const ssize_t some = write(descriptor_, piece.data(), piece.size());
    if (some < 0 && errno != EINTR) fail(part_);
    if (some > 0) piece.remove_prefix(static_cast<std::size_t>(some));
  }
}

// What was there already stays, and counts once. A job that writes to it is refused by the system,
// so that others find their own content under its hash.
bool Uploads::Incoming::keep() {
  if (content_.text() != hash_) return false;
  const fs::path path = uploads_.path_of(hash_);
  const std::scoped_lock lock(uploads_.keeping_);
  if (uploads_.size_of(hash_)) return true;
  uploads_.kept_ -= uploads_.bytes_of(hash_);  // of a file with another content
  if (fchmod(descriptor_, S_IRUSR) != 0 || fsync(descriptor_) != 0 ||
      rename(part_.c_str(), path.c_str()) != 0)
    fail(path);
  kept_ = true;
  uploads_.kept_ += size_;
  uploads_.receiving_ -= size_;
  const int folder = open(uploads_.folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool stored = folder >= 0 && fsync(folder) == 0;
  if (folder >= 0) close(folder);
  if (!stored) fail(uploads_.folder_);
  return true;
}

}  // namespace rhizome::tools
