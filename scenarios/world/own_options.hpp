// The options that kinds of a catalogue have for themselves, by type, in the section of a scenario
// that chooses among the kinds: a new kind brings its own, and no section has to be changed for it.
#pragma once

#include <any>
#include <map>
#include <typeindex>
#include <typeinfo>
#include <vector>

#include "core/peer/setting.hpp"

namespace rhizome::scenarios {

class OwnOptions {
 public:
  // The options of type O as set, or their defaults.
  template <class O>
  [[nodiscard]] const O& of() const {
    static const O defaults{};
    const auto said = said_.find(typeid(O));
    return said == said_.end() ? defaults : *std::any_cast<O>(&said->second);
  }
  template <class O>
  [[nodiscard]] O& change() {
    return *std::any_cast<O>(&said_.try_emplace(typeid(O), O{}).first->second);
  }

 private:
  std::map<std::type_index, std::any> said_;
};

// Settings of O as settings of the section S, which has its OwnOptions as `own`.
template <class S, class O>
[[nodiscard]] std::vector<core::Setting> own_settings(const core::Settings<O>& settings) {
  std::vector<core::Setting> list = settings.list();
  for (core::Setting& setting : list) {
    setting.assign = [assign = setting.assign](void* section, const core::SettingValue& value) {
      assign(&static_cast<S*>(section)->own.template change<O>(), value);
    };
    setting.read = [read = setting.read](const void* section) {
      return read(&static_cast<const S*>(section)->own.template of<O>());
    };
  }
  return list;
}

}  // namespace rhizome::scenarios
