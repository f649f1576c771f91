# Read by cpack itself, for each kind of package.
if(CPACK_GENERATOR MATCHES TGZ)  # of the sources: without what lies beside the project's files
  list(GET CPACK_INSTALLED_DIRECTORIES 0 sources)
  list(APPEND CPACK_IGNORE_FILES "/(uploads|job-outputs)/" "/jobs[.]sqlite")
  set(others "")
  if(EXISTS ${sources}/.git)
    execute_process(COMMAND git -c core.quotePath=false ls-files --others --directory
      WORKING_DIRECTORY ${sources} OUTPUT_VARIABLE others ERROR_QUIET)
  endif()
  string(REGEX REPLACE "[][+.*()^$?|\\\\]" "." others "${others}")
  string(REPLACE "\n" ";" others "${others}")
  foreach(other ${others})
    list(APPEND CPACK_IGNORE_FILES "^${sources}/${other}")
  endforeach()
endif()
if(CPACK_GENERATOR MATCHES DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  # Without it the package would depend on nothing.
  find_program(RHIZOME_SHLIBDEPS dpkg-shlibdeps)
  if(NOT RHIZOME_SHLIBDEPS)
    message(FATAL_ERROR "A Debian package needs dpkg-shlibdeps: apt-get install dpkg-dev")
  endif()
endif()
