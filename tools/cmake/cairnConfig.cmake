# Needed with the static library only.
include("${CMAKE_CURRENT_LIST_DIR}/CairnLinkDependencies.cmake" OPTIONAL)
include("${CMAKE_CURRENT_LIST_DIR}/cairnTargets.cmake")
