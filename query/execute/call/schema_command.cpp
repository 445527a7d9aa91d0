// Schema commands run when the statement starts, within its transaction, and return no rows. The
// engine fills a new index at once or, if it is a full-text index, when the transaction commits.
#include "codec/catalog_entry.hpp"
#include "engine/catalog/catalog.hpp"
#include "engine/fulltext/analyzer.hpp"
#include "engine/fulltext/text_language.hpp"
#include "engine/write/constraint_request.hpp"
#include "engine/write/index_request.hpp"
#include "engine/write/writer.hpp"
#include "query/bind/bound_query.hpp"
#include "query/execute/call/name_spaces.hpp"
#include "query/execute/call/operators.hpp"
#include "query/execute/pipeline/execution_context.hpp"
#include "query/execute/pipeline/known_indexes.hpp"
#include "query/functions/call.hpp"
#include "query/functions/numbers.hpp"
#include "query/functions/vector_components.hpp"
#include "query/plan/expression_traits.hpp"
#include "query/syntax/nearest_name.hpp"

#include <cairn/result.hpp>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace cairn::query {
namespace {

// Options of CREATE VECTOR INDEX and CREATE FULLTEXT INDEX: the names of Neo4j, and further names
// of this library. A null counts as absent. Unknown names are errors at both levels of the map.

Error bad_option(const std::string& name, const std::string& wanted, const Value& value) {
  return {ErrorCode::invalid_argument, "`" + name + "` must be " + wanted + ", got " + shown(value),
          std::nullopt};
}

/// Rejects unknown options, so that a misspelt option is not ignored.
Status check_names(const Map& config, const std::string& owner,
                   std::span<const std::string_view> known) {
  for (const auto& [name, value] : config) {
    if (std::ranges::find(known, name) != known.end()) continue;
    std::vector<std::string_view> meant(known.begin(), known.end());
    meant.push_back("indexConfig");
    const std::string_view nearest = nearest_name(name, meant);
    std::string names;
    for (const std::string_view one : known)
      names += (names.empty() ? "`" : ", `") + std::string(one) + "`";
    return Error{ErrorCode::invalid_argument,
                 owner + " has no option `" + name + "`; " +
                     (nearest.empty() ? "" : "did you mean `" + std::string(nearest) + "`? ") +
                     "it knows " + names,
                 std::nullopt};
  }
  return {};
}

// Returns null for an absent option.
const Value& option(const Map& config, const std::string& name) {
  static const Value none;
  const auto found = config.find(name);
  return found == config.end() ? none : found->second;
}

/// Leaves `number` unchanged if the option is absent or null.
Status read_number(const Map& config, const std::string& name, std::uint32_t& number) {
  const Value& value = option(config, name);
  if (value.is_null()) return {};
  const auto integer = whole_number(value);
  if (!integer || *integer < 1 || *integer > std::numeric_limits<std::int32_t>::max())
    return bad_option(name, "a positive integer", value);
  number = static_cast<std::uint32_t>(*integer);
  return {};
}

/// The default is cosine, as in Neo4j.
Result<codec::Metric> metric_of(const Map& config) {
  const Value& value = option(config, "vector.similarity_function");
  if (value.is_null()) return codec::Metric::cosine;
  std::string name = value.string() != nullptr ? value.as_string() : "";
  for (char& c : name) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  if (name == "cosine") return codec::Metric::cosine;
  if (name == "euclidean") return codec::Metric::euclidean;
  if (name == "dot_product" || name == "dot") return codec::Metric::dot_product;
  return bad_option("vector.similarity_function", "'cosine', 'euclidean' or 'dot_product'", value);
}

// The position of a name in storage_names is its enumerator.
Status read_storage(const Map& config, codec::VectorStorage& storage) {
  const Value& value = option(config, "vector.storage");
  if (value.is_null()) return {};
  const std::string name = value.string() != nullptr ? value.as_string() : "";
  for (std::size_t i = 0; i < codec::storage_names.size(); ++i) {
    if (name != codec::storage_names[i]) continue;
    storage = static_cast<codec::VectorStorage>(i);
    return {};
  }
  return bad_option("vector.storage", "'float32', 'float16', 'int8' or 'mapped'", value);
}

// The name of the model that makes the vectors. A search by embed() checks it.
Status read_model(const Map& config, std::string& model) {
  const Value& value = option(config, "vector.model");
  if (value.is_null()) return {};
  if (value.string() == nullptr || value.as_string().empty())
    return bad_option("vector.model", "the name of the model that makes the vectors", value);
  model = value.as_string();
  return {};
}

/// Checks the provider name that Neo4j gives to a kind of index. Its version has no meaning here.
Status check_provider(const Value& value, std::string_view kind) {
  if (value.is_null()) return {};
  const std::string* name = value.string();
  if (name != nullptr && name->starts_with(std::string(kind) + "-")) return {};
  return bad_option("indexProvider", "'" + std::string(kind) + "-' and a version", value);
}

/// Returns the settings of an index: those inside the map `indexConfig` and those next to this map.
/// OPTIONS may contain parameters, so it is evaluated when the command runs. `kind` is Neo4j's name
/// for this kind of index.
Result<Map> index_config(const SchemaCommand& command, ExecutionContext& context,
                         std::string_view kind) {
  if (!command.options) return Map();
  std::vector<Value> none(needed_width(*command.options));
  CAIRN_ASSIGN(const Value options, context.evaluator.evaluate(*command.options, none));
  if (options.map() == nullptr)
    return Error{ErrorCode::type_error, "OPTIONS needs a map, got " + shown(options),
                 command.options->where};
  CAIRN_TRY(check_provider(option(*options.map(), "indexProvider"), kind));
  const Value& config = option(*options.map(), "indexConfig");
  if (!config.is_null() && config.map() == nullptr)
    return bad_option("indexConfig", "a map", config);
  Map settings = config.is_null() ? Map() : *config.map();
  for (const auto& [name, value] : *options.map()) {
    if (name == "indexConfig" || name == "indexProvider") continue;
    if (settings.insert_or_assign(name, value).second) continue;
    return Error{ErrorCode::invalid_argument,
                 "OPTIONS have `" + name + "` twice, inside and outside of the map `indexConfig`",
                 command.options->where};
  }
  return settings;
}

/// m and ef_construction are parameters of the HNSW graph. The engine has defaults for them.
Status read_vector_options(const Map& config, engine::IndexRequest& request) {
  static constexpr std::string_view known[] = {"vector.dimensions", "vector.similarity_function",
                                               "vector.hnsw.m",     "vector.hnsw.ef_construction",
                                               "vector.storage",    "vector.model"};
  CAIRN_TRY(check_names(config, "a vector index", known));
  CAIRN_TRY(read_number(config, "vector.dimensions", request.dimension));
  CAIRN_TRY(read_number(config, "vector.hnsw.m", request.m));
  CAIRN_TRY(read_number(config, "vector.hnsw.ef_construction", request.ef_construction));
  CAIRN_ASSIGN(request.metric, metric_of(config));
  CAIRN_TRY(read_storage(config, request.storage));
  CAIRN_TRY(read_model(config, request.model));
  if (request.dimension > 0) return {};
  return Error{ErrorCode::invalid_argument,
               "a vector index needs its dimension: OPTIONS {indexConfig: "
               "{`vector.dimensions`: 256}}",
               std::nullopt};
}

// Leaves `flag` unchanged if the option is absent or null.
Status read_flag(const Map& config, const std::string& name, bool& flag) {
  const Value& value = option(config, name);
  if (value.is_null()) return {};
  const auto* boolean = value.get_if<bool>();
  if (boolean == nullptr) return bad_option(name, "true or false", value);
  flag = *boolean;
  return {};
}

// Leaves `number` unchanged if the option is absent or null.
Status read_float(const Map& config, const std::string& name, double& number) {
  const Value& value = option(config, name);
  if (value.is_null()) return {};
  if (!value.is_number()) return bad_option(name, "a number", value);
  const auto* integer = value.get_if<std::int64_t>();
  number = integer != nullptr ? static_cast<double>(*integer) : value.as_float();
  return {};
}

/// The engine checks that there is one weight per property.
Status read_weights(const Map& config, std::vector<float>& weights) {
  const Value& value = option(config, "fulltext.weights");
  if (value.is_null()) return {};
  auto numbers = vector_components(value, {});
  if (!numbers)
    return bad_option("fulltext.weights", "a list of numbers, one for each property", value);
  weights = *std::move(numbers);
  return {};
}

/// Reads one language or a list of languages: 'german', ['german', 'english'], or 'auto' for all
/// recognised languages. Joins several languages by commas.
Status read_languages(const Map& config, std::string& languages) {
  const std::string name = "fulltext.analyzer";
  const Value& value = option(config, name);
  if (value.is_null()) return {};
  const auto wrong = [&] {
    return bad_option(name, "the name of a language, a list of them, 'auto' or 'none'", value);
  };
  List list;
  if (value.list() != nullptr) {
    list = *value.list();
  } else if (value.string() != nullptr && *value.string() == "auto") {
    for (const std::string_view language : engine::known_languages())
      list.emplace_back(std::string(language));
  } else {
    list.push_back(value);
  }
  std::string joined;
  for (const Value& item : list) {
    if (item.string() == nullptr || item.string()->find(',') != std::string::npos) return wrong();
    joined += (joined.empty() ? "" : ",") + *item.string();
  }
  if (joined.empty()) return wrong();
  languages = std::move(joined);
  return {};
}

/// True if `is_true` is true of one of the languages.
bool has(const std::string& languages, bool (*is_true)(std::string_view)) {
  return std::ranges::any_of(engine::split_languages(languages), is_true);
}

/// Errors: invalid_argument if the option is true and no language of the index has compounds.
Status read_compounds(const Map& config, codec::TextOptions& text) {
  const bool has_some = has(text.language, engine::has_compounds);
  text.split_compounds = has_some;
  CAIRN_TRY(read_flag(config, "fulltext.compounds", text.split_compounds));
  if (has_some || !text.split_compounds) return {};
  return Error{ErrorCode::invalid_argument,
               "fulltext.compounds is true, but no language of fulltext.analyzer \"" +
                   text.language +
                   "\" has compounds; leave fulltext.compounds out, or name 'german', 'dutch', "
                   "'swedish', 'finnish', 'danish' or 'norwegian' in fulltext.analyzer",
               std::nullopt};
}

Status read_text_options(const Map& config, codec::TextOptions& text) {
  static constexpr std::string_view known[] = {
      "fulltext.analyzer", "fulltext.stop_words", "fulltext.code", "fulltext.k1",
      "fulltext.edge_ngrams", "fulltext.b", "fulltext.weights", "fulltext.elisions",
      "fulltext.compounds", "fulltext.features", "fulltext.fold_diacritics",
      // Neo4j's option; accepted, but indexes are always consistent.
      "fulltext.eventually_consistent"};
  CAIRN_TRY(check_names(config, "a full-text index", known));
  CAIRN_TRY(read_languages(config, text.language));
  // In English, accents do not distinguish words, and names are written with and without them. In
  // other languages an accent may make a different word ("schon", "schön").
  text.fold_diacritics = text.language == "english";
  CAIRN_TRY(read_flag(config, "fulltext.fold_diacritics", text.fold_diacritics));
  text.split_elisions = has(text.language, engine::has_elisions);
  CAIRN_TRY(read_flag(config, "fulltext.elisions", text.split_elisions));
  CAIRN_TRY(read_compounds(config, text));
  CAIRN_TRY(read_flag(config, "fulltext.features", text.mark_features));
  CAIRN_TRY(read_flag(config, "fulltext.stop_words", text.drop_stop_words));
  CAIRN_TRY(read_flag(config, "fulltext.code", text.split_code));
  std::uint32_t grams = 0;
  CAIRN_TRY(read_number(config, "fulltext.edge_ngrams", grams));
  text.gram_length = static_cast<std::uint8_t>(std::min<std::uint32_t>(grams, 255));
  CAIRN_TRY(read_float(config, "fulltext.k1", text.k1));
  CAIRN_TRY(read_float(config, "fulltext.b", text.b));
  return read_weights(config, text.weights);
}

/// Sets the kind of index and the given options. Other members keep their defaults.
/// Errors: type_error if OPTIONS is not a map; invalid_argument for an option that is unknown or
/// has an invalid value.
Status read_index_options(const SchemaCommand& command, ExecutionContext& context,
                          engine::IndexRequest& request) {
  if (command.kind == SchemaCommand::Kind::create_vector_index) {
    request.index_kind = codec::IndexKind::vector;
    CAIRN_ASSIGN(const Map config, index_config(command, context, "vector"));
    return read_vector_options(config, request);
  }
  if (command.kind == SchemaCommand::Kind::create_text_index) {
    CAIRN_ASSIGN(const Map config, index_config(command, context, "text"));
    return check_names(config, "a text index", {});
  }
  if (command.kind == SchemaCommand::Kind::create_full_text_index) {
    request.index_kind = codec::IndexKind::full_text;
    CAIRN_ASSIGN(const Map config, index_config(command, context, "fulltext"));
    return read_text_options(config, request.text);
  }
  return {};
}

using Kind = SchemaCommand::Kind;

// With IF NOT EXISTS or IF EXISTS, an error with the code `fine` counts as a success without
// changes. Other errors remain.
Status counted(const SchemaCommand& command, const Status& done, ErrorCode fine,
               std::uint64_t& count) {
  if (done) ++count;
  const bool is_fine = !done && command.if_exists_or_not && done.error().code == fine;
  return is_fine ? Status() : done;
}

codec::EntityKind entity_of(const SchemaCommand& command) {
  return command.on_relationship ? codec::EntityKind::relationship : codec::EntityKind::node;
}

}  // namespace

