#include "query/run/filter_forms.hpp"

#include "query/bind/filter_expression.hpp"

#include <cairn/filter.hpp>

#include <utility>

namespace cairn::query {
namespace {

constexpr std::size_t most_key_bytes = 4'096;

/// The form of a filter; its operands become parameters.
bool add_filter(const std::string& name, const Value& value, Parameters& parameters,
                std::string& key) {
  const auto filter = filter_from(value);
  if (!filter) return false;
  FilterForm form = form_of(*filter);
  key += form.key;
  for (std::size_t i = 0; i < form.operands.size(); ++i) {
    const std::string operand = operand_name(name, i);
    const auto [place, is_new] = parameters.try_emplace(operand, form.operands[i]);
    if (!is_new && !(place->second == form.operands[i])) return false;
  }
  return true;
}

}  // namespace

std::optional<std::string> take_filter_forms(std::span<const FilterParameter> filter_parameters,
                                             Parameters& parameters) {
  std::string key;
  for (const FilterParameter& parameter : filter_parameters) {
    const auto found = parameters.find(parameter.name);
    if (found == parameters.end()) return std::nullopt;
    key += '$';
    if (!parameter.is_whole)
      key += found->second.to_text();
    else if (!add_filter(parameter.name, found->second, parameters, key))
      return std::nullopt;
    if (key.size() > most_key_bytes) return std::nullopt;
  }
  return key;
}

}  // namespace cairn::query
