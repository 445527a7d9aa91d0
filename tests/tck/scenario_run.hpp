#pragma once
// Runs scenarios of the conformance kit against a database of their own.

#include "tests/tck/feature_file.hpp"

#include <cairn/cairn.hpp>

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace cairn::tck {

/// What a scenario's side effects are counted from.
struct GraphState {
  std::set<std::string> nodes;
  std::set<std::string> relationships;
  std::set<std::string> labels;
  std::set<std::string> properties;  ///< entity, key and value
};

/// One database, emptied between scenarios.
class ScenarioRun {
 public:
  /// `graphs` holds the kit's named graphs.
  ScenarioRun(Database& database, std::filesystem::path graphs)
      : database_(database), graphs_(std::move(graphs)) {}
  ScenarioRun(const ScenarioRun&) = delete;
  ScenarioRun& operator=(const ScenarioRun&) = delete;
  ~ScenarioRun() { forget_procedures(); }

  /// Runs a scenario. Returns nullopt if it passes, else a description of the difference.
  [[nodiscard]] std::optional<std::string> run(const Scenario& scenario);

 private:
  using Outcome = std::optional<std::string>;

  [[nodiscard]] Outcome run_step(const Step& step);
  [[nodiscard]] Outcome prepare(const std::string& statements);
  [[nodiscard]] Outcome load_graph(const std::string& name);
  [[nodiscard]] Outcome read_parameters(const Step& step);
  [[nodiscard]] Outcome register_procedure(const Step& step);
  [[nodiscard]] Outcome execute(const Step& step);
  [[nodiscard]] Outcome compare_rows(const Step& step) const;
  [[nodiscard]] Outcome compare_side_effects(const Step& step);
  [[nodiscard]] Outcome compare_error(const std::string& text) const;
  void forget_procedures();
  [[nodiscard]] Outcome clear();
  [[nodiscard]] Result<GraphState> read_state();

  Database& database_;
  std::filesystem::path graphs_;
  Parameters parameters_;
  std::vector<std::string> procedures_;  // that this scenario has
  GraphState before_;
  std::vector<std::string> columns_;
  std::vector<std::vector<Value>> rows_;
  std::optional<Error> error_;
};

}  // namespace cairn::tck
