# Every library we build with, found once. What a linked program needs stands in
# CairnLinkDependencies; what is seen at compile time only is gathered in `cairn_headers`.

include(CairnLinkDependencies)
find_package(FlatBuffers 2.0 REQUIRED CONFIG)
find_package(Boost 1.81 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED CONFIG)
# Who builds the library alone needs neither a test framework nor what the programs are made of.
if(CAIRN_TESTS)
  find_package(Boost 1.81 REQUIRED COMPONENTS unit_test_framework)
  find_package(benchmark CONFIG QUIET)
endif()
if(NOT CAIRN_ENGINE_ONLY)
  find_package(CLI11 2.1 REQUIRED CONFIG)
  pkg_check_modules(libedit REQUIRED QUIET IMPORTED_TARGET libedit)
  # Of tools/documents alone.
  pkg_check_modules(libzip REQUIRED QUIET IMPORTED_TARGET libzip)
  pkg_check_modules(expat REQUIRED QUIET IMPORTED_TARGET expat)
  pkg_check_modules(libxml2 REQUIRED QUIET IMPORTED_TARGET libxml-2.0)
endif()

# hnswlib: ours before the system's, and only with the filter functor that 0.7 brought.
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
  # Its hand-written prefetch reads one link past a full list, which AddressSanitizer rightly stops.
  target_compile_definitions(hnswlib INTERFACE NO_MANUAL_VECTORIZATION)
endif()

add_library(cairn_headers INTERFACE)
target_link_libraries(cairn_headers INTERFACE
  hnswlib Boost::headers flatbuffers::flatbuffers nlohmann_json::nlohmann_json)
