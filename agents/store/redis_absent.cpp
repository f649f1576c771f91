#include "agents/store/store.hpp"

namespace rhizome::agents::store {

std::unique_ptr<RecordStore> open_redis(const std::string&, const std::string&) {
  throw Failed("this program was built without hiredis, and knows no Redis");
}

}  // namespace rhizome::agents::store
