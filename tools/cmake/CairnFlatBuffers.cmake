# cairn_flatbuffers(<target> <schema.fbs>...): generate a header for each schema before <target> is
# compiled. codec/schema/record.fbs is included as "codec/schema/record_generated.h".
function(cairn_flatbuffers target)
  set(headers "")
  set(strict "")
  if(CAIRN_WERROR)
    set(strict --warnings-as-errors)
  endif()
  foreach(schema IN LISTS ARGN)
    set(source "${CMAKE_CURRENT_SOURCE_DIR}/${schema}")
    cmake_path(GET schema STEM name)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE relative)
    cmake_path(GET relative PARENT_PATH folder)
    set(folder "${PROJECT_BINARY_DIR}/generated/${folder}")
    add_custom_command(
      OUTPUT "${folder}/${name}_generated.h"
      COMMAND flatbuffers::flatc --cpp --cpp-std c++17 --scoped-enums ${strict}
              -o "${folder}" "${source}"
      DEPENDS "${source}"
      COMMENT "Generating ${name}_generated.h"
      VERBATIM)
    list(APPEND headers "${folder}/${name}_generated.h")
  endforeach()
  # A separate target, because only targets of this folder can depend on the custom command.
  add_custom_target(${target}_schemas DEPENDS ${headers})
  add_dependencies(${target} ${target}_schemas)
endfunction()
