#include "tools/mcp/protocol/context.hpp"

#include "tools/mcp/protocol/capability.hpp"

#include <cmath>
#include <utility>

namespace cairn::tools::mcp {
namespace {

std::string text_of(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_string() ? std::string(value->get_string()) : std::string();
}

}  // namespace

Context::Context(RequestInfo info) : info_(std::move(info)) {}

std::string Context::client_name() const { return text_of(info_.client, "name"); }

std::string Context::client_version() const { return text_of(info_.client, "version"); }

void Context::progress(double done, std::optional<double> total, std::string_view message) {
  // JSON cannot represent infinities and NaN.
  if (!info_.on_progress || is_cancelled() || !std::isfinite(done)) return;
  if (total && !std::isfinite(*total)) total.reset();
  if (reported_ && done <= *reported_) return;
  reported_ = done;
  info_.on_progress({done, total, std::string(message)});
}

void Context::log(LogLevel level, std::string_view text) {
  log(LogReport{level, {}, json::value(text)});
}

void Context::log(const LogReport& report) {
  if (!info_.on_log || is_cancelled()) return;
  info_.on_log(report);
}

bool Context::can_elicit() const { return can_ask(info_.capabilities, "elicitation/create"); }

bool Context::can_sample() const { return can_ask(info_.capabilities, "sampling/createMessage"); }

bool Context::can_list_roots() const { return can_ask(info_.capabilities, "roots/list"); }

const json::object* Context::response(std::string_view key) const {
  const json::value* value = info_.responses.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

const json::object* Context::accepted(std::string_view key) const {
  const json::object* answer = response(key);
  if (answer == nullptr || text_of(*answer, "action") != "accept") return nullptr;
  const json::value* content = answer->if_contains("content");
  return content == nullptr ? nullptr : content->if_object();
}

}  // namespace cairn::tools::mcp
