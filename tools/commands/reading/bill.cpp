#include "tools/bill/bill.hpp"

#include "tools/cli/output.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/stored.hpp"

namespace rhizome::tools {

Exit bill_command(const Arguments& arguments) {
  const std::size_t most = arguments.number("top", 0).value_or(10);
  const Bill bill = bill_of(read_stored(arguments));
  const std::string output = arguments.text("output").value_or("text");
  const std::string text = output == "json"       ? json_of(bill)
                           : output == "csv"      ? csv_of(bill)
                           : output == "markdown" ? markdown_of(bill, most)
                                                  : text_of(bill, most);
  print_text(text);
  return bill.conservation.balanced() ? Exit::holds : Exit::fails;
}

}  // namespace rhizome::tools
