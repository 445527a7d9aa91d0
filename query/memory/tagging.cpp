// The memory calls of the tagging rules: each is one transaction around the steps in tag_runs.

#include "engine/view/view.hpp"
#include "engine/write/writer.hpp"
#include "query/memory/memory_impl.hpp"
#include "query/tags/tag_runs.hpp"

#include <utility>

namespace cairn::memory {

Status Memory::put_tag_rule(const TagRule& rule) {
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  CAIRN_TRY(query::put_tag_rule(writing.writer(), impl_->statement_options(), rule));
  return writing.commit();
}

// Where there is no such rule nothing is committed.
Result<bool> Memory::erase_tag_rule(std::string_view name) {
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  CAIRN_ASSIGN(const bool erased,
               query::erase_tag_rule(writing.writer(), impl_->statement_options(), name));
  if (erased) CAIRN_TRY(writing.commit());
  return erased;
}

Result<std::vector<TagRule>> Memory::tag_rules() const {
  CAIRN_ASSIGN(const auto view, impl_->view(false));
  return query::read_tag_rules(*view, impl_->statement_options());
}

// A dry run plans and leaves it at that, hidden records included if asked for.
Result<TagRun> Memory::apply_tag_rules(const SearchRequest& selection, const BulkOptions& options) {
  const StatementOptions statement = impl_->statement_options();
  if (options.dry_run) {
    CAIRN_ASSIGN(const auto view, impl_->view(selection.include_deleted));
    CAIRN_ASSIGN(const auto ids, selected_ids(*impl_, *view, selection));
    return query::plan_tag_run(*view, statement, ids);
  }
  if (selection.include_deleted)
    return Error{ErrorCode::unsupported, "deleted records must be restored to be tagged", {}};
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  engine::Writer& writer = writing.writer();
  CAIRN_ASSIGN(const auto ids, selected_ids(*impl_, writer.view(), selection));
  CAIRN_ASSIGN(TagRun run, query::plan_tag_run(writer.view(), statement, ids));
  CAIRN_TRY(query::write_tag_run(writer, run, impl_->now()));
  if (run.id) CAIRN_TRY(writing.commit());
  return run;
}

Result<std::uint64_t> Memory::undo_tag_run(NodeId run) {
  CAIRN_ASSIGN(Writing writing, Writing::begin(*impl_));
  CAIRN_ASSIGN(
      const std::uint64_t records,
      query::undo_tag_run(writing.writer(), impl_->statement_options(), run, impl_->now()));
  CAIRN_TRY(writing.commit());
  return records;
}

}  // namespace cairn::memory
