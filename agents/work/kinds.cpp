#include "agents/work/kinds.hpp"

#include <vector>

#include "agents/work/conjugate_gradient.hpp"
#include "agents/work/convolution.hpp"
#include "agents/work/matrix.hpp"
#include "agents/work/word_count.hpp"

namespace rhizome::agents {

core::WorkKinds work_kinds() {
  static const std::vector<core::WorkKind> kinds{core::emulated_work(),     matrix_work(),
                                                 conjugate_gradient_work(), word_count_work(),
                                                 child_process_work(),      convolution_work()};
  return kinds;
}

}  // namespace rhizome::agents
