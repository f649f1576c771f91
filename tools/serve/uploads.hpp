// The files that clients have uploaded for their jobs: each is named by the SHA-256 of its content,
// in the folder "uploads" of the folder of the jobs' files. Jobs name them as "uploads/HASH".
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tools/serve/content_hash.hpp"

namespace rhizome::tools {

// The content is not stored, because of its size; the text tells the limit.
class TooLarge : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Uploads {
 public:
  static constexpr const char* folder_name = "uploads";

  // `folder`: of the jobs' files. All files together have at most `most_bytes`. Removes files that
  // an earlier server had not received whole.
  Uploads(const std::filesystem::path& folder, std::uint64_t most_bytes);

  // The size of a file; none if there is no file with that content. From any thread, as all
  // functions. Reads a file that was there before for the first time, which may take seconds.
  [[nodiscard]] std::optional<std::uint64_t> size_of(const std::string& hash) const;
  // The name of the file for a job's settings.
  [[nodiscard]] static std::string name_of(const std::string& hash);
  [[nodiscard]] std::uint64_t most_bytes() const { return most_; }

  // A file that is being received. It is removed unless it is kept.
  class Incoming {
   public:
    // Throws StoreFull.
    Incoming(Uploads& uploads, const std::string& hash);
    ~Incoming();
    Incoming(const Incoming&) = delete;
    Incoming& operator=(const Incoming&) = delete;

    // Throws TooLarge and StoreFull.
    void take(std::string_view piece);
    [[nodiscard]] std::uint64_t size() const { return size_; }
    // Once it returns true, the file outlives this process. False if the content has another hash.
    // Throws StoreFull.
    [[nodiscard]] bool keep();

   private:
    void check_room();

    Uploads& uploads_;
    const std::string hash_;
    std::filesystem::path part_;
    int descriptor_;
    ContentHash content_;
    std::uint64_t size_ = 0;
    bool kept_ = false;
  };

 private:
  // Which file it is, and when it was last changed: seconds and nanoseconds.
  using Stamp = std::array<std::uint64_t, 4>;

  [[nodiscard]] static Stamp stamp_of(const std::filesystem::path& file);
  [[nodiscard]] std::filesystem::path path_of(const std::string& hash) const;
  // Of a file with that name, whatever its content.
  [[nodiscard]] std::uint64_t bytes_of(const std::string& hash) const;
  [[nodiscard]] bool is_own_folder() const;
  void make_folder() const;
  [[nodiscard]] std::uint64_t bytes_kept() const;

  const std::filesystem::path folder_;
  const std::uint64_t most_;
  std::mutex keeping_;
  mutable std::mutex reading_;
  mutable std::map<std::string, Stamp> read_;  // files whose content was that of their name
  std::atomic<std::uint64_t> kept_;          // bytes of the files that were there at the last count
  std::atomic<std::uint64_t> receiving_{0};  // bytes of files that are being received
};

}  // namespace rhizome::tools
