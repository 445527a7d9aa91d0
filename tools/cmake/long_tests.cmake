# The tests that take longest, in seconds or in work for one core, without the prefix of the build; the longest first. They start
# before all others: a long one that starts last leaves cores without work. ctest itself knows what tests cost only in a
# directory in which it ran them before.
set(CAIRN_LONG_TESTS
  disk_test/power_cut_states
  cluster/ceph
  clients/javascript
  engine_scrub_test/scrub
  clients/tokenizers
  crash_test/crash
  home_test/home_simulation
  engine_damage_test/flipped_bits
  query_algorithm_test/graph_answers
  engine_test/vector_index_manager_files
  query_attach_test/index_build
  query_test/negated_membership
  mcp/clients
  crash_test/crash_at_point
  cluster_test/tenant_homes
  engine_scrub_crash_test/scrub_crash
  crash_test/crash_while_recovering
  model_test/filter
  model_test/history
  query_algorithm_test/graph_procedures_at_large
  query_segments_test/segments
  disk_test/failing_reads
  hostile_test/mutated_directory
  disk_test/full_disk
  vector_search_test/vector_searches
  engine_test/column_segment
  metamorphic_test/with_segments
  text_build_test/text_build
  clients/mcp
  cluster_test/home_follower
  query_memory_test/attached
  query_recall_test/attached)

# cairn_cost_of(<result> <test>): the property COST of a test: 0, or for a listed test a number, higher for an earlier start.
function(cairn_cost_of result test)
  string(REGEX REPLACE "^[a-z]+:" "" name "${test}")
  set(cost 0)
  list(FIND CAIRN_LONG_TESTS "${name}" place)
  if(NOT place EQUAL -1)
    math(EXPR cost "1000 - ${place}") # more than any that ctest has measured, in seconds
  endif()
  set(${result} ${cost} PARENT_SCOPE)
endfunction()
