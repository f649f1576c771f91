// The variables of the environment that list folders in which programs, libraries and modules are
// looked for. An empty word of such a list, or a relative one, means the folder in which a program
// works, where others may have put some of these names.
#pragma once

namespace rhizome::core {

// Leaves out of PATH the words that are empty or relative; the folders of the system take the place
// of a list of which nothing is left.
void leave_out_relative_path();

// The same for all lists of folders and files that search_path.cpp names. A variable of a single
// place goes if that is relative.
void look_elsewhere_than_here();

}  // namespace rhizome::core
