#include "tests/support/graph_builder.hpp"

#ifdef CAIRN_ATTACH_HOST
#include "tests/support/host_process.hpp"
#endif

#include <cstdlib>
#include <string_view>

namespace cairn::test {
#ifndef CAIRN_ATTACH_HOST
class HostProcess {};  // the engine alone has nothing to attach with
#endif

namespace {

#ifdef CAIRN_ATTACH_HOST
/// Whether the test opens the database in another process and attaches to it, which tests that the
/// public calls do the same there.
bool can_attach(const Options& options) {
  static const char* const said = std::getenv("CAIRN_TEST_ATTACHED");
  return said != nullptr && *said == '1' && options.mode == OpenMode::read_write && !options.repair;
}
#endif

}  // namespace

Options with_segments_of_run(Options options) {
  static const char* const said = std::getenv("CAIRN_TEST_SEGMENTS");
  if (said != nullptr && std::string_view(said) == "always") options.segments = Segments::always;
  if (said != nullptr && std::string_view(said) == "never") options.segments = Segments::never;
  return options;
}

TemporaryDatabase::TemporaryDatabase(const Options& options)
    : directory_(std::make_unique<TemporaryDirectory>()), options_(with_segments_of_run(options)) {
  reopen();
}

void TemporaryDatabase::close() {
  if (database_ != nullptr) must(database_->close());
  database_.reset();
  host_.reset();
}

TemporaryDatabase::~TemporaryDatabase() = default;

void TemporaryDatabase::reopen() {
  close();
#ifdef CAIRN_ATTACH_HOST
  if (can_attach(options_)) {
    host_ = std::make_unique<HostProcess>(path(), options_);
    Options options = options_;
    options.share = Share::attach_only;
    database_ = std::make_unique<Database>(must(Database::open(path(), options)));
    return;
  }
#endif
  database_ = std::make_unique<Database>(must(Database::open(path(), options_)));
}

void TemporaryDatabase::reopen(const Options& options) {
  options_ = with_segments_of_run(options);
  reopen();
}

GraphBuilder& GraphBuilder::node(const std::string& name, const std::string& label,
                                 const Properties& properties) {
  return node(name, std::vector<std::string>{label}, properties);
}

GraphBuilder& GraphBuilder::node(const std::string& name, std::vector<std::string> labels,
                                 const Properties& properties) {
  nodes_.push_back({std::move(labels), properties, name});
  return *this;
}

GraphBuilder& GraphBuilder::relate(const std::string& source, const std::string& type,
                                   const std::string& target, const Properties& properties) {
  relationships_.push_back({source, type, target, properties});
  return *this;
}

void GraphBuilder::write(Database& database) {
  Transaction transaction = must(database.begin());
  for (const NewNode& node : nodes_) {
    ids_[node.external_id] = must(transaction.create_node(node));
  }
  for (const Relationship& entry : relationships_) {
    must(transaction.create_relationship(
        {ids_.at(entry.source), entry.type, ids_.at(entry.target), entry.properties}));
  }
  must(transaction.commit());
}

std::unique_ptr<TemporaryDatabase> GraphBuilder::open_temporary(const Options& options) {
  auto database = std::make_unique<TemporaryDatabase>(options);
  write(**database);
  return database;
}

}  // namespace cairn::test
