# Installing, so that another project says find_package(cairn) and links cairn::cairn, or asks pkg-config.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(config_dir_ "${CMAKE_INSTALL_LIBDIR}/cmake/cairn")

# The library is a component of its own, so that it can be installed without the program.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME library)
install(TARGETS cairn EXPORT cairnTargets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/cairn" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT cairnTargets NAMESPACE cairn:: DESTINATION "${config_dir_}")

write_basic_package_version_file("${PROJECT_BINARY_DIR}/cairnConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_LIST_DIR}/cairnConfig.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/CairnLinkDependencies.cmake"
              "${PROJECT_BINARY_DIR}/cairnConfigVersion.cmake"
        DESTINATION "${config_dir_}")

# For pkg-config. A static library leaves it to the program to link what it uses, so all of that is public.
# libstemmer has no file of pkg-config.
set(required_modules " rocksdb >= 7.8 libhwy icu-uc icu-i18n re2 libutf8proc libxxhash")
set(more_libraries " -lstemmer -pthread")
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

if(TARGET cairn_cli)
  install(TARGETS cairn_cli COMPONENT program)
endif()
if(TARGET cairn_bench)
  install(TARGETS cairn_bench COMPONENT program)
endif()
