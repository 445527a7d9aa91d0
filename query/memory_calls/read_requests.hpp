#pragma once
// Requests of the memory calls as maps. The keys are the member names of the structures in cairn/memory.

#include "query/memory_calls/request_reader.hpp"

#include <cairn/memory/recall.hpp>
#include <cairn/memory/requests.hpp>
#include <cairn/result.hpp>
#include <cairn/value.hpp>

#include <string_view>

namespace cairn::query {

/// Reads the members of a SearchRequest.
void read_search(RequestReader& reader, memory::SearchRequest& request);
[[nodiscard]] Result<memory::SearchRequest> search_request(std::string_view call, const Map& map);
/// Reads a RecallRequest: its own members, those of its scope, `ranking` as a name, and `boosts`.
[[nodiscard]] Result<memory::RecallRequest> recall_request(const Map& map);
/// Reads an Update, except for its lifetime.
void read_update(RequestReader& reader, memory::Update& update);

// The lists with named criteria: the members that each has in addition to a SearchRequest.
void read_criteria(RequestReader& reader, memory::MessageCriteria& criteria);
void read_criteria(RequestReader& reader, memory::CognitiveCriteria& criteria);
void read_criteria(RequestReader& reader, memory::DocumentCriteria& criteria);
void read_criteria(RequestReader& reader, memory::TaskCriteria& criteria);
void read_list(RequestReader& reader, memory::EpisodeList& request);
void read_list(RequestReader& reader, memory::InsightList& request);

}  // namespace cairn::query
