// A finder: the part in which the ways of finding a task differ. It only says which peers to ask
// and which to tell; the locator does the rest.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "agents/locator/messages.hpp"
#include "agents/locator/options.hpp"
#include "core/peer/interface.hpp"

namespace rhizome::agents::locator {

class Finder : public core::Interface {
 public:
  // The peers to tell that a task has come here.
  [[nodiscard]] virtual std::vector<PeerId> to_tell(const Mobile& mobile) const = 0;
  // The peers to ask for the place of a task before data are sent: none if its known address is to
  // be trusted, and all for a broadcast.
  [[nodiscard]] virtual std::vector<PeerId> to_ask(TaskId task) const = 0;
  // Whether a task that goes leaves its next address behind, for messages that come after it.
  [[nodiscard]] virtual bool leaves_address() const { return false; }
  // A message has told where a task is; the finder decides whether to write it down.
  virtual void told(TaskId, const Address&) {}
  // The addresses that it has written down, of one task and of all.
  [[nodiscard]] virtual std::optional<Address> known(TaskId) const { return {}; }
  [[nodiscard]] virtual std::map<TaskId, Address> all_known() const { return {}; }
};

// A finder of the kind in `options`, among `peers` peers; `home` is the peer that all others ask.
[[nodiscard]] std::unique_ptr<Finder> make_finder(const Options& options, std::uint32_t peers,
                                                  PeerId home);

}  // namespace rhizome::agents::locator
