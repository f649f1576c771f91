// Takes the place of rendezvous_pmix.cpp if Rhizome is built without PMIx.
#include "core/mesh/rendezvous_pmix.hpp"

namespace rhizome::core {

bool pmix_is_built_in() { return false; }

std::unique_ptr<Rendezvous> rendezvous_by_pmix(std::chrono::milliseconds) {
  throw Unreachable("this program was built without PMIx: add --rendezvous DIR");
}

}  // namespace rhizome::core