// The default time limit is not meant for building an index, so it does not end the work.
Status pulse_of_index(ExecutionContext& context) {
  constexpr std::uint64_t steps_a_record = 8;
  if (context.options.timeout != StatementOptions().timeout)
    return context.budget.step(steps_a_record);
  if (!context.budget.cancel().stop_requested()) return {};
  return Error{ErrorCode::cancelled, "the statement was cancelled", std::nullopt};
}

namespace {

// Indexes and constraints apply to the records of all namespaces. An error that is about some of these records is replaced
// if the caller may not use all namespaces.

constexpr std::string_view not_told = "; only a caller that may use all namespaces sees which ones";

Error told_to(const ExecutionContext& context, const engine::IndexRequest& request,
              const Error& error) {
  const bool is_about_a_record =
      error.message.starts_with("node ") || error.message.starts_with("relationship ");
  if (!context.options.listed_name_spaces || !is_about_a_record) return error;
  std::string names;
  for (const std::string& name : request.labels_or_types)
    names += (names.empty() ? ":" : "|") + name;
  return {
      error.code,
      "records with " + names + " have values that do not fit the index" + std::string(not_told),
      error.where};
}

Error told_to(const ExecutionContext& context, const engine::ConstraintRequest& request,
              const Error& error) {
  const bool is_about_records = error.message.find("(constraint \"") != std::string::npos;
  if (!context.options.listed_name_spaces || !is_about_records) return error;
  return {
      error.code,
      "records with :" + request.label_or_type + " violate the constraint" + std::string(not_told),
      error.where};
}

Status create_index(const SchemaCommand& command, ExecutionContext& context) {
  engine::IndexRequest request;
  request.name = command.name;
  request.kind = entity_of(command);
  request.labels_or_types = command.labels_or_types;
  request.properties = command.properties;
  CAIRN_TRY(read_index_options(command, context, request));
  Status created = context.writer->create_index(request, [&] { return pulse_of_index(context); });
  if (!created) created = told_to(context, request, created.error());
  return counted(command, created, ErrorCode::already_exists, context.changes.indexes_added);
}

// The index of a property answers STARTS WITH, ENDS WITH and CONTAINS as well, so a range index takes the place of a text
// index. Its name can be dropped as in Neo4j.
Status create_text_index(const SchemaCommand& command, ExecutionContext& context) {
  const std::uint64_t before = context.changes.indexes_added;
  CAIRN_TRY(create_index(command, context));
  if (context.changes.indexes_added > before)
    warn_once(context,
              "CREATE TEXT INDEX made a range index: every property is indexed already, also for "
              "CONTAINS, STARTS WITH and ENDS WITH, so nothing had to be built");
  return {};
}

Status create_lookup_index(const SchemaCommand& command, ExecutionContext& context) {
  CAIRN_ASSIGN(const Map config, index_config(command, context, "token-lookup"));
  CAIRN_TRY(check_names(config, "a lookup index", {}));
  warn_once(context, std::string("CREATE LOOKUP INDEX made nothing: ") +
                         (command.on_relationship ? "types" : "labels") +
                         " are always indexed, and SHOW INDEXES does not list that");
  return {};
}

/// True if SHOW INDEXES shows the caller an automatic index of this name.
Result<bool> knows_automatic(ExecutionContext& context, std::string_view name) {
  constexpr std::string_view of_nodes = "node.", of_relationships = "relationship.";
  if (name.starts_with(of_nodes))
    return is_used_path(context, codec::EntityKind::node,
                        std::string(name.substr(of_nodes.size())));
  if (name.starts_with(of_relationships))
    return is_used_path(context, codec::EntityKind::relationship,
                        std::string(name.substr(of_relationships.size())));
  return false;
}

/// For a caller that may not use all namespaces, there are only the indexes that it may know (known_indexes.hpp).
/// Errors: those of Writer::drop_index().
Status drop_index(ExecutionContext& context, std::string_view name) {
  if (!context.options.listed_name_spaces) return context.writer->drop_index(name);
  CAIRN_ASSIGN(const auto index, find_known_index(context, name));
  const bool is_constraint = context.graph.catalog().find_constraint(name).has_value();
  CAIRN_ASSIGN(const bool is_automatic, knows_automatic(context, name));
  if (index || is_constraint || is_automatic) return context.writer->drop_index(name);
  CAIRN_ASSIGN(std::string message, no_such_index(context, name));
  return Error{ErrorCode::not_found, std::move(message), std::nullopt};
}

codec::ConstraintKind constraint_kind(Kind kind) {
  if (kind == Kind::create_unique_constraint) return codec::ConstraintKind::unique;
  return kind == Kind::create_key_constraint ? codec::ConstraintKind::key
                                             : codec::ConstraintKind::not_null;
}

// IF NOT EXISTS does not suppress errors about records that violate the constraint.
Status create_constraint(const SchemaCommand& command, ExecutionContext& context) {
  engine::ConstraintRequest request;
  request.name = command.name;
  request.constraint_kind = constraint_kind(command.kind);
  request.kind = entity_of(command);
  request.label_or_type = command.labels_or_types.front();
  request.properties = command.properties;
  if (command.if_exists_or_not && engine::is_defined(request, context.graph.catalog())) return {};
  constexpr std::uint64_t steps_a_record = 8;
  const Status created = context.writer->create_constraint(
      request, [&] { return context.budget.step(steps_a_record); });
  if (!created) return told_to(context, request, created.error());
  ++context.changes.constraints_added;
  return {};
}

}  // namespace

Status run(const SchemaCommand& command, ExecutionContext& context) {
  switch (command.kind) {
    case Kind::create_range_index:
    case Kind::create_vector_index:
    case Kind::create_full_text_index:
      return create_index(command, context);
    case Kind::create_text_index:
      return create_text_index(command, context);
    case Kind::create_lookup_index:
      return create_lookup_index(command, context);
    case Kind::create_database:
      return create_database(context, command);
    case Kind::create_unique_constraint:
    case Kind::create_key_constraint:
    case Kind::create_not_null_constraint:
      return create_constraint(command, context);
    case Kind::drop_index:
      return counted(command, drop_index(context, command.name), ErrorCode::not_found,
                     context.changes.indexes_removed);
    case Kind::drop_constraint:
      return counted(command, context.writer->drop_constraint(command.name), ErrorCode::not_found,
                     context.changes.constraints_removed);
    case Kind::drop_name_space:
      break;
  }
  return needs_own_transactions();
}

}  // namespace cairn::query
