# What `cmake --install` copies: the program and its warden, which stand side by side, and
#   share/man, share/bash-completion, share/zsh, share/fish   what the program prints for them
#   share/rhizome      scenarios with their data, the guides in the folders of the repository, so
#                      that their links lead on, the schema for editors, and the Python module
#   share/doc/rhizome  the licence, under the name that Debian gives it
include(GNUInstallDirs)

# What the program prints of itself is written with the rest of the build.
set(printed_to ${CMAKE_CURRENT_BINARY_DIR}/printed)
file(MAKE_DIRECTORY ${printed_to})
# rhizome_print(FILE WORD...): what `rhizome WORD...` prints.
function(rhizome_print file)
  add_custom_command(OUTPUT ${printed_to}/${file} COMMAND rhizome ${ARGN} > ${printed_to}/${file}
    DEPENDS rhizome VERBATIM)
  set(printed ${printed} ${printed_to}/${file} PARENT_SCOPE)
endfunction()
rhizome_print(rhizome.1 man)
rhizome_print(rhizome completion bash)
rhizome_print(_rhizome completion zsh)
rhizome_print(rhizome.fish completion fish)
rhizome_print(rhizome.schema.json schema)
add_custom_target(rhizome_printed ALL DEPENDS ${printed})

set(share ${CMAKE_INSTALL_DATADIR})
install(TARGETS rhizome)
install(FILES ${printed_to}/rhizome.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${printed_to}/rhizome DESTINATION ${share}/bash-completion/completions)
install(FILES ${printed_to}/rhizome.fish DESTINATION ${share}/fish/vendor_completions.d)
install(FILES ${printed_to}/rhizome.schema.json DESTINATION ${share}/rhizome)
# Packages have the prefix /usr, where Debian's zsh and Python look into folders of their own.
install(CODE "
  set(zsh zsh/site-functions)
  if(CMAKE_INSTALL_PREFIX MATCHES \"/usr$\")
    set(zsh zsh/vendor-completions)
    file(INSTALL \"${CMAKE_CURRENT_SOURCE_DIR}/python/rhizome_results.py\"
      DESTINATION \"\${CMAKE_INSTALL_PREFIX}/lib/python3/dist-packages\")
  endif()
  file(INSTALL \"${printed_to}/_rhizome\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${share}/\${zsh}\")")

install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
file(GLOB passed_on RELATIVE ${CMAKE_SOURCE_DIR} CONFIGURE_DEPENDS
  ${CMAKE_SOURCE_DIR}/*.md ${CMAKE_SOURCE_DIR}/*/*.md
  ${CMAKE_SOURCE_DIR}/CITATION.cff ${CMAKE_SOURCE_DIR}/Containerfile ${CMAKE_SOURCE_DIR}/.github/workflows/compare.yml
  ${CMAKE_SOURCE_DIR}/scenarios/*.toml ${CMAKE_SOURCE_DIR}/scenarios/data/*
  ${CMAKE_SOURCE_DIR}/scenarios/data/*/* ${CMAKE_SOURCE_DIR}/scenarios/programs/*
  ${CMAKE_SOURCE_DIR}/tools/javascript/*.js
  ${CMAKE_SOURCE_DIR}/scenarios/reproductions/*.md
  ${CMAKE_SOURCE_DIR}/scenarios/reproductions/*.svg ${CMAKE_SOURCE_DIR}/tools/monitor/web/*.png
  ${CMAKE_SOURCE_DIR}/tools/python/*.py)
# Only files of the project: jobs, traces and notes of a user's may lie beside them.
include(of_project.cmake)
rhizome_list_project(${CMAKE_SOURCE_DIR})
function(rhizome_keep_ours files)
  set(kept "")
  foreach(file ${${files}})
    rhizome_is_of_project("${file}" is_ours)
    if(is_ours)
      list(APPEND kept ${file})
    endif()
  endforeach()
  set(${files} ${kept} PARENT_SCOPE)
endfunction()
rhizome_keep_ours(passed_on)
# What the guides link to goes with them. A guide that was edited may link to more.
foreach(guide ${passed_on})
  if(guide MATCHES "[.]md$")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${guide})
    get_filename_component(folder ${CMAKE_SOURCE_DIR}/${guide} DIRECTORY)
    file(READ ${CMAKE_SOURCE_DIR}/${guide} text)
    string(REPLACE "](" "LINK(" text "${text}")  # a bracket alone would join the items of a list
    string(REGEX MATCHALL "LINK\\([^) #:;]+" links "${text}")
    foreach(link ${links})
      string(SUBSTRING ${link} 5 -1 link)
      get_filename_component(target ${link} ABSOLUTE BASE_DIR ${folder})
      if(EXISTS ${target} AND NOT IS_DIRECTORY ${target})
        file(RELATIVE_PATH target ${CMAKE_SOURCE_DIR} ${target})
        list(APPEND passed_on ${target})
      endif()
    endforeach()
  endif()
endforeach()
rhizome_keep_ours(passed_on)
list(REMOVE_DUPLICATES passed_on)
foreach(file ${passed_on})
  if(NOT IS_DIRECTORY ${CMAKE_SOURCE_DIR}/${file})
    get_filename_component(folder ${file} DIRECTORY)
    if(rhizome_asked)
      install(FILES ${CMAKE_SOURCE_DIR}/${file} DESTINATION ${share}/rhizome/${folder})
    else()  # what may be a user's stays as private as it is
      install(CODE "file(INSTALL [==[${CMAKE_SOURCE_DIR}/${file}]==] USE_SOURCE_PERMISSIONS
        DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${share}/rhizome/${folder}\")")
    endif()
  endif()
endforeach()
