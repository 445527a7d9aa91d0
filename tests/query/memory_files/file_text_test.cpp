// Texts of memory files: pages that lead to every line within a budget, and edits as one would make them by hand.

#include "query/memory_files/file_commands.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/value_generator.hpp"

#include <cairn/memory/output.hpp>

#include <boost/test/unit_test.hpp>

#include <array>
#include <cstddef>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace cairn::query {
namespace {

using Lines = std::vector<std::string>;

constexpr std::size_t no_limit = 1'000'000;

Lines split(std::string_view text) {
  Lines lines(1);
  for (const char letter : text) {
    if (letter == '\n')
      lines.emplace_back();
    else
      lines.back() += letter;
  }
  return lines;
}

std::string joined(const Lines& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text += (i == 0 ? "" : "\n") + lines[i];
  return text;
}

Lines random_lines(test::ValueGenerator& random) {
  constexpr std::array<std::string_view, 5> parts = {"tea ", "a", "\xc3\xa9", "\xe8\x8c\xb6", "\t"};
  Lines lines(1 + random.below(30));
  for (std::string& line : lines) {
    const std::size_t most = random.below(5) == 0 ? 3'000 : 60;
    for (std::size_t i = random.below(most); i > 0; --i) line += parts[random.below(parts.size())];
  }
  return lines;
}

/// What a page shows: lines by their number, and the range of the rest.
struct Page {
  std::vector<std::pair<std::int64_t, std::string>> lines;
  std::optional<LineRange> rest;
  bool is_cut = false;
};

Page read_page(const std::string& text) {
  Page page;
  for (const std::string& line : split(text)) {
    const auto tab = line.find('\t');
    if (line.starts_with('(')) {
      const auto range = line.find('[');
      page.is_cut = line.find("is cut") != std::string::npos;
      if (range == std::string::npos) continue;
      LineRange rest;
      char comma = 0;
      std::istringstream(line.substr(range + 1)) >> rest.first >> comma >> rest.second;
      page.rest = rest;
    } else if (tab != std::string::npos) {
      page.lines.emplace_back(std::stoll(line.substr(0, tab)), line.substr(tab + 1));
    }
  }
  return page;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(memory_file_texts)

BOOST_AUTO_TEST_CASE(pages_lead_to_every_line_within_their_budget) {
  test::ValueGenerator random(test::test_seed());
  for (std::size_t round = 0; round < test::rounds(200, 20'000); ++round) {
    const Lines lines = random_lines(random);
    const std::string text = joined(lines);
    const std::size_t budget = 60 + random.below(1'500);
    std::int64_t next = 1;
    const auto count = static_cast<std::int64_t>(lines.size());
    BOOST_TEST_CONTEXT("CAIRN_TEST_SEED=" << test::test_seed() << ", round " << round) {
      while (next <= count) {
        const std::string shown = numbered_lines(text, LineRange{next, -1}, budget);
        BOOST_REQUIRE_LE(memory::estimate_tokens(shown), budget);
        const Page page = read_page(shown);
        BOOST_REQUIRE(!page.lines.empty());
        for (const auto& [number, line] : page.lines) {
          const std::string& whole = lines.at(static_cast<std::size_t>(number) - 1);
          BOOST_REQUIRE_EQUAL(number, next++);
          BOOST_REQUIRE(page.is_cut ? whole.starts_with(line) : whole == line);
        }
        if (page.rest) BOOST_REQUIRE_EQUAL(page.rest->first, next);
        if (!page.rest && !page.is_cut) BOOST_REQUIRE_EQUAL(next, count + 1);
      }
    }
  }
}

BOOST_AUTO_TEST_CASE(a_range_is_as_wide_as_the_file) {
  const std::string text = "a\nb\nc";
  constexpr std::size_t budget = 1'000;
  const auto shown = [&](std::int64_t first, std::int64_t last) {
    return numbered_lines(text, LineRange{first, last}, budget);
  };
  BOOST_TEST(shown(1, -1) == numbered_lines(text, std::nullopt, budget));
  BOOST_TEST(shown(2, 2) == "     2\tb");
  BOOST_TEST(shown(-5, 100) == shown(1, 3));
  BOOST_TEST(shown(4, -1).empty());
  BOOST_TEST(shown(3, 1).empty());
  BOOST_TEST(shown(1, INT64_MIN).empty());
  BOOST_TEST(shown(INT64_MAX, INT64_MAX).empty());
}

BOOST_AUTO_TEST_CASE(a_text_is_inserted_as_by_hand) {
  test::ValueGenerator random(test::test_seed());
  for (std::size_t round = 0; round < test::rounds(200, 20'000); ++round) {
    const Lines lines = random_lines(random);
    const auto line = static_cast<std::int64_t>(random.below(lines.size() + 1));
    Lines expected = lines;
    expected.insert(expected.begin() + line, "x");
    BOOST_REQUIRE_EQUAL(insert_in(joined(lines), line, "x").value(), joined(expected));
    BOOST_REQUIRE_EQUAL(insert_in(joined(lines), line, "x\n").value(), joined(expected));
  }
  BOOST_TEST(!insert_in("a", 2, "x").has_value());
  BOOST_TEST(!insert_in("a", -1, "x").has_value());
}

BOOST_AUTO_TEST_CASE(a_text_is_replaced_on_its_one_line) {
  test::ValueGenerator random(test::test_seed());
  for (std::size_t round = 0; round < test::rounds(200, 20'000); ++round) {
    Lines lines = random_lines(random);
    const std::size_t place = random.below(lines.size());
    lines[place] += "needle";
    Lines expected = lines;
    expected[place].replace(expected[place].size() - 6, 6, "pin\nhead");
    const auto replaced = replace_in(joined(lines), "needle", "pin\nhead", "/memories/f", no_limit);
    BOOST_REQUIRE(replaced.has_value());
    BOOST_REQUIRE_EQUAL(replaced->text, joined(expected));
    lines[random.below(lines.size())] += "needle";
    const auto again =
        replace_in(joined(lines) + "\nneedle", "needle", "", "/memories/f", no_limit);
    BOOST_REQUIRE(!again.has_value());
  }
  BOOST_TEST(!replace_in("a\nb", "c", "d", "/memories/f", no_limit).has_value());
}

BOOST_AUTO_TEST_CASE(a_size_has_a_unit) {
  BOOST_TEST(file_size_text(0) == "0B");
  BOOST_TEST(file_size_text(1'023) == "1023B");
  BOOST_TEST(file_size_text(1'024) == "1K");
  BOOST_TEST(file_size_text(1'536) == "1.5K");
  BOOST_TEST(file_size_text(std::uint64_t{1} << 20) == "1M");
  BOOST_TEST(file_size_text(std::uint64_t{5} << 40) == "5120G");
}

BOOST_AUTO_TEST_SUITE_END()

}  // namespace cairn::query
