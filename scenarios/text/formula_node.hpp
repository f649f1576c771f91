// Formulas as trees. Used only by formula.cpp and its parser.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rhizome::scenarios {

struct FormulaNode {
  enum class Kind : std::uint8_t {
    number,
    text,
    cell,
    negative,
    opposite,
    add,
    subtract,
    multiply,
    divide,
    equal,
    unequal,
    less,
    at_most,
    more,
    at_least,
    both,
    either,
    function,
  };
  // A field is a number or a text, as its place in the formula requires.
  enum class Type : std::uint8_t { number, text, truth, field };
  enum class Function : std::uint8_t { abs, ceil, floor, min, max, date };

  Kind kind{};
  Type type{};
  double value = 0;
  std::string text{};
  std::size_t cell = 0;  // from 0
  Function function{};
  std::vector<std::unique_ptr<FormulaNode>> parts{};
};

// Throws FormulaError.
[[nodiscard]] std::unique_ptr<FormulaNode> parse_formula(std::string_view text,
                                                         std::span<const std::string> names);

}  // namespace rhizome::scenarios
