# Finds every library that we build with. Libraries that a linked program needs are in CairnLinkDependencies; those that are
# needed only at compile time are collected in `cairn_headers`.

include(CairnLinkDependencies)
find_package(FlatBuffers 2.0 REQUIRED CONFIG)
find_package(Boost 1.81 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED CONFIG)
# Building only the library needs neither a test framework nor the libraries of the programs.
if(CAIRN_TESTS)
  find_package(Boost 1.81 REQUIRED COMPONENTS unit_test_framework)
  find_package(benchmark CONFIG QUIET)
endif()
if(NOT CAIRN_ENGINE_ONLY)
  find_package(CLI11 2.1 REQUIRED CONFIG)
  pkg_check_modules(libedit REQUIRED QUIET IMPORTED_TARGET libedit)
  # Only tools/documents uses these.
  pkg_check_modules(libzip REQUIRED QUIET IMPORTED_TARGET libzip)
  pkg_check_modules(expat REQUIRED QUIET IMPORTED_TARGET expat)
  pkg_check_modules(libxml2 REQUIRED QUIET IMPORTED_TARGET libxml-2.0)
endif()

# hnswlib: prefers the copy in build/deps to that of the system. It must have the filter functor, which came with 0.7.
find_path(CAIRN_HNSWLIB_INCLUDE_DIR hnswlib/hnswlib.h
  PATHS "${CAIRN_DEPS_DIR}/hnswlib/usr/include" NO_DEFAULT_PATH)
find_path(CAIRN_HNSWLIB_INCLUDE_DIR hnswlib/hnswlib.h)
if(NOT CAIRN_HNSWLIB_INCLUDE_DIR)
  message(FATAL_ERROR "hnswlib is missing: run ./tools/setup")
endif()
file(STRINGS "${CAIRN_HNSWLIB_INCLUDE_DIR}/hnswlib/hnswlib.h" filter_functor_ REGEX "BaseFilterFunctor")
if(NOT filter_functor_)
  set(too_old_ "${CAIRN_HNSWLIB_INCLUDE_DIR}")
  unset(CAIRN_HNSWLIB_INCLUDE_DIR CACHE)
  message(FATAL_ERROR "hnswlib in ${too_old_} is older than 0.7: run ./tools/setup")
endif()

add_library(hnswlib INTERFACE)
target_include_directories(hnswlib SYSTEM INTERFACE "${CAIRN_HNSWLIB_INCLUDE_DIR}")
if(CAIRN_SANITIZE)
  # Its prefetch reads one link past a full list, which AddressSanitizer reports.
  target_compile_definitions(hnswlib INTERFACE NO_MANUAL_VECTORIZATION)
endif()

add_library(cairn_headers INTERFACE)
target_link_libraries(cairn_headers INTERFACE
  hnswlib Boost::headers flatbuffers::flatbuffers nlohmann_json::nlohmann_json)
