#include "core/peer/setting.hpp"

#include <doctest/doctest.h>

namespace rhizome::setting_test {

namespace {

enum class Colour : std::uint8_t { red, green };
struct Options {
  bool on = true;
  std::uint32_t count = 3;
  double share = 0.5;
  core::Duration period = std::chrono::milliseconds(250);
  Colour colour = Colour::green;
};

std::vector<core::Setting> settings() {
  return core::Settings<Options>{}
      .add("on", &Options::on, {"Whether."})
      .add("count", &Options::count, {"How many.", "our choice", 1, 10})
      .add("share", &Options::share, {"Which part.", "our choice", 0, 1})
      .add("period", &Options::period, {"How often.", "our choice", 0.001, 60})
      .add("colour", &Options::colour, {"red", "green"}, {"Which."})
      .list();
}

}  // namespace

TEST_CASE("settings read defaults and assign values of their kind") {
  Options options;
  for (const core::Setting& setting : settings()) {
    const core::SettingValue before = setting.read(&options);
    setting.assign(&options, before);
    CHECK(setting.read(&options) == before);
  }
  settings()[1].assign(&options, std::int64_t{7});
  settings()[4].assign(&options, std::string("red"));
  CHECK(options.count == 7);
  CHECK(options.colour == Colour::red);
}

TEST_CASE("a value out of bounds is refused with the bound") {
  const auto list = settings();
  CHECK(list[1].refusal(std::int64_t{0}) == "must be at least 1");
  CHECK(list[1].refusal(std::int64_t{11}) == "must be at most 10");
  CHECK(list[1].refusal(std::int64_t{10}).empty());
  CHECK(list[2].refusal(1.5) == "must be at most 1");
  CHECK(list[3].refusal(core::Duration(0)) == "must be at least 0.001 s");
  CHECK(list[4].refusal(std::string("blue")) == "must be one of \"red\" \"green\"");
}

}  // namespace rhizome::setting_test
