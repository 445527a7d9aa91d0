#include "query/bind/filter_form.hpp"

#include "query/filter/filter_operators.hpp"

#include <utility>

namespace cairn::query {
namespace {

// form := operator flags ( number "{" form* "}" | length ":" name )      lengths, so that no name ends early
class FormMaker {
 public:
  void add(const Filter& filter) {
    form_.key += static_cast<char>('A' + static_cast<int>(filter.op));
    form_.key += static_cast<char>('0' + (filter.coerce ? 1 : 0) + (filter.normalize ? 2 : 0));
    if (filter.op == FilterOperator::has_label) return add_name(filter.value.as_string());
    if (filter.op == FilterOperator::at_least) add_name(filter.value.to_text());
    if (!is_group(filter.op)) add_name(filter.field);
    if (is_group(filter.op) || filter.op == FilterOperator::any_element) return add_parts(filter);
    if (takes_value(filter.op)) form_.operands.push_back(operand_of(filter));
  }

  FilterForm take() { return std::move(form_); }

 private:
  /// An id alone stands for a list of it.
  static Value operand_of(const Filter& filter) {
    const bool is_one = filter.op == FilterOperator::has_id && filter.value.list() == nullptr;
    return is_one ? Value(List{filter.value}) : filter.value;
  }
  void add_name(std::string_view name) {
    form_.key += std::to_string(name.size()) + ":";
    form_.key += name;
  }

  void add_parts(const Filter& filter) {
    form_.key += "{";
    for (const Filter& part : filter.filters) add(part);
    form_.key += "}";
  }

  FilterForm form_;
};

}  // namespace

FilterForm form_of(const Filter& filter) {
  FormMaker maker;
  maker.add(filter);
  return maker.take();
}

std::string operand_name(std::string_view parameter, std::size_t place) {
  return std::string(parameter) + "." + std::to_string(place);
}

}  // namespace cairn::query
