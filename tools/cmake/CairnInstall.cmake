# Installs the library, so that other projects can use find_package(cairn) and link cairn::cairn, or use pkg-config.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(config_dir_ "${CMAKE_INSTALL_LIBDIR}/cmake/cairn")

# The library is a separate component, so that it can be installed without the program.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)
install(TARGETS cairn EXPORT cairnTargets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET cairn_embedders)
  install(TARGETS cairn_embedders EXPORT cairnTargets)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/cairn" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT cairnTargets NAMESPACE cairn:: DESTINATION "${config_dir_}")

write_basic_package_version_file("${PROJECT_BINARY_DIR}/cairnConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_LIST_DIR}/cairnConfig.cmake"
              "${PROJECT_BINARY_DIR}/cairnConfigVersion.cmake"
        DESTINATION "${config_dir_}")
# A program that links the static library must also link its dependencies. A shared library is already
# linked with its own.
if(NOT BUILD_SHARED_LIBS)
  install(FILES "${CMAKE_CURRENT_LIST_DIR}/CairnLinkDependencies.cmake" DESTINATION "${config_dir_}")
endif()

# The same for pkg-config. libstemmer has no pkg-config file.
set(required_modules "")
set(more_libraries "")
if(NOT BUILD_SHARED_LIBS)
  set(required_modules " rocksdb >= 7.8 libhwy icu-uc icu-i18n re2 libutf8proc libxxhash libssl >= 3.0 libcrypto >= 3.0")
  set(more_libraries " -lstemmer -pthread")
  if(TARGET PkgConfig::libcurl)
    string(APPEND required_modules " libcurl >= 7.88")
  endif()
endif()
if(IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}" OR IS_ABSOLUTE "${CMAKE_INSTALL_INCLUDEDIR}")
  set(prefix_of_pc "${CMAKE_INSTALL_PREFIX}")
  set(libdir_of_pc "${CMAKE_INSTALL_FULL_LIBDIR}")
  set(includedir_of_pc "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
else()
  file(RELATIVE_PATH way_up_ "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
  string(REGEX REPLACE "/$" "" prefix_of_pc "\${pcfiledir}/${way_up_}")
  set(libdir_of_pc "\${prefix}/${CMAKE_INSTALL_LIBDIR}")
  set(includedir_of_pc "\${prefix}/${CMAKE_INSTALL_INCLUDEDIR}")
endif()
configure_file("${CMAKE_CURRENT_LIST_DIR}/cairn.pc.in" "${PROJECT_BINARY_DIR}/cairn.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/cairn.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

foreach(program_ IN ITEMS cairn_cli cairn_bench)
  if(TARGET ${program_})
    # The path where the installed program finds the shared library; not needed with the static one.
    if(BUILD_SHARED_LIBS)
      set_target_properties(${program_} PROPERTIES INSTALL_RPATH "\$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")
    endif()
    install(TARGETS ${program_} COMPONENT program)
  endif()
endforeach()
