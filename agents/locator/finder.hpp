// A finder: what the ways of finding a task differ in. It only says where to look and whom to tell;
// the locator does the rest.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "agents/locator/messages.hpp"
#include "agents/locator/options.hpp"

namespace rhizome::agents::locator {

class Finder {
 public:
  Finder() = default;
  virtual ~Finder() = default;
  Finder(const Finder&) = delete;
  Finder& operator=(const Finder&) = delete;

  // Whom a task that has come here tells of it.
  [[nodiscard]] virtual std::vector<PeerId> to_tell(const Mobile& mobile) const = 0;
  // Whom to ask for a task that data are to be sent to; nobody where its address is to be trusted,
  // and everybody by a list of all.
  [[nodiscard]] virtual std::vector<PeerId> to_ask(TaskId task) const = 0;
  // Whether a task that goes leaves its next address behind, for whoever comes after it.
  [[nodiscard]] virtual bool leaves_address() const { return false; }
  // Somebody has told where a task is; whether it was written down is nobody else's affair.
  virtual void told(TaskId, const Address&) {}
  // What it has written down, of one task and of all.
  [[nodiscard]] virtual std::optional<Address> known(TaskId) const { return {}; }
  [[nodiscard]] virtual std::map<TaskId, Address> all_known() const { return {}; }
};

// Of that kind, among so many peers; `home` is the peer that all ask.
[[nodiscard]] std::unique_ptr<Finder> make_finder(const Options& options, std::uint32_t peers,
                                                  PeerId home);

}  // namespace rhizome::agents::locator
