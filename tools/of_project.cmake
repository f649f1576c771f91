# Which files are the project's: those that git knows. In sources without git, what no server of
# jobs has written.

# rhizome_list_project(SOURCES): asks git. `rhizome_asked` tells whether there was an answer.
function(rhizome_list_project sources)
  set(files "")
  set(failed TRUE)
  if(EXISTS ${sources}/.git)
    execute_process(COMMAND git -c core.quotePath=false ls-files WORKING_DIRECTORY ${sources}
      OUTPUT_VARIABLE files ERROR_VARIABLE why RESULT_VARIABLE failed)
    if(failed OR NOT files)
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
         NOT file MATCHES "(^|/)([.][.]|uploads|job-outputs|jobs[.]sqlite[^/]*)(/|$)")
    set(${result} TRUE PARENT_SCOPE)
  endif()
endfunction()
