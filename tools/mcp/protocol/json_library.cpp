// The only file that compiles Boost.JSON; other files include its headers only.

#include <boost/json/src.hpp>
