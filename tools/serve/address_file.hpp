// The address of a server, in a file beside its store. The server holds the file locked exactly as
// long as it listens there. A client tells its token to no other program that has the port before
// or after that: it looks at the lock before it connects, and again before it sends anything. Nor
// to one that has the same address in another network: the file names the server's.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "core/child/links.hpp"

namespace rhizome::tools {

class AddressFile {
 public:
  // Takes the place of an earlier server's file, and of no other. To be made before the server
  // listens: when a process is killed, the system closes what was opened first before the rest, so
  // that the lock does not outlive the port. Throws scenarios::CannotWrite.
  explicit AddressFile(const std::filesystem::path& file);
  ~AddressFile();
  AddressFile(const AddressFile&) = delete;
  AddressFile& operator=(const AddressFile&) = delete;

  // The server listens there from now on. Throws scenarios::CannotWrite.
  void publish(std::string_view url);
  // To be called before it listens no longer. The file stays, so that clients can say who has gone.
  void withdraw();

 private:
  const std::filesystem::path path_;
  int file_;
};

// The server that holds the address file of a store.
class ListeningServer {
 public:
  // Throws scenarios::UnreadableFile if the file is not this user's own, and NoAnswer if no server
  // holds it, or one whose address means another machine here.
  explicit ListeningServer(const std::filesystem::path& store);

  [[nodiscard]] const std::string& url() const { return url_; }
  // Whether it has listened since the constructor returned: a connection that was made meanwhile is
  // its.
  [[nodiscard]] bool listens() const;

 private:
  std::shared_ptr<const core::Opened> file_;
  std::string url_;
};

}  // namespace rhizome::tools
