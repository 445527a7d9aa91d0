// Parses JSON with Boost's event parser. Boost.JSON reads fractions with an error in the last
// digit, so this handler converts the text of each fraction itself.
#include "tools/mcp/protocol/exact_json.hpp"

#include <boost/json/basic_parser_impl.hpp>

#include <charconv>
#include <string>
#include <system_error>

namespace cairn::tools::mcp {
namespace {

namespace json = boost::json;
using Text = json::string_view;
using Problem = boost::system::error_code;

/// Builds a value from the events of the parser. The text of a number may come in several parts.
class ExactHandler {
 public:
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();

  bool on_document_begin(Problem&) { return true; }
  bool on_document_end(Problem&) { return true; }
  bool on_object_begin(Problem&) { return true; }
  bool on_object_end(std::size_t size, Problem&) {
    values_.push_object(size);
    return true;
  }
  bool on_array_begin(Problem&) { return true; }
  bool on_array_end(std::size_t size, Problem&) {
    values_.push_array(size);
    return true;
  }
  bool on_key_part(Text part, std::size_t, Problem&) {
    values_.push_chars(part);
    return true;
  }
  bool on_key(Text end, std::size_t, Problem&) {
    values_.push_key(end);
    return true;
  }
  bool on_string_part(Text part, std::size_t, Problem&) {
    values_.push_chars(part);
    return true;
  }
  bool on_string(Text end, std::size_t, Problem&) {
    values_.push_string(end);
    return true;
  }
  bool on_number_part(Text part, Problem&) {
    number_ += part;
    return true;
  }
  bool on_int64(std::int64_t number, Text, Problem&) {
    number_.clear();
    values_.push_int64(number);
    return true;
  }
  bool on_uint64(std::uint64_t number, Text, Problem&) {
    number_.clear();
    values_.push_uint64(number);
    return true;
  }
  bool on_double(double nearly, Text end, Problem&) {
    number_ += end;
    double number = 0;
    const auto read = std::from_chars(number_.data(), number_.data() + number_.size(), number);
    number_.clear();
    values_.push_double(read.ec == std::errc() ? number : nearly);
    return true;
  }
  bool on_bool(bool flag, Problem&) {
    values_.push_bool(flag);
    return true;
  }
  bool on_null(Problem&) {
    values_.push_null();
    return true;
  }
  bool on_comment_part(Text, Problem&) { return true; }
  bool on_comment(Text, Problem&) { return true; }

  void begin() { values_.reset(); }
  [[nodiscard]] json::value take() { return values_.release(); }

 private:
  json::value_stack values_;
  std::string number_;
};

}  // namespace

boost::json::value parse_exactly(std::string_view text, std::size_t levels,
                                 boost::system::error_code& problem, std::size_t* place) {
  json::parse_options options;
  options.max_depth = levels;
  json::basic_parser<ExactHandler> parser(options);
  parser.handler().begin();
  const std::size_t read = parser.write_some(false, text.data(), text.size(), problem);
  if (!problem && read < text.size()) problem = json::error::extra_data;
  if (place != nullptr) *place = read;
  return problem ? json::value() : parser.handler().take();
}

}  // namespace cairn::tools::mcp
