// Error messages describe the furthest failure. The grammar tries alternatives in order. If all fail, the alternative
// that reached the furthest place is most likely the intended one. A state belongs to one parse and one thread.
//
// There are two limits of nesting. Depth counts brackets, over which the grammar recurses. Height counts the levels
// of the resulting tree, over which all later code recurses. Height can grow without brackets, as in NOT NOT NOT x,
// and with operators of different precedence.
#include "query/syntax/parse_state.hpp"

#include <algorithm>
#include <utility>

namespace cairn::query {
namespace {

/// Limit of the height of a tree, relative to the limit of depth. Operators of different precedence add levels
/// without brackets.
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

// Only the furthest place is remembered. In a group, the message lists only the name of the group; keywords are
// remembered as well, for "did you mean".
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

// Throws an exception, because X3 has no way to return an error. syntax_parser.cpp catches it.
void ParseState::fail(const char* from, const char* to, std::string sentence) const {
  throw SyntaxFailure{offset(from), offset(to), std::move(sentence)};
}

// The outermost name wins: the message says "an expression" and not "a number".
ParseState::Group ParseState::enter_group(const char* at, std::string_view name) noexcept {
  const Group outer = group_;
  if (group_.at != at) group_ = {at, name};
  return outer;
}

// heights_ is a stack indexed by depth_. A level starts with height 0 and passes its height to the outer level when
// it ends.
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

// Called when the tree of an expression is complete. The heights of inner expressions are already included then.
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
