// Damage that cannot be repaired: the error of the repair says what to do instead.

#include "engine/store/metadata_file.hpp"
#include "tests/engine/store/damage_sample.hpp"
#include "tests/engine/store/died_database.hpp"
#include "tests/support/copy_tree.hpp"
#include "tests/support/graph_builder.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace cairn;
using engine::Family;
using test::content;
using test::DamageSample;
using test::write;

namespace fs = std::filesystem;

namespace {

using Damage = std::function<void(const fs::path&)>;

const std::vector<std::pair<const char*, Damage>> damages = {
    {"missing", [](const fs::path& file) { fs::remove(file); }},
    {"empty", [](const fs::path& file) { fs::resize_file(file, 0); }},
    {"cut", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) / 2); }},
    {"garbage", [](const fs::path& file) {
       write(file, std::string(static_cast<std::size_t>(fs::file_size(file)), 'x'));
     }}};

/// Files of which a repair can make nothing, or not of each damage.
std::vector<fs::path> needed_files(const DamageSample& sample) {
  std::vector<fs::path> files = sample.files("store", "MANIFEST");
  for (const fs::path& file : sample.files("store", "CURRENT")) files.push_back(file);
  for (const Family family : {Family::meta, Family::nodes})
    files.push_back(sample.tables.at(family).back());
  return files;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(failed_repair)

BOOST_AUTO_TEST_CASE(it_says_what_to_do_instead) {
  const DamageSample& sample = test::small_sample();
  int refused = 0;
  for (const fs::path& file : needed_files(sample))
    for (const auto& [kind, damage] : damages) {
      const fs::path copy = sample.directory.path() / "copy";
      fs::remove_all(copy);
      test::copy_tree(sample.path, copy);
      damage(copy / file.lexically_relative(sample.path));
      const auto repaired = Database::open(copy, test::repairing());
      const std::string about = std::string(kind) + " " + file.filename().string() + ": ";
      if (repaired) continue;
      ++refused;
      const Error& error = repaired.error();
      BOOST_TEST(error.message.find("restore a backup") != std::string::npos,
                 about << error.message);
    }
  BOOST_TEST(refused > 8);
}

BOOST_AUTO_TEST_SUITE_END()
