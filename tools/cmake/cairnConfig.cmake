include("${CMAKE_CURRENT_LIST_DIR}/CairnLinkDependencies.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/cairnTargets.cmake")
