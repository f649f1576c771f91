#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>

#include "scenarios/text/formula.hpp"
#include "scenarios/text/formula_node.hpp"

namespace rhizome::scenarios {

namespace {

using Kind = FormulaNode::Kind;
using Type = FormulaNode::Type;
using Node = std::unique_ptr<FormulaNode>;

struct Operator {
  std::string_view word;
  Kind kind;
};
// If two operators have the same beginning, the longer one comes first.
constexpr std::array comparisons = {Operator{"==", Kind::equal},   Operator{"!=", Kind::unequal},
                                    Operator{"<=", Kind::at_most}, Operator{">=", Kind::at_least},
                                    Operator{"<", Kind::less},     Operator{">", Kind::more}};
constexpr std::array sums = {Operator{"+", Kind::add}, Operator{"-", Kind::subtract}};
constexpr std::array products = {Operator{"*", Kind::multiply}, Operator{"/", Kind::divide}};
constexpr std::array conjunctions = {Operator{"&&", Kind::both}};
constexpr std::array alternatives = {Operator{"||", Kind::either}};
constexpr std::array<std::string_view, 6> functions = {"abs", "ceil", "floor",
                                                       "min", "max",  "date"};

bool is_of_name(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalnum(byte) != 0 || c == '_' || c == '.' || byte >= 0x80;
}

// A recursive descent parser, from the operators of lowest precedence to those of highest.
class Parser {
 public:
  Parser(std::string_view text, std::span<const std::string> names) : text_(text), names_(names) {}

