// The hosts of --hosts and --hostfile, and how a process is begun on one of them: by ssh, which
// runs a line of words in the shell there.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace rhizome::tools {

struct HostShare {
  std::string host;             // as ssh knows it
  std::uint32_t processes = 1;  // processes to run there
  friend bool operator==(const HostShare&, const HostShare&) = default;
};

// "h1,h2:2,h3". Throws UsageError.
[[nodiscard]] std::vector<HostShare> hosts_in(std::string_view list);
// One host a line, as "h2" or "h2:2"; text after '#' is a comment. Throws UsageError, and
// UnreadableFile if there is no such file.
[[nodiscard]] std::vector<HostShare> hosts_of_file(const std::filesystem::path& file);

// Where each process runs, by rank. This one is process 0: on the host of its name, if that is
// among them, else besides them, on "".
[[nodiscard]] std::vector<std::string> places_of(const std::vector<HostShare>& hosts,
                                                 const std::string& this_host);

// A command for a shell on another host: in the same directory the same program with the same
// words, with these settings, NAME=VALUE. All of it is quoted for the shell: whichever is the
// user's there gives the line to one of POSIX, without a character that has a meaning in any.
struct FarCommand {
  std::string directory;
  std::string program;
  std::vector<std::string> words;  // after the program's name
  std::vector<std::string> settings;
};
[[nodiscard]] std::string shell_line(const FarCommand& command);

// `ssh` is the program with its options, with a space between words: "ssh -F conf".
[[nodiscard]] std::vector<std::string> ssh_words(std::string_view ssh, const std::string& host,
                                                 const std::string& line);

}  // namespace rhizome::tools
