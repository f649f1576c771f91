# What `cpack` makes in the build directory: rhizome_VERSION_ARCH.deb, which depends on the packages
# whose libraries the program is linked with; and `cpack -G TGZ --config CPackSourceConfig.cmake`
# the sources as a tarball.
set(CPACK_GENERATOR DEB)
set(CPACK_SOURCE_GENERATOR TGZ)
set(CPACK_PACKAGE_NAME rhizome)
set(CPACK_PACKAGE_VENDOR "The Rhizome developers")
set(CPACK_PACKAGE_CONTACT "The Rhizome developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "emulator of peer-to-peer overlays and decentralised schedulers")
set(CPACK_PACKAGE_DESCRIPTION "Runs every peer of an overlay as a thread that sends ZeroMQ
messages, or the same protocol code in deterministic virtual time, and compares
decentralised schedulers with confidence intervals. Scenarios and guides are in
/usr/share/rhizome.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/package_deb.cmake)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS libmetis5)  # loaded when a graph is divided, so that no scan finds it
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "nodejs, librsvg2-bin, python3")  # charts as SVG, as PDF; data and programs

set(CPACK_SOURCE_PACKAGE_FILE_NAME rhizome-${PROJECT_VERSION})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/package_sources.cmake)
set(CPACK_SOURCE_IGNORE_FILES "/\\\\.git(/|$)" "^${CMAKE_SOURCE_DIR}/(build|runs)/" "__pycache__")
include(CPack)
