# Read by cpack itself, for each kind of package.
if(CPACK_GENERATOR MATCHES DEB)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  # Without it the package would depend on nothing.
  find_program(RHIZOME_SHLIBDEPS dpkg-shlibdeps)
  if(NOT RHIZOME_SHLIBDEPS)
    message(FATAL_ERROR "A Debian package needs dpkg-shlibdeps: apt-get install dpkg-dev")
  endif()
endif()
