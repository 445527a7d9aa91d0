// Reads corpus.jsonl, queries.jsonl and qrels/test.tsv in BEIR's form, and makes a database of the
// corpus. Turns of a conversation are joined by NEXT, so that recall() can use the graph.
#include "tools/bench/retrieval_data.hpp"

#include <cairn/json.hpp>
#include <cairn/statement.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tuple>

namespace cairn::tools {
namespace {

/// The value of a member; null if it is absent.
const Value& at(const Map& map, const std::string& name) {
  static const Value none;
  const auto found = map.find(name);
  return found == map.end() ? none : found->second;
}

std::string text_at(const Map& map, const std::string& name) {
  const Value& value = at(map, name);
  return value.string() == nullptr ? std::string() : *value.string();
}

/// Reads one object per line and skips empty lines. Returns an error with the line number if a line
/// is not an object.
Result<std::vector<Map>> read_lines(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) return Error{ErrorCode::io_error, "cannot read " + file.string(), {}};
  std::vector<Map> lines;
  std::size_t number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.empty()) continue;
    const auto value = parse_json(line);
    if (!value || value->map() == nullptr)
      return Error{ErrorCode::invalid_argument,
                   file.string() + ": line " + std::to_string(number) + " is not an object of JSON",
                   {}};
    lines.push_back(*value->map());
  }
  return lines;
}

/// Metadata become properties, except for null values. Text and title replace metadata of the same
/// names.
Properties properties_of(const Map& document) {
  Properties properties;
  if (const Map* metadata = at(document, "metadata").map()) {
    for (const auto& [name, value] : *metadata)
      if (!value.is_null()) properties.emplace(name, value);
  }
  properties["text"] = text_at(document, "text");
  const std::string title = text_at(document, "title");
  if (!title.empty()) properties["title"] = title;
  return properties;
}

/// The vector of each document; empty without an embedder.
Result<std::vector<Vector>> embed_all(const std::vector<Map>& documents, const Embedder* embedder) {
  if (embedder == nullptr) return std::vector<Vector>();
  std::vector<std::string> texts;
  for (const Map& document : documents) texts.push_back(text_at(document, "text"));
  return embedder->embed_documents(std::vector<std::string_view>(texts.begin(), texts.end()));
}

/// Makes the index before the data is loaded, as an application would.
Status make_vector_index(const Embedder& embedder, Database& database) {
  CAIRN_TRY(execute(
      database,
      "CREATE VECTOR INDEX meanings FOR (d:Document) ON (d.embedding) OPTIONS {indexConfig: "
      "{`vector.dimensions`: " +
          std::to_string(embedder.dimension()) +
          ", `vector.similarity_function`: 'cosine', `vector.model`: $model}}",
      {{"model", embedder.model()}}));
  return {};
}

/// The position of a document in its conversation: conversation, session, turn, node.
using Place = std::tuple<std::string, std::string, std::int64_t, std::uint64_t>;

/// Adds the position of a document. Documents without a turn number do not belong to a
/// conversation.
void note_place(const Properties& properties, std::uint64_t node, std::vector<Place>& places) {
  const auto get = [&](const char* name) {
    const auto found = properties.find(name);
    return found == properties.end() ? Value() : found->second;
  };
  const Value turn = get("turn");
  if (turn.type() != ValueType::integer) return;
  places.emplace_back(get("conversation").to_text(), get("session").to_text(), turn.as_integer(),
                      node);
}

/// Joins consecutive turns within one session of one conversation: (turn 1)-[:NEXT]->(turn
/// 2)-[:NEXT]->...
Status join_turns(std::vector<Place> places, Transaction& transaction) {
  std::sort(places.begin(), places.end());
  for (std::size_t i = 1; i < places.size(); ++i) {
    const bool follows = std::get<0>(places[i - 1]) == std::get<0>(places[i]) &&
                         std::get<1>(places[i - 1]) == std::get<1>(places[i]);
    if (!follows) continue;
    CAIRN_TRY(transaction.create_relationship(
        {NodeId{std::get<3>(places[i - 1])}, "NEXT", NodeId{std::get<3>(places[i])}, {}}));
  }
  return {};
}

/// A record of several turns, by the name of its first document.
struct LongRecord {
  std::string first;
  std::size_t turns = 0;
};

/// Joins texts of turns of one speaker in one session into records. `record_of` maps each document to the first document
/// of its record.
std::vector<Map> join_texts(const std::vector<Map>& documents, std::size_t turns_in_record,
                            std::map<std::string, std::string>& record_of) {
  std::map<std::string, LongRecord> open;  // by conversation, session and speaker
  std::map<std::string, std::size_t> places;
  std::vector<Map> records;
  for (const Map& document : documents) {
    const Properties properties = properties_of(document);
    std::string group;
    for (const char* name : {"conversation", "session", "speaker"}) {
      const auto found = properties.find(name);
      if (found != properties.end()) group += found->second.to_text() + "\n";
    }
    const std::string id = text_at(document, "_id");
    LongRecord& record = open[group];
    if (record.turns == 0 || record.turns == turns_in_record) {
      record = {id, 0};
      places[id] = records.size();
      records.push_back(document);
    } else {
      Value& text = records[places[record.first]]["text"];
      text = Value(text.as_string() + "\n" + text_at(document, "text"));
    }
    ++record.turns;
    record_of[id] = record.first;
  }
  return records;
}

