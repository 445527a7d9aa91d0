#pragma once
// Host: serves the processes that are attached to a database of this one, over the socket in its directory.

#include "engine/database/handles.hpp"
#include "engine/system/process.hpp"
#include "query/attach/commits_under_way.hpp"
#include "query/bolt/attached.hpp"
#include "query/bolt/listener_impl.hpp"

#include <cairn/database.hpp>

#include <filesystem>
#include <memory>

namespace cairn::query::attach {

class Host final : public engine::Hosting, private bolt::AttachedCalls {
 public:
  /// Listen, and say so in HOST. Errors: io_error, resource_limit.
  [[nodiscard]] static Result<std::unique_ptr<Host>> open(const Database& database,
                                                          const std::filesystem::path& directory,
                                                          const Options& options);
  ~Host() override { close(); }

  std::vector<std::int64_t> attached() const override;
  void close() override;

 private:
  Host(std::filesystem::path directory, const Options& options, std::string database_id)
      : directory_(std::move(directory)),
        file_root_(options.file_root),
        database_id_(std::move(database_id)) {}

  Result<Value> call(std::string_view name, const Map& arguments,
                     const bolt::CallPlace& place) override;
  Result<Map> greet(const Map& said) override;
  Status begin_commit(const bolt::CommitNote& note) override { return commits_.begin(note); }
  void end_commit(const bolt::CommitNote& note) noexcept override { commits_.end(note); }
  [[nodiscard]] Status write_host_file() const;

  const engine::Process process_;
  CommitsUnderWay commits_;
  const std::filesystem::path directory_;
  const std::filesystem::path file_root_;
  const std::string database_id_;
  std::unique_ptr<BoltListener::Impl> listener_;
};

}  // namespace cairn::query::attach
