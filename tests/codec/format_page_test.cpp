// Each line of the hexadecimal samples in codec/FORMAT.md must be part of a sample in
// tests/codec/golden. The test fails if the page shows an earlier layout.
#include "tests/support/hex.hpp"

#include <boost/test/unit_test.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace cairn::codec {
namespace {

const std::filesystem::path golden = CAIRN_GOLDEN_DIR;

std::string read_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  BOOST_TEST_REQUIRE(stream.good());
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The text with each match of the pattern replaced by what `changed` makes of it.
template <typename Change>
std::string replaced(const std::string& text, const std::regex& pattern, Change changed) {
  std::string out;
  std::size_t end = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), none; match != none;
       ++match) {
    const auto at = static_cast<std::size_t>(match->position());
    out.append(text, end, at - end) += changed(*match);
    end = at + static_cast<std::size_t>(match->length());
  }
  return out.append(text, end);
}

/// Writes a line's short forms out: "text", ab{32}, and the offset at the start of a line.
std::string written_out(const std::string& line) {
  static const std::regex offset("^ *[0-9]{1,3}  "), quoted("\"([0-9a-f]{32})\""),
      repeated("\\b([0-9a-f]{2})\\{([0-9]+)\\}");
  std::string out = std::regex_replace(line, offset, "");
  out = replaced(out, quoted, [](const std::smatch& match) { return test::hex(match[1].str()); });
  return replaced(out, repeated, [](const std::smatch& match) {
    std::string bytes;
    for (int count = std::stoi(match[2]); count > 0; --count) bytes += match[1];
    return bytes;
  });
}

/// The runs of at least four bytes in the code blocks of the page, without spaces.
std::vector<std::string> samples_of_the_page() {
  static const std::regex run("(^| )((?:[0-9a-f]{2})+(?: {1,2}(?:[0-9a-f]{2})+)*)(?= |$)"),
      spaces(" +");
  std::vector<std::string> samples;
  std::istringstream page(read_file(golden / "../../../codec/FORMAT.md"));
  bool is_in_block = false;
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("```")) is_in_block = !is_in_block;
    if (!is_in_block) continue;
    const std::string text = written_out(line);
    for (std::sregex_iterator match(text.begin(), text.end(), run), none; match != none; ++match) {
      std::string bytes = std::regex_replace((*match)[2].str(), spaces, "");
      if (bytes.size() >= 8) samples.push_back(std::move(bytes));
    }
  }
  return samples;
}

/// The position is that of a byte in its sample, and not in the middle of one.
bool is_at_byte(const std::string& samples, std::size_t at) {
  const std::size_t begin = samples.rfind(": ", at) + 2;
  return (at - begin) % 2 == 0;
}

bool has_sample(const std::string& samples, const std::string& bytes) {
  std::size_t at = samples.find(bytes);
  while (at != samples.npos && !is_at_byte(samples, at)) at = samples.find(bytes, at + 1);
  return at != samples.npos;
}

std::string all_golden_samples() {
  std::string all;
  for (const auto& entry : std::filesystem::directory_iterator(golden))
    all += read_file(entry.path());
  return all;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(format_page)

BOOST_AUTO_TEST_CASE(each_sample_of_the_page_is_a_golden_one) {
  const std::string golden_samples = all_golden_samples();
  const std::vector<std::string> samples = samples_of_the_page();
  BOOST_TEST(samples.size() > 70);
  for (const std::string& sample : samples) BOOST_TEST(has_sample(golden_samples, sample), sample);
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::codec
