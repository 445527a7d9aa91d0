#include "tools/ingest/ingest.hpp"

#include <cairn/value.hpp>

#include <boost/test/unit_test.hpp>

using cairn::Value;
using namespace cairn::tools;

BOOST_AUTO_TEST_SUITE(file_metadata_of_files)

BOOST_AUTO_TEST_CASE(names_and_places_are_told) {  // M3.5 M3.6 M3.7 M3.9 M3.10 M3.12
  const auto metadata = file_metadata("/r", "/r/a/b/Chunker.PY", "class A:\n  def f(self): pass\n");
  BOOST_TEST((metadata.at("file_path") == Value("/r/a/b/Chunker.PY")));
  BOOST_TEST((metadata.at("relative_path") == Value("a/b/Chunker.PY")));
  BOOST_TEST((metadata.at("directory") == Value("a/b")));
  BOOST_TEST((metadata.at("file_name") == Value("Chunker.PY")));
  BOOST_TEST((metadata.at("file_ext") == Value(".py")));
  BOOST_TEST((metadata.at("file_size") == Value(29)));
}

BOOST_AUTO_TEST_CASE(code_has_language_classes_and_functions) {  // M3.17 M3.18
  const auto metadata = file_metadata("/r", "/r/x.py", "class A:\n  def f(self): pass\n");
  BOOST_TEST((metadata.at("language") == Value("python")));
  BOOST_TEST((metadata.at("has_classes") == Value(true)));
  BOOST_TEST((metadata.at("has_functions") == Value(true)));
  BOOST_TEST((metadata.at("directory") == Value(".")));
}

BOOST_AUTO_TEST_CASE(types_follow_the_table) {  // M3.8 M3.21
  BOOST_TEST(file_type_of(".md") == "doc");
  BOOST_TEST(file_type_of(".yaml") == "data");
  BOOST_TEST(file_type_of(".xlsx") == "spreadsheet");
  BOOST_TEST(file_type_of(".pptx") == "presentation");
  BOOST_TEST(file_type_of(".go") == "code");
  BOOST_TEST(file_type_of(".bin") == "other");
}

BOOST_AUTO_TEST_SUITE_END()
