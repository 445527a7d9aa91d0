// Reads the members of a request. The first error is stored and reported by check(), so the reading functions need no
// result.
#include "query/memory_calls/request_reader.hpp"

#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/temporal_operations.hpp"
#include "query/syntax/nearest_name.hpp"

#include <cairn/temporal.hpp>
#include <cairn/time_span.hpp>
#include <cairn/value_as.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <limits>
#include <utility>

namespace cairn::query {
namespace {

using std::chrono::microseconds;

/// A thousand years: as good as forever, and far from an overflow.
constexpr std::chrono::seconds longest_life{std::int64_t{365'000} * 86'400};

/// Reads a duration, a text such as "30d", or a number of seconds.
std::optional<microseconds> length_of(const Value& value) {
  if (const auto* given = value.get_if<Duration>()) return time_span_of(*given);
  if (value.string() != nullptr) return to_time_span(*value.string());
  const auto seconds = whole_number(value);
  if (!seconds || *seconds < 0 || *seconds > longest_life.count()) return std::nullopt;
  return std::chrono::seconds(*seconds);
}

std::optional<microseconds> time_to_live_of(const Value& value) {
  const auto length = length_of(value);
  return length && *length <= longest_life ? length : std::nullopt;
}

}  // namespace

const Value* RequestReader::find(std::string_view name) {
  if (std::ranges::find(known_, name) == known_.end()) known_.push_back(name);
  const auto found = map_.find(name);
  return found == map_.end() || found->second.is_null() ? nullptr : &found->second;
}

void RequestReader::fail(Error error) {
  if (!error_) error_ = std::move(error);
}

void RequestReader::refuse(std::string_view name, std::string_view what, const Value& value) {
  fail({ErrorCode::type_error,
        "`" + std::string(name) + "` of " + call_ + " must be " + std::string(what) + ", got " +
            shown(value),
        std::nullopt});
}

void RequestReader::read(std::string_view name, std::string& out) {
  const Value* value = find(name);
  if (value == nullptr) return;
  if (value->string() == nullptr) return refuse(name, "a string", *value);
  out = *value->string();
}

void RequestReader::read(std::string_view name, std::optional<std::string>& out) {
  const Value* value = find(name);
  if (value == nullptr) return;
  if (value->string() == nullptr) return refuse(name, "a string", *value);
  out = *value->string();
}

// A single text is accepted in place of a list.
void RequestReader::read(std::string_view name, std::vector<std::string>& out) {
  const Value* value = find(name);
  if (value == nullptr) return;
  out.clear();
  if (value->string() != nullptr) return out.push_back(*value->string());
  if (value->list() == nullptr) return refuse(name, "a list of strings", *value);
  for (const Value& one : *value->list()) {
    if (one.string() == nullptr) return refuse(name, "a list of strings", *value);
    out.push_back(*one.string());
  }
}

void RequestReader::read(std::string_view name, std::optional<bool>& out) {
  const Value* value = find(name);
  if (value == nullptr) return;
  const bool* flag = value->get_if<bool>();
  if (flag == nullptr) return refuse(name, "true or false", *value);
  out = *flag;
}

void RequestReader::read(std::string_view name, bool& out) {
  std::optional<bool> flag;
  read(name, flag);
  out = flag.value_or(out);
}

void RequestReader::read_count(std::string_view name, std::size_t& out) {
  const Value* value = find(name);
  if (value == nullptr) return;
  const auto count = whole_number(*value);
  if (!count || *count < 0) return refuse(name, "a whole number of 0 or more", *value);
  out = static_cast<std::size_t>(*count);
}

void RequestReader::read_integer(std::string_view name, std::int64_t& out) {
  const Value* value = find(name);
  if (value == nullptr) return;
  const auto number = whole_number(*value);
  if (!number) return refuse(name, "a whole number", *value);
  out = *number;
}

void RequestReader::read(std::string_view name, double& out) {
  const Value* value = find(name);
  if (value == nullptr) return;
  if (!value->is_number()) return refuse(name, "a number", *value);
  out = float_of(*value);
}

void RequestReader::read(std::string_view name, Properties& out) {
  const Value* value = find(name);
  if (value == nullptr) return;
  if (value->map() == nullptr) return refuse(name, "a map", *value);
  out = *value->map();
}

// As a field, an expires_at would let nothing expire, and an external_id would find nothing.
void RequestReader::read_fields(std::string_view name, Properties& out) {
  read(name, out);
  const std::string of = "`" + std::string(name) + "` of " + call_;
  const std::string beside = " beside `" + std::string(name) + "`";
  if (out.contains("expires_at"))
    fail({ErrorCode::invalid_argument,
          of + " cannot have a field `expires_at`: give the lifetime" + beside +
              ", as `expires_at` or `time_to_live`",
          std::nullopt});
  if (out.contains("external_id"))
    fail({ErrorCode::invalid_argument,
          of + " cannot have a field `external_id`: give `external_id`" + beside, std::nullopt});
}

void RequestReader::read(std::string_view name, std::optional<memory::StructuredId>& out) {
  const Value* value = find(name);
  if (value == nullptr) return;
  out = memory::structured_id_of(*value);
  if (!out)
    refuse(name, "an identity such as 'user:user:ada', or a map {namespace, type, id}", *value);
}

namespace {

/// What to write in place of 'never'.
std::string in_place_of(const Value& lifetime) {
  return lifetime == Value("never") ? " (leave it out for a record that never expires)" : "";
}

}  // namespace

// Returns nullopt if neither member is given.
std::optional<memory::Lifetime> RequestReader::lifetime() {
  memory::Lifetime lifetime;
  if (const Value* value = find("expires_at")) {
    lifetime.expires_at = to_instant(*value);
    if (!lifetime.expires_at)
      refuse("expires_at", "a moment, or a text of ISO 8601" + in_place_of(*value), *value);
  }
  if (const Value* value = find("time_to_live")) {
    lifetime.time_to_live = time_to_live_of(*value);
    if (!lifetime.time_to_live)
      refuse("time_to_live",
             "a duration, a number of seconds, or a text such as '30d'" + in_place_of(*value),
             *value);
  }
  if (!lifetime.expires_at && !lifetime.time_to_live) return std::nullopt;
  return lifetime;
}

void RequestReader::read_word(std::string_view name, std::span<const std::string_view> words,
                              std::size_t& out) {
  const Value* value = find(name);
  if (value == nullptr) return;
  std::string all;
  for (const std::string_view word : words) all += (all.empty() ? "" : ", ") + std::string(word);
  if (value->string() == nullptr) return refuse(name, "one of " + all, *value);
  const auto found = std::ranges::find(words, std::string_view(*value->string()));
  if (found == words.end()) return refuse(name, "one of " + all, *value);
  out = static_cast<std::size_t>(found - words.begin());
}

namespace {

/// What other programs call an option, and what it is called here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 9> other_names{
    {{"text", "content"},
     {"text", "query"},
     {"question", "query"},
     {"group", "session"},
     {"groups", "session"},
     {"metadata", "changes"},
     {"name", "external_id"},
     {"ttl", "time_to_live"},
     {"expires_in", "time_to_live"}}};

/// The option that a name means or is like; empty if there is none.
std::string_view meant_option(std::string_view name, std::span<const std::string_view> known) {
  for (const auto& [other, option] : other_names)
    if (other == name && std::ranges::find(known, option) != known.end()) return option;
  return nearest_name(name, known);
}

}  // namespace

// Every name that was asked for is known, so a request must read all members before it checks.
Status RequestReader::check() const {
  if (error_) return *error_;
  for (const auto& [name, value] : map_) {
    if (std::ranges::find(known_, std::string_view(name)) != known_.end()) continue;
    const std::string_view nearest = meant_option(name, known_);
    std::string advice;
    if (!nearest.empty()) advice = "did you mean `" + std::string(nearest) + "`?";
    for (const std::string_view one : known_)
      if (nearest.empty())
        advice += (advice.empty() ? "the options are " : ", ") + std::string(one);
    return Error{ErrorCode::invalid_argument, call_ + " has no option `" + name + "`; " + advice,
                 std::nullopt};
  }
  return {};
}

Result<Map> request_map(std::string_view call, std::span<const Value> arguments,
                        std::size_t place) {
  if (place >= arguments.size() || arguments[place].is_null()) return Map();
  if (arguments[place].map() != nullptr) return *arguments[place].map();
  return Error{ErrorCode::type_error,
               std::string(call) + " takes a map, got " + shown(arguments[place]), std::nullopt};
}

}  // namespace cairn::query
