# The libraries that a program needs if it links cairn. Our own build reads this file. Builds of other projects read it too,
# because it is installed next to cairnConfig.cmake. find_dependency works in both kinds of builds.

include(CMakeFindDependencyMacro)
find_dependency(Threads)
find_dependency(RocksDB 7.8 CONFIG)
find_dependency(hwy CONFIG)
find_dependency(ICU COMPONENTS uc i18n)
find_dependency(OpenSSL 3.0 COMPONENTS Crypto SSL)
find_dependency(PkgConfig)

foreach(pair_ IN ITEMS re2:re2 utf8proc:libutf8proc xxhash:libxxhash)
  string(REPLACE ":" ";" pair_ "${pair_}")
  list(GET pair_ 0 name_)
  list(GET pair_ 1 module_)
  if(NOT TARGET PkgConfig::${name_})
    pkg_check_modules(${name_} REQUIRED QUIET IMPORTED_TARGET GLOBAL ${module_})
  endif()
endforeach()

# Only homes in an S3 store need libcurl; a build without libcurl has everything else. A library that was built with libcurl
# needs it.
if(NOT TARGET PkgConfig::libcurl)
  pkg_check_modules(libcurl QUIET IMPORTED_TARGET GLOBAL libcurl>=7.88)
endif()

# libstemmer has neither a CMake nor a pkg-config file.
if(NOT TARGET cairn_stemmer)
  find_library(CAIRN_STEMMER_LIBRARY stemmer REQUIRED)
  add_library(cairn_stemmer INTERFACE IMPORTED)
  target_link_libraries(cairn_stemmer INTERFACE "${CAIRN_STEMMER_LIBRARY}")
endif()
