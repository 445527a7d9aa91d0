#pragma once
// GraphBuilder: a small graph written down in one expression, and a database made of it.

#include "tests/support/temporary_directory.hpp"

#include <cairn/database.hpp>
#include <cairn/options.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace cairn::test {

/// The value, or an exception that fails the test with the error's message.
template <class T>
T must(Result<T> result) {
  if (!result) throw std::runtime_error(result.error().message);
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// The options with the segments that CAIRN_TEST_SEGMENTS names, `always` or `never`: the tests run once with each.
[[nodiscard]] Options with_segments_of_run(Options options);

class HostProcess;

/// An open database in a directory that the destructor removes. With CAIRN_TEST_ATTACHED=1 another process opens it,
/// and this process attaches to that one.
class TemporaryDatabase {
 public:
  explicit TemporaryDatabase(const Options& options = {});
  TemporaryDatabase(const TemporaryDatabase&) = delete;
  TemporaryDatabase& operator=(const TemporaryDatabase&) = delete;
  ~TemporaryDatabase();

  [[nodiscard]] Database& operator*() { return *database_; }
  [[nodiscard]] Database* operator->() { return &*database_; }
  [[nodiscard]] std::filesystem::path path() const { return directory_->path() / "db"; }
  [[nodiscard]] const Options& options() const noexcept { return options_; }

  void close();
  void reopen();
  void reopen(const Options& options);

 private:
  std::unique_ptr<TemporaryDirectory> directory_;
  Options options_;
  std::unique_ptr<HostProcess> host_;  // where CAIRN_TEST_ATTACHED=1
  std::unique_ptr<Database> database_;
};

class GraphBuilder {
 public:
  GraphBuilder& node(const std::string& name, const std::string& label,
                     const Properties& properties = {});
  GraphBuilder& node(const std::string& name, std::vector<std::string> labels,
                     const Properties& properties = {});
  GraphBuilder& relate(const std::string& source, const std::string& type,
                       const std::string& target, const Properties& properties = {});

  /// Writes everything in one transaction. Names become external ids.
  void write(Database& database);
  /// The id of a named node. Call write() before.
  [[nodiscard]] NodeId id(const std::string& name) const { return ids_.at(name); }
  [[nodiscard]] std::unique_ptr<TemporaryDatabase> open_temporary(const Options& options = {});

 private:
  struct Relationship {
    std::string source, type, target;
    Properties properties;
  };
  std::vector<NewNode> nodes_;
  std::vector<Relationship> relationships_;
  std::map<std::string, NodeId> ids_;
};

}  // namespace cairn::test
