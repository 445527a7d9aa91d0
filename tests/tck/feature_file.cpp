#include "tests/tck/feature_file.hpp"

#include <array>
#include <fstream>
#include <optional>
#include <string_view>
#include <utility>

namespace cairn::tck {
namespace {

constexpr std::array<std::string_view, 5> step_words{"Given ", "When ", "Then ", "And ", "But "};
constexpr std::string_view fence = "\"\"\"";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

/// | a | b \| c |
std::vector<std::string> table_row(std::string_view line) {
  std::vector<std::string> cells;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && (line[i + 1] == '|' || line[i + 1] == '\\')) {
      cell += line[++i];
    } else if (line[i] == '|') {
      cells.emplace_back(trimmed(cell));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return cells;
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

struct Outline {
  std::string name;
  bool is_outline = false;
  std::vector<Step> steps;
  std::vector<Table> examples;
};

Step filled(Step step, const std::vector<std::string>& names,
            const std::vector<std::string>& values) {
  for (std::size_t i = 0; i < names.size() && i < values.size(); ++i) {
    const std::string placeholder = "<" + names[i] + ">";
    step.text = replace_all(std::move(step.text), placeholder, values[i]);
    step.document = replace_all(std::move(step.document), placeholder, values[i]);
    for (auto& row : step.table)
      for (std::string& cell : row) cell = replace_all(std::move(cell), placeholder, values[i]);
  }
  return step;
}

class Reader {
 public:
  Reader(const std::filesystem::path& file, std::string prefix)
      : input_(file), prefix_(std::move(prefix)) {}

  std::vector<Scenario> run() {
    for (std::string line; std::getline(input_, line);) take(line);
    finish();
    return std::move(scenarios_);
  }

 private:
  void take(const std::string& raw) {
    const std::string_view line = trimmed(raw);
    if (line.empty() || line.front() == '#' || line.front() == '@') return;
    if (line.substr(0, 3) == fence) return read_document(raw);
    if (line.front() == '|') return take_row(line);
    if (starts_block(line)) return;
    for (std::string_view word : step_words) {
      if (line.substr(0, word.size()) != word) continue;
      steps().push_back({std::string(trimmed(line.substr(word.size()))), {}, {}});
      return;
    }
  }

  bool starts_block(std::string_view line) {
    const std::size_t colon = line.find(':');
    const std::string_view word = line.substr(0, colon);
    const bool is_outline = word == "Scenario Outline";
    if (word == "Scenario" || is_outline) {
      finish();
      current_ = Outline{std::string(trimmed(line.substr(colon + 1))), is_outline, {}, {}};
      return true;
    }
    if (word == "Examples" && current_) current_->examples.emplace_back();
    return word == "Feature" || word == "Background" || word == "Examples";
  }

  std::vector<Step>& steps() { return current_ ? current_->steps : background_; }

  void take_row(std::string_view line) {
    if (current_ && !current_->examples.empty())
      return current_->examples.back().push_back(table_row(line));
    if (!steps().empty()) steps().back().table.push_back(table_row(line));
  }

  void read_document(const std::string& opening) {
    const std::size_t indent = opening.find('"');
    std::string text;
    for (std::string line; std::getline(input_, line) && trimmed(line) != fence;)
      text += (line.size() > indent ? line.substr(indent) : "") + "\n";
    if (!text.empty()) text.pop_back();
    if (!steps().empty()) steps().back().document = text;
  }

  void finish() {
    if (!current_) return;
    const Outline outline = *std::exchange(current_, std::nullopt);
    const std::string name = prefix_ + " " + outline.name;
    if (!outline.is_outline) return add(name, outline, {}, {});
    std::size_t number = 0;
    for (const Table& examples : outline.examples)
      for (std::size_t row = 1; row < examples.size(); ++row)
        add(name + " #" + std::to_string(++number), outline, examples[0], examples[row]);
  }

  void add(const std::string& name, const Outline& outline, const std::vector<std::string>& names,
           const std::vector<std::string>& values) {
    Scenario scenario{name, background_};
    for (const Step& step : outline.steps) scenario.steps.push_back(filled(step, names, values));
    scenarios_.push_back(std::move(scenario));
  }

  std::ifstream input_;
  std::string prefix_;
  std::vector<Step> background_;
  std::optional<Outline> current_;
  std::vector<Scenario> scenarios_;
};

}  // namespace

std::vector<Scenario> read_feature(const std::filesystem::path& file, const std::string& prefix) {
  return Reader(file, prefix).run();
}

}  // namespace cairn::tck
