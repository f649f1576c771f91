// A rendezvous by PMIx, which srun --mpi=pmix and mpirun both speak: put, fence, get. Optional when
// Rhizome is built.
#pragma once

#include <chrono>
#include <memory>

#include "core/mesh/launcher.hpp"
#include "core/mesh/rendezvous.hpp"
#include "core/mesh/rendezvous_directory.hpp"

namespace rhizome::core {

[[nodiscard]] bool pmix_is_built_in();

// Throws Unreachable if no PMIx server of this user's or of the system's answers for PMIX_RANK.
// Disconnects once descriptors are gathered, so that the rest of the run does not depend on the
// launcher.
[[nodiscard]] std::unique_ptr<Rendezvous> rendezvous_by_pmix(
    std::chrono::milliseconds patience = gathering_patience);

}  // namespace rhizome::core