  Node all() {
    Node root = alternative();
    skip_blanks();
    if (at_ < text_.size()) refuse("an operator, or the end of the formula, is expected");
    return root;
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const { refuse_at(at_, message); }
  [[noreturn]] void refuse_at(std::size_t at, const std::string& message) const {
    const std::string where =
        at < text_.size() ? "at character " + std::to_string(at + 1) : "at the end of the formula";
    throw FormulaError(where + ": " + message);
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  template <std::size_t N>
  std::optional<Kind> take(const std::array<Operator, N>& operators) {
    for (const Operator& one : operators)
      if (take(one.word)) return one.kind;
    return {};
  }

  static Node make(Kind kind, Type type, Node first, Node second = {}) {
    auto node = std::make_unique<FormulaNode>();
    node->kind = kind;
    node->type = type;
    node->parts.push_back(std::move(first));
    if (second) node->parts.push_back(std::move(second));
    return node;
  }

  void need(const FormulaNode& node, Type type, std::size_t at) const {
    if (node.type == type || (node.type == Type::field && type != Type::truth)) return;
    refuse_at(at, type == Type::truth    ? "a comparison is expected here"
                  : type == Type::number ? "a number is expected here"
                                         : "a text is expected here");
  }

  // Parses operands of one type with operators of one precedence, from left to right.
  template <std::size_t N>
  Node chain(Node (Parser::*part)(), const std::array<Operator, N>& operators, Type type) {
    skip_blanks();
    const std::size_t begin = at_;
    Node left = (this->*part)();
    while (const auto kind = take(operators)) {
      need(*left, type, begin);
      skip_blanks();
      const std::size_t right_at = at_;
      Node right = (this->*part)();
      need(*right, type, right_at);
      left = make(*kind, type, std::move(left), std::move(right));
    }
    return left;
  }
  Node alternative() { return chain(&Parser::conjunction, alternatives, Type::truth); }
  Node conjunction() { return chain(&Parser::comparison, conjunctions, Type::truth); }
  Node sum() { return chain(&Parser::product, sums, Type::number); }
  Node product() { return chain(&Parser::factor, products, Type::number); }

  Node comparison() {
    skip_blanks();
    const std::size_t begin = at_;
    Node left = sum();
    const auto kind = take(comparisons);
    if (!kind) return left;
    skip_blanks();
    const std::size_t right_at = at_;
    Node right = sum();
    const bool texts = left->type == Type::text || right->type == Type::text;
    need(*left, texts ? Type::text : Type::number, begin);
    need(*right, texts ? Type::text : Type::number, right_at);
    skip_blanks();
    const std::size_t more = at_;
    if (take(comparisons)) refuse_at(more, "comparisons are joined by && or ||");
    return make(*kind, Type::truth, std::move(left), std::move(right));
  }

  Node factor() {
    skip_blanks();
    const std::size_t begin = at_;
    const bool negative = take("-");
    if (!negative && !(text_.substr(at_).starts_with('!') && take("!"))) return operand();
    deepen();
    Node inner = factor();
    --depth_;
    need(*inner, negative ? Type::number : Type::truth, begin + 1);
    return negative ? make(Kind::negative, Type::number, std::move(inner))
                    : make(Kind::opposite, Type::truth, std::move(inner));
  }

  Node operand() {
    if (at_ == text_.size()) refuse("a number, a text, a column or ( is expected");
    const char c = text_[at_];
    if (c == '(') return in_parentheses();
    if (c == '"' || c == '\'') return text(c);
    if (c == '`') return column(quoted(c));
    if (std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.') return number();
    if (c == '$' || is_of_name(c)) return name();
    refuse("a number, a text, a column or ( is expected");
  }

  // Limits the depth of nesting, so that a formula cannot overflow the stack.
  void deepen() {
    constexpr int most = 100;
    if (++depth_ > most) refuse("the formula is nested too deeply");
  }

  Node in_parentheses() {
    deepen();
    ++at_;
    Node inner = alternative();
    if (!take(")")) refuse(") is expected");
    --depth_;
    return inner;
  }

  std::string quoted(char quote) {
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) refuse("the quote that opens here is not closed");
    const std::string inner(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return inner;
  }

  Node text(char quote) {
    auto node = std::make_unique<FormulaNode>();
    node->kind = Kind::text;
    node->type = Type::text;
    node->text = quoted(quote);
    return node;
  }

  Node number() {
    auto node = std::make_unique<FormulaNode>();
    const char* begin = text_.data() + at_;
    const auto [rest, error] = std::from_chars(begin, text_.data() + text_.size(), node->value);
    if (error != std::errc{} || !std::isfinite(node->value)) refuse("this is no number");
    const std::size_t begun = at_;
    at_ += static_cast<std::size_t>(rest - begin);
    if (at_ < text_.size() && is_of_name(text_[at_]))
      refuse_at(begun, "a column whose name begins with a digit stands in backquotes: `2nd`");
    return node;
  }

  Node name() {
    const std::size_t begin = at_;
    ++at_;
    while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    skip_blanks();
    if (at_ < text_.size() && text_[at_] == '(') return call(word, begin);
    return column(word);
  }

  Node column(std::string_view word) {
    auto node = std::make_unique<FormulaNode>();
    node->kind = Kind::cell;
    node->type = Type::field;
    node->cell = column_at(word, names_);
    return node;
  }

  Node call(std::string_view word, std::size_t begin) {
    const auto known = std::ranges::find(functions, word);
    if (known == functions.end())
      refuse_at(begin, "there is no function \"" + std::string(word.substr(0, 40)) +
                           "\": there are abs, ceil, floor, min, max and date");
    const auto function = static_cast<FormulaNode::Function>(known - functions.begin());
    const bool date = function == FormulaNode::Function::date;
    const bool two =
        function == FormulaNode::Function::min || function == FormulaNode::Function::max;
    auto node = std::make_unique<FormulaNode>();
    node->kind = Kind::function;
    node->function = function;
    deepen();
    ++at_;
    do {
      skip_blanks();
      const std::size_t argument = at_;
      node->parts.push_back(sum());
      need(*node->parts.back(), date ? Type::text : Type::number, argument);
    } while (two && take(","));
    if (!take(")")) refuse(two ? ", or ) is expected" : ") is expected");
    --depth_;
    return node;
  }

  std::string_view text_;
  std::span<const std::string> names_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

std::unique_ptr<FormulaNode> parse_formula(std::string_view text,
                                           std::span<const std::string> names) {
  // It is computed for each row, and a small archive has millions.
  constexpr std::size_t most = 300;
  if (text.size() > most) throw FormulaError("a formula has at most 300 characters");
  return Parser(text, names).all();
}

}  // namespace rhizome::scenarios
