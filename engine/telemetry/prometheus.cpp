// Writes metrics in the text format of Prometheus, version 0.0.4:
//
//   # HELP name text          line breaks and backslashes in the text are escaped
//   # TYPE name counter
//   name value
//
// A histogram has several samples: name_bucket{le="bound"} is the number of values up to the bound, with +Inf as the last
// bound; name_sum is the sum of all values; name_count is their number.
#include <cairn/metrics.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace cairn {
namespace {

/// Returns the shortest text that parses to the same number.
std::string number_text(double number) {
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "+Inf" : "-Inf";
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  return {text.data(), end};
}

/// Escapes a help text.
std::string help_text(std::string_view help) {
  std::string text;
  for (const char c : help) {
    if (c == '\\')
      text += "\\\\";
    else if (c == '\n')
      text += "\\n";
    else
      text += c;
  }
  return text;
}

void append_head(std::string& out, const std::string& name, const std::string& help,
                 std::string_view type) {
  out += "# HELP " + name + " " + help_text(help) + "\n";
  out += "# TYPE " + name + " " + std::string(type) + "\n";
}

void append_sample(std::string& out, const std::string& name, const std::string& value) {
  out += name + " " + value + "\n";
}

// Buckets of Prometheus are cumulative: each counts all values up to its bound.
void append_histogram(std::string& out, const Histogram& histogram) {
  append_head(out, histogram.name, histogram.help, "histogram");
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < histogram.buckets.size(); ++i) {
    count += histogram.buckets[i];
    const std::string bound =
        i < histogram.bounds.size() ? number_text(histogram.bounds[i]) : std::string("+Inf");
    append_sample(out, histogram.name + "_bucket{le=\"" + bound + "\"}", std::to_string(count));
  }
  append_sample(out, histogram.name + "_sum", number_text(histogram.sum));
  append_sample(out, histogram.name + "_count", std::to_string(count));
}

}  // namespace

std::string to_prometheus(const Metrics& metrics) {
  std::string out;
  for (const Metric& metric : metrics.values) {
    append_head(out, metric.name, metric.help, metric.is_gauge ? "gauge" : "counter");
    append_sample(out, metric.name, number_text(metric.value));
  }
  for (const Histogram& histogram : metrics.histograms) append_histogram(out, histogram);
  return out;
}

}  // namespace cairn