/// Reads BEIR's form: a header, then lines of query, document and gain. Skips gains of 0 and
/// documents that are not in the corpus.
Status read_relevance(const std::filesystem::path& file,
                      const std::map<std::string, std::uint64_t>& nodes,
                      std::map<std::string, std::map<std::uint64_t, double>>& wanted) {
  std::ifstream stream(file);
  if (!stream) return Error{ErrorCode::io_error, "cannot read " + file.string(), {}};
  std::string line;
  std::getline(stream, line);  // the names of the columns
  while (std::getline(stream, line)) {
    std::istringstream cells(line);
    std::string query, document;
    double gain = 0;
    if (!(cells >> query >> document >> gain)) continue;
    const auto node = nodes.find(document);
    if (node != nodes.end() && gain > 0) wanted[query][node->second] = gain;
  }
  return {};
}

}  // namespace

// Questions of one conversation are in the same half.
std::size_t half_of(const RetrievalQuery& query, std::size_t place) {
  std::size_t sum = query.filter.empty() ? place : 0;
  for (const auto& [name, value] : query.filter)
    for (const char letter : value.to_text()) sum += static_cast<unsigned char>(letter);
  return sum % 2;
}

// Adds documents in transactions of ten thousand. The external id is the document's `_id`.
Result<std::map<std::string, std::uint64_t>> load_corpus(const std::filesystem::path& directory,
                                                         Database& database,
                                                         const Embedder* embedder,
                                                         const CorpusForm& form) {
  CAIRN_ASSIGN(auto documents, read_lines(directory / "corpus.jsonl"));
  std::map<std::string, std::string> record_of;
  if (form.turns_in_record > 1) documents = join_texts(documents, form.turns_in_record, record_of);
  CAIRN_ASSIGN(const auto vectors, embed_all(documents, embedder));
  if (embedder != nullptr) CAIRN_TRY(make_vector_index(*embedder, database));
  std::string indexed;
  for (const std::string& property : form.indexed)
    indexed += (indexed.empty() ? "d." : ", d.") + property;
  CAIRN_TRY(execute(database, "CREATE FULLTEXT INDEX documents FOR (d:Document) ON EACH [" +
                                  indexed +
                                  "] OPTIONS {indexConfig: {`fulltext.features`: true}}"));
  std::map<std::string, std::uint64_t> nodes;
  std::vector<Place> places;
  std::size_t next = 0;
  CAIRN_ASSIGN(Transaction transaction, database.begin());
  for (const Map& document : documents) {
    Properties properties = properties_of(document);
    const Properties as_given = properties;
    if (form.edit) form.edit(properties);
    if (embedder != nullptr) properties["embedding"] = vectors[next++];
    const std::string id = text_at(document, "_id");
    CAIRN_ASSIGN(const NodeId node, transaction.create_node({{"Document"}, properties, id}));
    nodes[id] = node.value;
    if (form.joins_turns) note_place(as_given, node.value, places);
    if (nodes.size() % 10'000 != 0) continue;
    CAIRN_TRY(transaction.commit());
    CAIRN_ASSIGN(transaction, database.begin());
  }
  CAIRN_TRY(join_turns(std::move(places), transaction));
  CAIRN_TRY(transaction.commit());
  for (const auto& [document, record] : record_of) nodes[document] = nodes.at(record);
  return nodes;
}

Result<std::vector<std::string>> read_texts(const std::filesystem::path& directory) {
  CAIRN_ASSIGN(const auto documents, read_lines(directory / "corpus.jsonl"));
  std::vector<std::string> texts;
  for (const Map& document : documents) texts.push_back(text_at(document, "text"));
  return texts;
}

// Leaves out questions without a relevant document.
Result<std::vector<RetrievalQuery>> read_queries(
    const std::filesystem::path& directory, const std::map<std::string, std::uint64_t>& nodes) {
  std::map<std::string, std::map<std::uint64_t, double>> wanted;
  CAIRN_TRY(read_relevance(directory / "qrels" / "test.tsv", nodes, wanted));
  CAIRN_ASSIGN(const auto lines, read_lines(directory / "queries.jsonl"));
  std::vector<RetrievalQuery> queries;
  for (const Map& line : lines) {
    RetrievalQuery query;
    query.id = text_at(line, "_id");
    query.text = text_at(line, "text");
    if (const Map* metadata = at(line, "metadata").map()) query.metadata = *metadata;
    if (const Map* filter = at(query.metadata, "filter").map())
      query.filter = Properties(filter->begin(), filter->end());
    const auto relevant = wanted.find(query.id);
    if (relevant == wanted.end()) continue;
    query.wanted = relevant->second;
    queries.push_back(std::move(query));
  }
  return queries;
}

}  // namespace cairn::tools
