// An access list of a file or folder, as setxattr() takes it.
#pragma once

#include <string>

namespace rhizome::test {

// Version 2: the owner and the user 65534 have all rights. `group` are those of the group and of
// all others, from 0 to 7.
inline std::string access_list(char group = 7, char mask = 7) {
  std::string list(
      "\2\0\0\0"
      "\1\0\7\0\377\377\377\377"
      "\2\0\7\0\376\377\0\0"
      "\4\0\7\0\377\377\377\377"
      "\20\0\7\0\377\377\377\377"
      "\40\0\7\0\377\377\377\377",
      44);
  list[22] = list[38] = group;
  list[30] = mask;
  return list;
}

// The same without a user and a mask.
inline std::string plain_list(char group, char others) {
  std::string list(
      "\2\0\0\0"
      "\1\0\7\0\377\377\377\377"
      "\4\0\7\0\377\377\377\377"
      "\40\0\7\0\377\377\377\377",
      28);
  list[14] = group;
  list[22] = others;
  return list;
}

}  // namespace rhizome::test
