# Installing, so that another project says find_package(cairn) and links cairn::cairn.

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

if(TARGET cairn_cli)
  install(TARGETS cairn_cli COMPONENT program)
endif()
if(TARGET cairn_bench)
  install(TARGETS cairn_bench COMPONENT program)
endif()
