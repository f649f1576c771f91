# Which files are the project's: those that git knows. In sources without git all but what servers
# of jobs and comparisons of builds usually write.

# rhizome_list_project(SOURCES): asks git. `rhizome_asked` tells whether there was an answer.
function(rhizome_list_project sources)
  set(files "")
  set(failed TRUE)
  if(EXISTS ${sources}/.git)
    # A caller's variables may lead to another repository.
    execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=GIT_DIR --unset=GIT_WORK_TREE
        --unset=GIT_INDEX_FILE git -c core.quotePath=false -c core.fsmonitor=false ls-files
      WORKING_DIRECTORY ${sources}
      OUTPUT_VARIABLE files ERROR_VARIABLE why RESULT_VARIABLE failed)
    if(failed OR NOT "\n${files}" MATCHES "\nCMakeLists.txt\n")
      set(failed TRUE)
      message(WARNING "Files that lie beside those of the project may be passed on, since git does "
        "not tell which these are. ${why}")
    endif()
  endif()
  string(REPLACE "\n" ";" files "${files}")
  set(rhizome_files ${files} PARENT_SCOPE)
  if(failed)
    set(rhizome_asked FALSE PARENT_SCOPE)
  else()
    set(rhizome_asked TRUE PARENT_SCOPE)
  endif()
endfunction()

# rhizome_is_of_project(FILE RESULT): by its name in the sources.
function(rhizome_is_of_project file result)
  set(${result} FALSE PARENT_SCOPE)
  if(rhizome_asked AND file IN_LIST rhizome_files)
    set(${result} TRUE PARENT_SCOPE)
  elseif(NOT rhizome_asked AND
         NOT file MATCHES "(^|/)([.][.]|compared|uploads|job-outputs|jobs[.]sqlite[^/]*|[^/]*[.]token([.][^/]*)?)(/|$)")
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()
