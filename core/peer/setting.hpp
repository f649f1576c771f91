// A setting: one described field of an options struct. The tables of settings are the single source
// of the scenario parser, its error messages, the documentation of keys and the JSON Schema.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/peer/rate.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// The types of a setting's value. In a scenario a duration and a rate are text with a unit
// ("250ms", "10Mbit/s") and a choice is one of the setting's words.
using SettingValue = std::variant<bool, std::int64_t, double, std::string, Duration, Rate>;

enum class SettingKind : std::uint8_t { boolean, integer, real, text, duration, rate, choice };

// Documentation and bounds, written next to the options struct.
struct SettingDoc {
  std::string_view meaning;   // one sentence; the effect of more and of less
  std::string_view source{};  // paper and section, or "our choice"
  double least = std::numeric_limits<double>::lowest();  // durations: in seconds, rates: in bit/s
  double most = std::numeric_limits<double>::max();
};

// Type-erased, so that a catalogue can hold settings of different structs. `object` must point to
// the options struct the setting was made for.
struct Setting {
  std::string name;
  SettingKind kind{};
  SettingDoc doc;
  std::vector<std::string> choices;  // for kind choice, in order of the enum
  // The value must be of the setting's kind (a choice as text) and within its bounds: callers check
  // first with `refusal`.
  std::function<void(void* object, const SettingValue&)> assign;
  std::function<SettingValue(const void* object)> read;

  // Why `value` cannot be assigned, as half a sentence ("must be at least 1"), or empty.
  [[nodiscard]] std::string refusal(const SettingValue& value) const;
};

// The settings of the options struct O, in the order of their documentation.
template <class O>
class Settings {
 public:
  template <class T>
  Settings& add(std::string_view name, T O::*member, SettingDoc doc) {
    static_assert(std::is_same_v<T, bool> || std::integral<T> || std::floating_point<T> ||
                  std::is_same_v<T, std::string> || std::is_same_v<T, Duration> ||
                  std::is_same_v<T, Rate>);
    Setting setting{
        .name = std::string(name),
        .kind = kind_of<T>(),
        .doc = doc,
        .choices = {},
        .assign =
            [member](void* o, const SettingValue& v) {
              static_cast<O*>(o)->*member = static_cast<T>(std::get<Held<T>>(v));
            },
        .read =
            [member](const void* o) {
              return SettingValue(static_cast<Held<T>>(static_cast<const O*>(o)->*member));
            }};
    list_.push_back(std::move(setting));
    return *this;
  }

  // A setting that is one of `words`, which name the enumerators 0, 1, ... of E.
  template <class E>
  requires std::is_enum_v<E> Settings& add(std::string_view name, E O::*member,
                                           const std::vector<std::string>& words, SettingDoc doc) {
    Setting setting{.name = std::string(name),
                    .kind = SettingKind::choice,
                    .doc = doc,
                    .choices = words,
                    .assign =
                        [member, words](void* o, const SettingValue& v) {
                          const auto& word = std::get<std::string>(v);
                          for (std::size_t i = 0; i < words.size(); ++i)
                            if (words[i] == word) static_cast<O*>(o)->*member = static_cast<E>(i);
                        },
                    .read =
                        [member, words](const void* o) {
                          return SettingValue(
                              words[static_cast<std::size_t>(static_cast<const O*>(o)->*member)]);
                        }};
    list_.push_back(std::move(setting));
    return *this;
  }

  // Settings that were made elsewhere, which assign to an O.
  Settings& add(const std::vector<Setting>& others) {
    list_.insert(list_.end(), others.begin(), others.end());
    return *this;
  }

  [[nodiscard]] const std::vector<Setting>& list() const { return list_; }

 private:
  template <class T>
  using Held =
      std::conditional_t<std::is_same_v<T, bool>, bool,
                         std::conditional_t<std::integral<T>, std::int64_t,
                                            std::conditional_t<std::floating_point<T>, double, T>>>;
  template <class T>
  static constexpr SettingKind kind_of() {
    if constexpr (std::is_same_v<T, bool>)
      return SettingKind::boolean;
    else if constexpr (std::integral<T>)
      return SettingKind::integer;
    else if constexpr (std::floating_point<T>)
      return SettingKind::real;
    else if constexpr (std::is_same_v<T, Duration>)
      return SettingKind::duration;
    else if constexpr (std::is_same_v<T, Rate>)
      return SettingKind::rate;
    else
      return SettingKind::text;
  }
  std::vector<Setting> list_;
};

}  // namespace rhizome::core
