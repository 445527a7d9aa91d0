// The one file that compiles Boost.JSON, which the other files use by its headers.

#include <boost/json/src.hpp>
