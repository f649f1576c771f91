// The one door to METIS. It is loaded when a graph is divided for the first time: it has 28 KiB of
// thread-local memory, which every thread of a program that is linked with it would be given.
#include <dlfcn.h>
#include <metis.h>

#include <numeric>
#include <string>

#include "overlay/partition.hpp"

namespace rhizome::overlay {

namespace {

// The functions of METIS that are used here; none of them where the library is not installed.
struct Metis {
  decltype(&METIS_SetDefaultOptions) set_default_options = nullptr;
  decltype(&METIS_PartGraphRecursive) bisect = nullptr;
  decltype(&METIS_PartGraphKway) divide = nullptr;

  [[nodiscard]] bool loaded() const {
    return set_default_options != nullptr && bisect != nullptr && divide != nullptr;
  }
};

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

// The library stays loaded until the program ends.
Metis load_metis() {
  const std::string file = "libmetis.so." + std::to_string(METIS_VER_MAJOR);
  Metis metis;
  void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return metis;
  find(library, "METIS_SetDefaultOptions", metis.set_default_options);
  find(library, "METIS_PartGraphRecursive", metis.bisect);
  find(library, "METIS_PartGraphKway", metis.divide);
  return metis;
}

const Metis& metis() {
  static const Metis loaded = load_metis();
  return loaded;
}

}  // namespace

bool has_partitioner() { return metis().loaded(); }

namespace detail {

namespace {

constexpr std::size_t few_parts = 8;  // for which its manual advises bisection
constexpr idx_t tries = 4;            // the best one is taken

std::vector<real_t> shares_of(std::span<const std::uint32_t> weights) {
  const auto whole = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  std::vector<real_t> shares;
  for (const std::uint32_t weight : weights)
    shares.push_back(static_cast<real_t>(weight) / static_cast<real_t>(whole));
  return shares;
}

// Where it fails, as for want of memory, all are in the first part.
std::vector<std::uint32_t> result(int status, const std::vector<idx_t>& parts) {
  std::vector<std::uint32_t> found(parts.size());
  if (status == METIS_OK) found.assign(parts.begin(), parts.end());
  return found;
}

}  // namespace

std::vector<std::uint32_t> divide(const Graph& graph, std::span<const std::uint32_t> weights) {
  std::vector<idx_t> first{0};
  std::vector<idx_t> neighbours;
  for (std::uint32_t i = 0; i < graph.peers(); ++i) {
    for (const core::PeerId each : graph.of({i}))
      neighbours.push_back(static_cast<idx_t>(each.value));
    first.push_back(static_cast<idx_t>(neighbours.size()));
  }
  std::vector<idx_t> options(METIS_NOPTIONS);
  metis().set_default_options(options.data());
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NCUTS] = tries;
  auto peers = static_cast<idx_t>(graph.peers());
  auto count = static_cast<idx_t>(weights.size());
  idx_t constraints = 1;
  idx_t cut = 0;
  std::vector<real_t> shares = shares_of(weights);
  std::vector<idx_t> parts(graph.peers());
  const auto method = weights.size() <= few_parts ? metis().bisect : metis().divide;
  return result(method(&peers, &constraints, first.data(), neighbours.data(), nullptr, nullptr,
                       nullptr, &count, shares.data(), nullptr, options.data(), &cut, parts.data()),
                parts);
}

}  // namespace detail

}  // namespace rhizome::overlay
