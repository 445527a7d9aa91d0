#include "tests/support/value_generator.hpp"

#include "codec/instant.hpp"

#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace cairn::test {
namespace {

using namespace std::string_view_literals;

constexpr std::array text_pieces = {
    "a"sv,
    "b"sv,
    "Z"sv,
    "0"sv,
    " "sv,
    "\0"sv,
    "\xff"sv,
    "\1"sv,
    "\0\0"sv,
    "\0\xff"sv,
    "\xc3\xa9"sv,
    "\xe2\x82\xac"sv,
    "\xf0\x9f\x98\x80"sv,
    "'"sv,
    "\\"sv,
    "\n"sv,
    "`"sv,
    "2026-02-14"sv,
};

std::int64_t power_of_two(std::uint64_t exponent) {
  return static_cast<std::int64_t>(std::uint64_t{1} << exponent);
}

}  // namespace

std::int64_t ValueGenerator::integer() {
  const auto nearby = static_cast<std::int64_t>(below(5)) - 2;
  switch (below(5)) {
    case 0:
      return nearby;
    case 1:
      return power_of_two(below(62)) + nearby;
    case 2:
      return -power_of_two(below(62)) + nearby;
    case 3:
      return boolean() ? std::numeric_limits<std::int64_t>::max() - static_cast<int>(below(2'000))
                       : std::numeric_limits<std::int64_t>::min() + static_cast<int>(below(2'000));
    default:
      return static_cast<std::int64_t>(number());
  }
}

double ValueGenerator::floating() {
  static const std::array specials = {0.0,
                                      -0.0,
                                      0.5,
                                      -1.5,
                                      std::ldexp(1, 53),
                                      std::ldexp(1, 63),
                                      -std::ldexp(1, 63),
                                      std::numeric_limits<double>::infinity(),
                                      -std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN(),
                                      std::numeric_limits<double>::denorm_min(),
                                      std::numeric_limits<double>::max(),
                                      std::numeric_limits<double>::lowest()};
  switch (below(4)) {
    case 0:
      return specials[below(specials.size())];
    case 1:
      return static_cast<double>(integer());
    case 2:
      return std::nextafter(static_cast<double>(integer()), floating());
    default:
      return std::bit_cast<double>(number());
  }
}

std::string ValueGenerator::string() {
  std::string text;
  const std::uint64_t pieces = below(16) == 0 ? below(400) : below(6);
  for (std::uint64_t i = 0; i < pieces; ++i) text += text_pieces[below(text_pieces.size())];
  return text;
}

Value ValueGenerator::scalar() {
  switch (below(5)) {
    case 0:
      return {};
    case 1:
      return boolean();
    case 2:
      return integer();
    case 3:
      return floating();
    default:
      return string();
  }
}

Value ValueGenerator::temporal() {
  const auto within = [this](std::int64_t bound) {
    return static_cast<std::int64_t>(below(static_cast<std::uint64_t>(2 * bound + 1))) - bound;
  };
  const auto days = boolean() ? within(3) : within(codec::max_days - 1'000);
  const auto time = static_cast<std::int64_t>(below(codec::nanoseconds_per_day));
  const std::int64_t seconds = days * codec::seconds_per_day + within(40'000);
  const auto fraction = static_cast<std::int32_t>(boolean() ? 0 : below(1'000'000'000));
  const auto offset = static_cast<std::int32_t>(within(72) * 900);
  switch (below(6)) {
    case 0:
      return Date{days};
    case 1:
      return LocalTime{time};
    case 2:
      return Time{boolean() ? 0 : time, offset};
    case 3:
      return LocalDateTime{seconds, fraction};
    case 4:
      return DateTime{seconds, fraction, offset, boolean() ? "Europe/Berlin" : ""};
    default:
      return Duration{boolean() ? within(14) : integer(), within(400), integer(), fraction};
  }
}

Vector ValueGenerator::vector() {
  std::vector<float> components(below(5));
  for (float& component : components)
    component = boolean() ? static_cast<float>(floating())
                          : std::bit_cast<float>(static_cast<std::uint32_t>(number()));
  return Vector(std::move(components));
}

Value ValueGenerator::storable(int levels) {
  const std::uint64_t draw = below(10);
  if (draw < 6) return scalar();
  return draw < 8 || levels == 0 ? temporal() : container(levels - 1, false);
}

Value ValueGenerator::any(int levels) {
  const std::uint64_t draw = below(10);
  if (draw < 5) return scalar();
  if (draw < 7) return temporal();
  return draw < 8 || levels == 0 ? graph_element() : container(levels - 1, true);
}

Value ValueGenerator::container(int levels, bool with_graph) {
  const auto item = [&] { return with_graph ? any(levels) : storable(levels); };
  const std::uint64_t size = below(5);
  if (boolean()) {
    List list;
    for (std::uint64_t i = 0; i < size; ++i) list.push_back(item());
    return list;
  }
  Map map;
  for (std::uint64_t i = 0; i < size; ++i) map.insert_or_assign(string(), item());
  return map;
}

Value ValueGenerator::graph_element() {
  const auto id = [this] { return boolean() ? below(4) : number(); };
  switch (below(4)) {
    case 0:
      return Node(NodeId{id()});
    case 1:
      return Relationship(RelationshipId{id()});
    case 2:
      return vector();
    default:
      break;
  }
  Path path;
  path.nodes.emplace_back(NodeId{id()});
  for (std::uint64_t steps = below(4); steps > 0; --steps) {
    path.relationships.emplace_back(RelationshipId{id()});
    path.nodes.emplace_back(NodeId{id()});
  }
  return path;
}

std::string ValueGenerator::bytes(std::size_t max_size) {
  std::string out(below(max_size + 1), '\0');
  for (char& byte : out) byte = static_cast<char>(below(256));
  return out;
}

std::string ValueGenerator::damaged(std::string bytes) {
  switch (below(4)) {
    case 0:
      return bytes.substr(0, below(bytes.size()));
    case 1:
      return bytes + this->bytes(8) + "x";
    default:
      break;
  }
  for (std::uint64_t flips = bytes.empty() ? 0 : 1 + below(3); flips > 0; --flips) {
    char& byte = bytes[below(bytes.size())];
    byte = static_cast<char>(byte ^ (1 << below(8)));
  }
  return bytes;
}

std::uint64_t test_seed() {
  const char* given = std::getenv("CAIRN_TEST_SEED");
  return given == nullptr ? 20'260'214 : std::strtoull(given, nullptr, 10);
}

}  // namespace cairn::test
