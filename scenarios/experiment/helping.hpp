// The messages between helpers and process 0.
#pragma once

#include "core/peer/message.hpp"
#include "scenarios/experiment/helpers.hpp"

namespace rhizome::scenarios::helping {

using Word = core::OneOf<Ready, Order, Answer, Dismissal, HelperLeaving>;

}  // namespace rhizome::scenarios::helping
