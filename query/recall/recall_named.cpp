// What the question names besides its subject: values, authors and times. The indexes of the properties
// know who has them: no record is read.
// Each property with an index is asked whether it has what the question names as a value ("Kate"),
// 64 properties at most. Found records have their score multiplied in the end
// (mentions, authors) or their text's part (dates).

#include "codec/calendar.hpp"
#include "codec/temporal_order.hpp"
#include "engine/view/lookup_result.hpp"
#include "query/recall/recall_run.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace cairn::query {
namespace {

using codec::Bitmap;
using codec::EntityKind;
using Operation = engine::IndexPredicate::Operation;

/// Properties that are asked for what the question names, oldest first: bounds the cost.
constexpr std::size_t most_paths = 64;

constexpr std::int64_t microseconds = 1'000'000;  // of a second

/// The first values of a second of UTC, one for each temporal type that has a day. Of the dates and
/// times at that second the one with the least offset stands first, whatever it is called.
std::array<Value, 3> first_at(std::int64_t second) {
  return {Date{codec::floor_divide(second, codec::seconds_per_day)}, LocalDateTime{second, 0},
          DateTime{second, 0, -codec::max_offset_seconds, {}}};
}

}  // namespace

// The texts that were searched are no values that a question names: they answer it already.
std::vector<std::uint32_t> RecallRun::mention_paths() const {
  std::set<std::string> searched;
  for (const std::uint32_t property : entry_.properties)
    searched.insert(view_.catalog().name(codec::CatalogKind::property, property));
  std::vector<std::uint32_t> paths;
  for (const auto& [path, entry] : view_.catalog().paths()) {
    if (paths.size() == most_paths) break;
    if (entry.kind == EntityKind::node && entry.state == codec::IndexState::online &&
        !searched.contains(entry.text))
      paths.push_back(path);
  }
  return paths;
}

bool RecallRun::is_of_author(std::uint32_t path) const {
  const auto& names = options_.features.author_properties;
  const std::string& name = view_.catalog().paths().at(path).text;
  return options_.features.author_weight > 0 &&
         std::find(names.begin(), names.end(), name) != names.end();
}

// An answer that would have to be checked on records is left out.
Status RecallRun::look_up(std::uint32_t path, Operation operation, const Value& low,
                          const Value& high, std::vector<Bitmap>& found) {
  CAIRN_TRY(context_.budget.step(1));
  engine::IndexPredicate lookup;
  lookup.path = path;
  lookup.operation = operation;
  lookup.low = low;
  lookup.high = high;
  lookup.high_inclusive = operation != Operation::range;
  CAIRN_ASSIGN(auto result, view_.lookup(lookup));
  if (result.exact && !result.ids.empty()) found.push_back(std::move(result.ids));
  return {};
}

// Words that name an author are no words to search for, see README.md.
Status RecallRun::find_mentions(std::uint32_t path, const std::vector<NamedText>& texts) {
  const bool is_author = is_of_author(path);
  if (!is_author && options_.features.entity_weight == 0) return {};
  std::vector<Bitmap> lists, all;
  CAIRN_TRY(look_up(path, Operation::of_type, Value(List{}), {}, lists));
  for (const NamedText& text : texts) {
    std::vector<Bitmap> found;
    CAIRN_TRY(look_up(path, Operation::equals, text.text, {}, found));
    if (!lists.empty()) CAIRN_TRY(look_up(path, Operation::element, text.text, {}, found));
    const Bitmap with_text = codec::intersect(codec::unite_all(found), members_);
    if (with_text.empty()) continue;
    all.push_back(with_text);
    for (std::size_t i = 0; is_author && i < text.count; ++i) author_words_.insert(text.first + i);
  }
  const Bitmap named = codec::unite_all(all);
  mentioned_ = codec::unite(mentioned_, named);
  if (is_author) authored_ = codec::unite(authored_, named);
  return {};
}

// Texts are indexed by the instant that they name, typed values by their own order. Most properties
// have none of a type, which a kept posting tells without a scan. Times are of whole days.
Status RecallRun::find_dated(std::uint32_t path, const std::vector<TimeRange>& times,
                             std::vector<Bitmap>& found) {
  for (const TimeRange& time : times)
    CAIRN_TRY(look_up(path, Operation::instant, time.first, time.last, found));
  for (std::size_t type = 0; type < first_at(0).size(); ++type) {
    std::vector<Bitmap> typed;
    CAIRN_TRY(look_up(path, Operation::of_type, first_at(0)[type], {}, typed));
    if (typed.empty()) continue;
    for (const TimeRange& time : times)
      CAIRN_TRY(look_up(path, Operation::range, first_at(time.first / microseconds)[type],
                        first_at((time.last + 1) / microseconds)[type], found));
  }
  return {};
}

// Properties that may name something are looked into one by one.
Status RecallRun::find_named(std::string_view question) {
  const auto texts = named_texts(question, entry_.text.language);
  const auto times = named_times(question);
  std::vector<Bitmap> dated;
  for (const std::uint32_t path : mention_paths()) {
    CAIRN_TRY(find_mentions(path, texts));
    if (options_.features.date_weight > 0 && !times.empty())
      CAIRN_TRY(find_dated(path, times, dated));
  }
  dated_ = codec::unite_all(dated);
  return {};
}

}  // namespace cairn::query
