#include "scenarios/text/delimited.hpp"

namespace rhizome::scenarios {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

Field without_blanks(Field field) {
  while (!field.text.empty() && is_blank(field.text.front())) {
    field.text.remove_prefix(1);
    ++field.column;
  }
  while (!field.text.empty() && is_blank(field.text.back())) field.text.remove_suffix(1);
  return field;
}

}  // namespace

void DelimitedRow::read(const LineSource& lines, std::string_view line) {
  if (line.find('"') != std::string_view::npos) {
    read_quoting(lines, line);
    return;
  }
  split(line, separator_, fields_);
  for (Field& field : fields_) field = without_blanks(field);
}

void DelimitedRow::read_quoting(const LineSource& lines, std::string_view line) {
  fields_.clear();
  unquoted_.clear();
  unquoted_.reserve(line.size());  // so that views into it stay
  const auto separates = [this](char c) {
    return separator_ == ' ' ? is_blank(c) : c == separator_;
  };
  const auto skip_blanks = [&](std::size_t at) {
    while (at < line.size() && is_blank(line[at]) && (separator_ == ' ' || !separates(line[at])))
      ++at;
    return at;
  };
  std::size_t at = skip_blanks(0);
  while (true) {
    if (separator_ == ' ' && at == line.size()) return;
    std::size_t end = at;
    if (at < line.size() && line[at] == '"') {
      end = skip_blanks(quoted(lines, line, at));
      if (separator_ != ' ' && end < line.size() && !separates(line[end]))
        lines.refuse(end + 1, "a field that is quoted ends with its quote");
    } else {
      while (end < line.size() && !separates(line[end])) ++end;
      fields_.push_back(without_blanks({line.substr(at, end - at), at + 1}));
    }
    if (end >= line.size()) return;
    at = skip_blanks(separator_ == ' ' ? end : end + 1);
  }
}

std::size_t DelimitedRow::quoted(const LineSource& lines, std::string_view line,
                                 std::size_t begin) {
  const std::size_t start = unquoted_.size();
  for (std::size_t at = begin + 1; at < line.size(); ++at) {
    const bool twice = line.substr(at, 2) == "\"\"";
    if (line[at] == '"' && !twice) {
      fields_.push_back({std::string_view(unquoted_).substr(start), begin + 1});
      return at + 1;
    }
    unquoted_ += line[at];
    at += twice ? 1 : 0;
  }
  lines.refuse(begin + 1, "the quote that opens here is not closed on its line");
}

}  // namespace rhizome::scenarios
