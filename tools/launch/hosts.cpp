#include "tools/launch/hosts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core/peer/number_text.hpp"
#include "scenarios/text/files.hpp"
#include "scenarios/text/input_error.hpp"
#include "tools/cli/command.hpp"
#include "tools/cli/shell.hpp"

namespace rhizome::tools {

namespace {

constexpr std::uint32_t most_on_one = 4096;

// A name that begins with a dash would be an option of ssh, and so might one behind a user.
bool is_name(std::string_view text) {
  return !text.empty() && text.front() != '-' && text.find("@-") == text.npos &&
         std::ranges::all_of(text, [](unsigned char c) {
           return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_' || c == '@';
         });
}

HostShare host_in(std::string_view word) {
  const std::size_t colon = word.find(':');
  HostShare share{.host = std::string(word.substr(0, colon))};
  if (colon != std::string_view::npos) {
    share.processes = core::parse_number<std::uint32_t>(word.substr(colon + 1)).value_or(0);
    if (share.processes == 0 || share.processes > most_on_one)
      throw UsageError("\"" + std::string(word) + "\": behind the host stands how many processes " +
                       "it runs, from 1 to " + std::to_string(most_on_one));
  }
  if (!is_name(share.host))
    throw UsageError("\"" + std::string(word) + "\" is no host: it is a name, or a name and a " +
                     "number of processes, such as h2:2");
  return share;
}

std::string short_name(const std::string& host) {
  const std::size_t user = host.find('@');
  const std::string name = user == std::string::npos ? host : host.substr(user + 1);
  return name.substr(0, name.find('.'));
}

std::vector<std::string> split(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

// The text as the format %b of printf takes it.
std::string in_octal(std::string_view text) {
  constexpr std::string_view harmless = " &,-./:=@_";
  std::string octal;
  for (const unsigned char c : text)
    octal += std::isalnum(c) != 0 || harmless.find(static_cast<char>(c)) != harmless.npos
                 ? std::string(1, static_cast<char>(c))
                 : fmt::format("\\0{:03o}", c);
  return octal;
}

}  // namespace

std::vector<HostShare> hosts_in(std::string_view list) {
  std::vector<HostShare> hosts;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    hosts.push_back(host_in(list.substr(at, comma - at)));
    at = comma + 1;
  }
  return hosts;
}

std::vector<HostShare> hosts_of_file(const std::filesystem::path& file) {
  const auto text = scenarios::read_file(file);
  if (!text) throw scenarios::UnreadableFile(file.string() + ": there is no such file");
  std::vector<HostShare> hosts;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);)
    for (const std::string& word : split(line.substr(0, line.find('#'))))
      hosts.push_back(host_in(word));
  if (hosts.empty()) throw UsageError(file.string() + " names no host");
  return hosts;
}

std::vector<std::string> places_of(const std::vector<HostShare>& hosts,
                                   const std::string& this_host) {
  std::vector<std::string> places{""};
  bool here = false;
  for (const HostShare& share : hosts)
    for (std::uint32_t i = 0; i < share.processes; ++i)
      if (!here && short_name(share.host) == short_name(this_host))
        here = true;
      else
        places.push_back(share.host);
  return places;
}

std::string shell_line(const FarCommand& command) {
  std::string line = "cd " + quoted(command.directory) + " && exec /usr/bin/env";
  for (const std::string& setting : command.settings) line += " " + quoted(setting);
  line += " " + quoted(command.program);
  for (const std::string& word : command.words) line += " " + quoted(word);
  return "exec sh -c 'eval \"$(printf %b \"$0\")\"' '" + in_octal(line) + "'";
}

std::vector<std::string> ssh_words(std::string_view ssh, const std::string& host,
                                   const std::string& line) {
  std::vector<std::string> words = split(ssh);
  if (words.empty()) throw UsageError("--ssh names no program");
  words.insert(words.end(), {"-T", host, line});
  return words;
}

}  // namespace rhizome::tools
