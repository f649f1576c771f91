#include "core/mesh/rendezvous_choice.hpp"

#include "core/mesh/rendezvous_directory.hpp"
#include "core/mesh/rendezvous_pmix.hpp"

namespace rhizome::core {

namespace {

std::string copies(const Place& place, const std::string& remedy) {
  return place.launcher + " has begun " + std::to_string(place.size) +
         " processes that do not know of each other, and each would run everything: " + remedy;
}

std::string remedy_for(const Place& place) {
  const std::string directory = "--rendezvous DIR, of a directory that all of them see";
  return place.launcher == "srun" ? "add --mpi=pmix, or " + directory : "add " + directory;
}

}  // namespace

Meeting meeting_of(const Environment& environment,
                   const std::optional<std::filesystem::path>& directory) {
  const std::optional<Place> place = place_in(environment);
  if (directory) {
    if (place) return Meeting::directory;
    throw WronglyLaunched(
        "--rendezvous: no launcher says which process this is, and of how many: begin it by srun, "
        "mpirun or an indexed job, or set RHIZOME_RANK and RHIZOME_SIZE");
  }
  if (environment.contains("PMIX_RANK")) return Meeting::pmix;
  if (place && place->size > 1) throw WronglyLaunched(copies(*place, remedy_for(*place)));
  return Meeting::alone;
}

std::unique_ptr<Rendezvous> find_rendezvous(const Environment& environment,
                                            const std::optional<std::filesystem::path>& directory,
                                            std::chrono::milliseconds patience) {
  switch (meeting_of(environment, directory)) {
    case Meeting::directory:
      return std::make_unique<RendezvousDirectory>(RendezvousDirectory::Options{
          .directory = *directory, .place = *place_in(environment), .patience = patience});
    case Meeting::pmix:
      return rendezvous_by_pmix(patience);
    case Meeting::alone:
      break;
  }
  return nullptr;
}

}  // namespace rhizome::core
