# The targets format, format-check, tidy and bench.

find_program(CAIRN_CLANG_FORMAT clang-format-19)
find_program(CAIRN_RUN_CLANG_TIDY run-clang-tidy-19)

foreach(chore_ IN ITEMS format format-check)
  add_custom_target(${chore_}
    COMMAND "${CMAKE_COMMAND}" "-DPROGRAM=${CAIRN_CLANG_FORMAT}" -DCHORE=${chore_}
            "-DROOT=${PROJECT_SOURCE_DIR}" -P "${CMAKE_CURRENT_LIST_DIR}/format.cmake"
    VERBATIM)
endforeach()

# clang-tidy needs a compile command for each file, so the build must compile each file alone (CAIRN_PRECOMPILE=OFF).
# The grammars are excluded: they take 15 seconds each because of their templates, and clang-tidy finds nothing there.
if(CAIRN_PRECOMPILE)
  add_custom_target(tidy
    COMMAND "${CMAKE_COMMAND}" -E echo "tidy needs a build with -DCAIRN_PRECOMPILE=OFF"
    COMMAND "${CMAKE_COMMAND}" -E false
    VERBATIM)
else()
  add_custom_target(tidy
    COMMAND "${CAIRN_RUN_CLANG_TIDY}" -quiet -p "${PROJECT_BINARY_DIR}"
            -extra-arg=-Wno-unknown-warning-option
            "^${PROJECT_SOURCE_DIR}/(codec|engine|query/(?!syntax)|tools)/.*[.]cpp$"
    VERBATIM)
endif()
if(TARGET cairn_schemas)
  add_dependencies(tidy cairn_schemas)
endif()

if(TARGET cairn_bench)
  set(bench_database_ "${PROJECT_BINARY_DIR}/bench-metadata")
  add_custom_target(bench
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${bench_database_}"
    COMMAND cairn_bench metadata "${bench_database_}"
    USES_TERMINAL VERBATIM)
endif()
