#include "scenarios/bill/bill.hpp"

#include <cstdio>

#include "tools/commands/commands.hpp"
#include "tools/commands/stored.hpp"

namespace rhizome::tools {

Exit bill_command(const Arguments& arguments) {
  const std::size_t most = arguments.number("top", 0).value_or(10);
  const scenarios::Bill bill = scenarios::bill_of(read_stored(arguments));
  const bool json = arguments.text("output").value_or("text") == "json";
  std::fputs((json ? scenarios::json_of(bill) : scenarios::text_of(bill, most)).c_str(), stdout);
  return bill.conservation.balanced() ? Exit::holds : Exit::fails;
}

}  // namespace rhizome::tools
