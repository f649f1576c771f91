// The last event of a peer that leaves in good order, as opposed to one that crashes.
#pragma once

namespace rhizome::core {

// A protocol that has on(env, Departure) may say goodbye: its messages are sent, and then its peer
// is gone, with every timer and every piece of work.
struct Departure {};

}  // namespace rhizome::core
