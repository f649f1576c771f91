// JSON documents: the meaning of braces, their text, and errors in reading.
#include "scenarios/text/json.hpp"

#include <doctest/doctest.h>

#include <limits>

namespace rhizome::scenarios::json_test {

TEST_CASE("braces of named values are an object, whose keys keep their order; others are a list") {
  const Json object{{"b", 1}, {"a", {{"deep", true}}}};
  CHECK(line_of(object) == R"({"b":1,"a":{"deep":true}})");
  CHECK(line_of(Json{{"b", 1}, 2}) == R"([["b",1],2])");
  CHECK(line_of(Json({"b", "a"})) == R"(["b","a"])");
  CHECK(line_of(Json::array({Json{{"b", 1}}})) == R"([{"b":1}])");
  CHECK(line_of(Json{}) == "null");
}

TEST_CASE("a value that is none yet becomes an object by a key, and a list by an item") {
  Json json;
  json["list"].push_back(1);
  json["list"].push_back("two");
  json["object"]["key"] = nullptr;
  CHECK(line_of(json) == R"({"list":[1,"two"],"object":{"key":null}})");
  CHECK_THROWS_AS(json["list"]["key"] = 1, JsonError);
}

TEST_CASE("a document is indented by two, and empty values stay in their line") {
  CHECK(text_of({{"list", {1, 2}}, {"none", Json::array()}, {"nothing", Json::object()}}) ==
        "{\n  \"list\": [\n    1,\n    2\n  ],\n  \"none\": [],\n  \"nothing\": {}\n}\n");
}

TEST_CASE("numbers keep their digits, and values that JSON cannot express are null or replaced") {
  CHECK(line_of({0.1, 2.0, std::numeric_limits<std::uint64_t>::max(), -1}) ==
        "[0.1,2.0,18446744073709551615,-1]");
  CHECK(line_of(Json::array({std::numeric_limits<double>::infinity()})) == "[null]");
  CHECK(line_of("\xff\"\n") == "\"\xef\xbf\xbd\\\"\\n\"");
}

TEST_CASE("a written document is read again, and numbers are equal as numbers") {
  const Json json{
      {"text", "ü"}, {"list", {1, -1, 1.5, nullptr, false}}, {"object", Json::object()}};
  const auto read = parse_json(text_of(json));
  REQUIRE(read.has_value());
  CHECK(*read == json);
  CHECK(Json(1) == Json(1.0));
  CHECK(Json(1) == Json(1U));
  CHECK_FALSE(Json(1) == Json(true));
  CHECK_FALSE(Json(-1) == Json(std::numeric_limits<std::uint64_t>::max()));
  CHECK_FALSE(parse_json("{\"a\": }").has_value());
}

TEST_CASE("a reader that expects another document is told so") {
  const Json json{{"text", "a"}, {"list", {1}}};
  CHECK(json.at("list").at(0).get<int>() == 1);
  CHECK_THROWS_AS(static_cast<void>(json.at("none")), JsonError);
  CHECK_THROWS_AS(static_cast<void>(json.at("list").at(1)), JsonError);
  CHECK_THROWS_AS(static_cast<void>(json.at("text").get<int>()), JsonError);
  CHECK_THROWS_AS(static_cast<void>(json.at("list").at(0).get<bool>()), JsonError);
  CHECK_THROWS_AS(static_cast<void>(json.at("text").items()), JsonError);
  CHECK_THROWS_AS(static_cast<void>(json.members().front().value.members()), JsonError);
}

// Each would take the stack, or a time that grows with the square of its length.
TEST_CASE(
    "a text of a stranger that is nested deep, or has an object of many keys, is no document") {
  std::string deep;
  for (int i = 0; i < 500'000; ++i) deep += "{\"a\":";
  deep += "1" + std::string(500'000, '}');
  CHECK_FALSE(parse_json(deep).has_value());
  CHECK_FALSE(parse_json(std::string(500'000, '[') + std::string(500'000, ']')).has_value());
  std::string wide = "{\"k\": 1";
  for (int i = 0; i < 2'000; ++i) wide += ", \"k" + std::to_string(i) + "\": 1";
  CHECK_FALSE(parse_json(wide + "}").has_value());
}

TEST_CASE("a text of a stranger with more values than any document has is none") {
  std::string flat = "[1";
  for (int i = 0; i < 5'000'000; ++i) flat += ",1";
  CHECK_FALSE(parse_json(flat + "]").has_value());
}

}  // namespace rhizome::scenarios::json_test
