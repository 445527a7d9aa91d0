# cairn_shared(<target>): the additional properties of a library that is built with BUILD_SHARED_LIBS=ON. Shared and static
# libraries are compiled with the same options.
#
# Before 1.0 a minor version may change the binary interface, so it is part of the soname.
function(cairn_shared target)
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "" VERSION "${PROJECT_VERSION}"
    SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND UNIX AND NOT APPLE)
    # Instantiated templates of the standard library are visible by default, so the linker hides them.
    set(script "${PROJECT_SOURCE_DIR}/tools/cmake/visible_symbols.map")
    target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}")
  endif()
endfunction()
