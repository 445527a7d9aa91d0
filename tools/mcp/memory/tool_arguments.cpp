// Reads the arguments of a tool, and the options of its answer. A cursor contains a fingerprint of
// the arguments, so that it is refused in a call with other arguments.
#include "tools/mcp/memory/tool_arguments.hpp"

#include "codec/hex.hpp"

#include <cairn/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace cairn::tools::mcp {
namespace {

/// FNV-1a, so a request has the same fingerprint in every process.
std::string fingerprint_of(std::string_view text) {
  std::uint32_t hash = 2'166'136'261U;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 16'777'619U;
  return codec::hex_text(hash);
}

Error wrong_option(std::string_view name, std::string_view what) {
  return {ErrorCode::invalid_argument, std::string(name) + " " + std::string(what), std::nullopt};
}

/// Returns the arguments that identify a request; the options of the answer do not, except for the
/// budget if it decides what is in a passage.
std::string question_of(std::string_view tool, Map arguments) {
  const bool has_passages = arguments.contains("context") || arguments.contains("expand");
  for (const char* name : {"format", "cursor"}) arguments.erase(name);
  if (!has_passages) arguments.erase("max_tokens");
  return std::string(tool) + to_json(arguments);
}

}  // namespace

std::string AnswerOptions::cursor(std::size_t next) const {
  return std::to_string(next) + "-" + fingerprint;
}

Result<ToolArguments> ToolArguments::read(std::string_view tool, const json::object& arguments) {
  CAIRN_ASSIGN(const Value value, parse_json(json::serialize(arguments)));
  ToolArguments read;
  read.tool_ = tool;
  read.map_ = value.as_map();
  CAIRN_TRY(read.read_answer(tool));
  return read;
}

Status ToolArguments::read_answer(std::string_view tool) {
  answer_.fingerprint = fingerprint_of(question_of(tool, map_));
  const std::int64_t tokens = number("max_tokens", usual_tokens);
  if (tokens < static_cast<std::int64_t>(least_tokens) ||
      tokens > static_cast<std::int64_t>(most_tokens))
    return wrong_option("max_tokens", "must be between " + std::to_string(least_tokens) + " and " +
                                          std::to_string(most_tokens) + ", got " +
                                          std::to_string(tokens));
  answer_.max_tokens = static_cast<std::size_t>(tokens);
  const std::string format = text("format");
  if (format == "toon") answer_.format = AnswerFormat::toon;
  if (format == "json") answer_.format = AnswerFormat::json;
  if (!format.empty() && format != "toon" && format != "json" && format != "markdown")
    return wrong_option("format", "must be toon, json or markdown, got " + cut_text(format, 40));
  const std::string cursor = text("cursor");
  if (cursor.empty()) return {};
  const char* const end = cursor.data() + cursor.size();
  const auto [behind, problem] = std::from_chars(cursor.data(), end, answer_.offset);
  if (problem != std::errc() || std::string_view(behind, end) != "-" + answer_.fingerprint)
    return wrong_option(
        "cursor", "is of another request: pass the same arguments as in the call that returned it");
  return {};
}

const Value* ToolArguments::find(std::string_view name) const {
  const auto found = map_.find(name);
  return found == map_.end() || found->second.is_null() ? nullptr : &found->second;
}

std::string ToolArguments::text(std::string_view name) const {
  const Value* value = find(name);
  return value == nullptr || value->string() == nullptr ? std::string() : *value->string();
}

bool ToolArguments::flag(std::string_view name, bool usual) const {
  const Value* value = find(name);
  const bool* given = value == nullptr ? nullptr : value->get_if<bool>();
  return given == nullptr ? usual : *given;
}

std::int64_t ToolArguments::number(std::string_view name, std::int64_t usual) const {
  const Value* value = find(name);
  if (value == nullptr) return usual;
  if (const auto* whole = value->get_if<std::int64_t>()) return *whole;
  constexpr double most = 9e15;  // floats represent integers exactly up to here
  const auto* given = value->get_if<double>();
  if (given == nullptr || std::isnan(*given)) return usual;
  return static_cast<std::int64_t>(std::clamp(*given, -most, most));
}

Result<std::int64_t> ToolArguments::limit(std::int64_t usual) const {
  const std::int64_t given = number("limit", usual);
  if (given < 1 || given > most_results)
    return wrong_option("limit", "must be between 1 and " + std::to_string(most_results));
  return given;
}

// Answers show a memory that has an external id by it, so a model gives that where an id is wanted.
Status ToolArguments::sort_ids(std::string_view name, List& ids, List& external_ids) const {
  const Value* given = find(name);
  if (given == nullptr) return {};
  const List alone{*given};
  for (const Value& one : given->list() == nullptr ? alone : *given->list()) {
    const std::string* text = one.string();
    if (text == nullptr) {
      ids.push_back(one);
      continue;
    }
    if (!text->empty() && text->find_first_not_of("0123456789") == text->npos)
      return wrong_option(
          name, "has the text \"" + cut_text(*text, 40) +
                    "\", which may be an id or an external id: give an id as a number, and " +
                    "an external id as " +
                    (given->list() == nullptr ? "external_id" : "external_ids"));
    external_ids.push_back(one);
  }
  return {};
}

void ToolArguments::pass(std::string_view name, Map& request, std::string_view as) const {
  if (const Value* value = find(name)) request.insert_or_assign(std::string(as), *value);
}

}  // namespace cairn::tools::mcp
