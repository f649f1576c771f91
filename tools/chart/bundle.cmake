# The chart library, as tools/chart/bundle packed it: a build fetches nothing for it.
set(bundles ${CMAKE_CURRENT_BINARY_DIR}/chart)
set(packed ${CMAKE_CURRENT_SOURCE_DIR}/chart/bundled.tar.xz)
set(bundled ${bundles}/page.js ${bundles}/render_svg.mjs ${bundles}/licences.txt)
file(MAKE_DIRECTORY ${bundles})
# Unpacked files are as old as the archive says, so they are touched.
add_custom_command(OUTPUT ${bundled}
  COMMAND ${CMAKE_COMMAND} -E tar xf ${packed}
  COMMAND ${CMAKE_COMMAND} -E touch ${bundled}
  DEPENDS ${packed}
  WORKING_DIRECTORY ${bundles}
  COMMENT "Unpacking the chart library")
