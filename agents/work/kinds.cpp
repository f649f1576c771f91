#include "agents/work/kinds.hpp"

#include <vector>

#include "agents/work/conjugate_gradient.hpp"
#include "agents/work/matrix.hpp"

namespace rhizome::agents {

core::WorkKinds work_kinds() {
  static const std::vector<core::WorkKind> kinds{core::emulated_work(), matrix_work(),
                                                 conjugate_gradient_work()};
  return kinds;
}

}  // namespace rhizome::agents
