# What find_package(llhttp) reads: llhttp::llhttp_shared and llhttp::llhttp_static, as far as they are installed, and
# llhttp::llhttp for the shared one, or the static one if it is alone.

include("${CMAKE_CURRENT_LIST_DIR}/llhttp-targets.cmake")

if(NOT TARGET llhttp::llhttp)
  add_library(llhttp::llhttp INTERFACE IMPORTED)
  if(TARGET llhttp::llhttp_shared)
    set_target_properties(llhttp::llhttp PROPERTIES INTERFACE_LINK_LIBRARIES llhttp::llhttp_shared)
  else()
    set_target_properties(llhttp::llhttp PROPERTIES INTERFACE_LINK_LIBRARIES llhttp::llhttp_static)
  endif()
endif()

# The package has no components; one that is required is missing.
foreach(component IN LISTS llhttp_FIND_COMPONENTS)
  if(llhttp_FIND_REQUIRED_${component})
    set(llhttp_FOUND FALSE)
    set(llhttp_NOT_FOUND_MESSAGE "llhttp has no component ${component}")
  endif()
endforeach()
