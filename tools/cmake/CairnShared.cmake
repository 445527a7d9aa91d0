# cairn_shared(<target>): what a library built with BUILD_SHARED_LIBS=ON has more than a static one. Both are
# compiled alike.
#
# Before 1.0 a minor version may change the interface of the binary, so it is part of the soname.
function(cairn_shared target)
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "" VERSION "${PROJECT_VERSION}"
    SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND UNIX AND NOT APPLE)
    # Templates of the standard library are visible wherever they are made: the linker hides ours.
    set(script "${PROJECT_SOURCE_DIR}/tools/cmake/visible_symbols.map")
    target_link_options(${target} PRIVATE "LINKER:--version-script=${script}")
    set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}")
  endif()
endfunction()
