# Called by cpack between copying and packing: leaves of the copied sources what the project has.
# Jobs, traces and notes of a user's may lie beside it.
cmake_minimum_required(VERSION 3.25)
if(NOT CPACK_INSTALLED_DIRECTORIES)  # it packs no sources, but what is installed
  return()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/of_project.cmake)
list(GET CPACK_INSTALLED_DIRECTORIES 0 sources)
rhizome_list_project(${sources})
file(GLOB_RECURSE copied LIST_DIRECTORIES FALSE ${CPACK_TEMPORARY_DIRECTORY}/*)
foreach(file ${copied})
  file(RELATIVE_PATH name ${CPACK_TEMPORARY_DIRECTORY} ${file})
  rhizome_is_of_project("${name}" is_ours)
  if(NOT is_ours)
    file(REMOVE "${file}")
  endif()
endforeach()
execute_process(COMMAND find ${CPACK_TEMPORARY_DIRECTORY} -type d -empty -delete)
