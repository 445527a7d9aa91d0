#include "tests/support/temporary_directory.hpp"
#include "tools/ingest/ingest.hpp"

#include <cairn/value.hpp>

#include <boost/test/unit_test.hpp>

#include <fstream>

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

// A document that is read in part must not look whole. The first page of a process is never mapped.
BOOST_AUTO_TEST_CASE(a_read_that_fails_is_no_content) {
  constexpr std::uint64_t most = 1'000;
  const auto content = read_file("/proc/self/mem", most);
  BOOST_REQUIRE(!content.has_value());
  BOOST_TEST((content.error().code == cairn::ErrorCode::io_error));
  const cairn::test::TemporaryDirectory temporary;
  std::ofstream(temporary.path() / "empty.txt");
  BOOST_TEST(read_file(temporary.path() / "empty.txt", most).value().empty());
  BOOST_TEST(!read_file(temporary.path(), most).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
