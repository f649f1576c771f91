// Tools speak of scenarios, outcomes and metrics all the time, and do so without a prefix.
#pragma once

namespace rhizome::scenarios {}

namespace rhizome::tools {
using namespace rhizome::scenarios;
}
