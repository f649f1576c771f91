# carry(SOURCE NAME FILE NAME FILE ...): writes SOURCE, which has the FILEs in the program as they
# are, each under a NAME: see tools/carried.hpp. Only the assembler reads them, when SOURCE is built.
function(carry source)
  list(LENGTH ARGN words)
  math(EXPR last "${words} - 2")
  set(pieces "")
  set(symbols "")
  set(table "")
  set(files "")
  foreach(i RANGE 0 ${last} 2)
    math(EXPR next "${i} + 1")
    list(GET ARGN ${i} name)
    list(GET ARGN ${next} file)
    set(begin rhizome_carried_${i}_begin)
    set(end rhizome_carried_${i}_end)
    string(APPEND pieces "    \".global ${begin}\\n.global ${end}\\n\"\n"
      "    \"${begin}:\\n.incbin \\\"${file}\\\"\\n${end}:\\n.byte 0\\n\"\n")
    string(APPEND symbols "extern const char ${begin}[];\nextern const char ${end}[];\n")
    string(APPEND table "      {\"${name}\", {${begin}, ${end}}},\n")
    list(APPEND files ${file})
  endforeach()
  file(CONFIGURE OUTPUT ${source} @ONLY CONTENT "// Made by the build: see tools/carry.cmake.
#include \"tools/carried.hpp\"

asm(\".section .rodata\\n\"
@pieces@    \".text\\n\");

extern \"C\" {
@symbols@}

namespace rhizome::tools {

std::span<const CarriedFile> carried_files() {
  static const CarriedFile files[] = {
@table@  };
  return files;
}

}  // namespace rhizome::tools
")
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${files}")
endfunction()
