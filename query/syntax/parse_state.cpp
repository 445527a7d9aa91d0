// Messages follow the furthest failure: the grammar tries alternatives in order, and where all
// fail, the one that came furthest is what the writer meant. All of this is per parse and
// single-threaded.
//
// Depth and height are two limits. Depth is brackets, which the grammar recurses over; height is
// the tree that comes of it, which everything behind recurses over, and which grows without
// brackets (NOT NOT NOT x, or one operator inside another).
#include "query/syntax/parse_state.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

/// Operators of different precedence add levels to a tree that brackets do not show; twice the
/// brackets allowed keeps whatever recurses over the tree within its stack.
constexpr std::uint32_t height_per_level = 2;

}  // namespace

ParseState::ParseState(std::string_view text, std::uint32_t nesting_levels)
    : text_(text),
      brackets_(text),
      most_levels_(nesting_levels),
      heights_(std::size_t{nesting_levels} + 1) {}

const char* ParseState::skip_blank(const char* from) noexcept {
  if (from != blank_from_) {
    blank_to_ = lexical::skip_blank(from, end());
    blank_from_ = from;
  }
  return blank_to_;
}

// A later place forgets what earlier places would have taken: the parser got beyond them.
// Within a group only the group's name is listed; the keyword is remembered as well, for "did you mean".
void ParseState::expect(const char* at, Expectation what) {
  const std::size_t place = offset(at);
  if (place < furthest_) return;
  if (place > furthest_) {
    furthest_ = place;
    expected_.clear();
    keywords_.clear();
  }
  if (what.is_keyword) keywords_.push_back(what.what);
  if (group_.at == at) what = {group_.name};
  if (std::ranges::find(expected_, what) == expected_.end()) expected_.push_back(what);
}

// An exception and not a Result, because X3 hands none through. syntax_parser.cpp catches it.
void ParseState::fail(const char* from, const char* to, std::string sentence) const {
  throw SyntaxFailure{offset(from), offset(to), std::move(sentence)};
}

// The outermost name wins: "an expression" and not "a number".
ParseState::Group ParseState::enter_group(const char* at, std::string_view name) noexcept {
  const Group outer = group_;
  if (group_.at != at) group_ = {at, name};
  return outer;
}

// heights_ is a stack over depth_: a level begins with no height and hands its own to the level
// above when it ends.
void ParseState::descend(const char* at, std::uint32_t levels) {
  if (depth_ + levels > most_levels_) fail_too_deep(at);
  depth_ += levels;
  heights_[depth_] = 0;
}

void ParseState::ascend(std::uint32_t levels) noexcept {
  const std::uint32_t height = heights_[depth_];
  depth_ -= levels;
  heights_[depth_] = std::max(heights_[depth_], height);
}

// Called once an expression is folded; what lies within it has handed its height up by then.
void ParseState::note_height(const char* at, std::uint32_t levels) {
  check_height(at, levels);
  heights_[depth_] += levels;
}

void ParseState::check_height(const char* at, std::size_t levels) const {
  if (heights_[depth_] + levels > height_per_level * most_levels_) fail_too_deep(at);
}

void ParseState::fail_too_deep(const char* at) const {
  throw SyntaxFailure{offset(at), offset(at),
                      "the statement nests deeper than " + std::to_string(most_levels_) +
                          " levels; name parts of it with WITH, or use parameters",
                      true};
}

}  // namespace cairn::query
