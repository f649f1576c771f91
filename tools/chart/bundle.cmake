# The chart library, bundled from npm. The script leaves empty files where that cannot be.
set(bundle_source ${CMAKE_CURRENT_SOURCE_DIR}/chart)
set(bundle_work ${CMAKE_CURRENT_BINARY_DIR}/chart/work)
set(bundles ${bundle_work}/bundled)
if(EXISTS ${bundle_work}/gave-up)
  file(REMOVE_RECURSE ${bundle_work})
endif()
set(sources bundle package.json package-lock.json .npmrc page.mjs render_svg.mjs)
list(TRANSFORM sources PREPEND ${bundle_source}/)
set(bundled ${bundles}/page.js ${bundles}/render_svg.mjs ${bundles}/licences.txt)
add_custom_command(OUTPUT ${bundled}
  COMMAND ${bundle_source}/bundle ${bundle_work}
  DEPENDS ${sources}
  COMMENT "Bundling the chart library")
