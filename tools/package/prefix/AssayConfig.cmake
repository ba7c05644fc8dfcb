# find_package(Assay COMPONENTS engine numerics)
#
#   Assay::engine     sampling engine and statistics
#   Assay::numerics   references and verdicts; needs LIBTORCH_PATH (a variable of CMake or of the environment): the site-packages folder
#                     of an installed torch of the version that Assay was built with
#
# Not for torch's own find_package(Torch), which wants a CUDA toolkit: nothing here compiles for a GPU.
set(Assay_VERSION "@VERSION@")
get_filename_component(_assay_prefix "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
include(CMakeFindDependencyMacro)
find_dependency(Threads)

function(_assay_library name)
  if(TARGET Assay::${name} OR NOT EXISTS "${_assay_prefix}/lib/libassay_${name}.a")
    return()
  endif()
  add_library(Assay::${name} STATIC IMPORTED)
  set_target_properties(Assay::${name} PROPERTIES
    IMPORTED_LOCATION "${_assay_prefix}/lib/libassay_${name}.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_assay_prefix}/include"
    INTERFACE_COMPILE_FEATURES cxx_std_20
    INTERFACE_LINK_LIBRARIES "${ARGN}")
endfunction()

_assay_library(engine Threads::Threads ${CMAKE_DL_LIBS})
set(Assay_engine_FOUND ${_assay_prefix})

if("numerics" IN_LIST Assay_FIND_COMPONENTS)
  if(NOT LIBTORCH_PATH)
    set(LIBTORCH_PATH "$ENV{LIBTORCH_PATH}")
  endif()
  if(NOT EXISTS "${_assay_prefix}/lib/libassay_numerics.a")
    set(_assay_lacking "the prefix was installed with --without-libtorch")
  elseif(NOT EXISTS "${LIBTORCH_PATH}/torch/lib/libtorch_cpu.so")
    set(_assay_lacking "LIBTORCH_PATH=${LIBTORCH_PATH} holds no torch/lib/libtorch_cpu.so: name the site-packages folder of an installed torch")
  endif()
  if(_assay_lacking)
    set(Assay_numerics_FOUND FALSE)
  else()
    find_dependency(Protobuf)
    find_dependency(OpenSSL COMPONENTS Crypto)
    find_dependency(ZLIB)
    foreach(_assay_name c10 torch_cpu)
      if(NOT TARGET Assay::${_assay_name})
        add_library(Assay::${_assay_name} SHARED IMPORTED)
        set_property(TARGET Assay::${_assay_name} PROPERTY IMPORTED_LOCATION "${LIBTORCH_PATH}/torch/lib/lib${_assay_name}.so")
      endif()
    endforeach()
    _assay_library(numerics Assay::engine ${Protobuf_LIBRARIES} OpenSSL::Crypto ZLIB::ZLIB Assay::torch_cpu Assay::c10)
    # After the system's folders: a wheel of torch carries headers of another protobuf.
    set_property(TARGET Assay::numerics PROPERTY INTERFACE_COMPILE_OPTIONS
      "SHELL:-idirafter ${LIBTORCH_PATH}/torch/include" "SHELL:-idirafter ${LIBTORCH_PATH}/torch/include/torch/csrc/api/include")
    set(Assay_numerics_FOUND TRUE)
  endif()
endif()

foreach(_assay_name IN LISTS Assay_FIND_COMPONENTS)
  if(Assay_FIND_REQUIRED_${_assay_name} AND NOT Assay_${_assay_name}_FOUND)
    set(Assay_FOUND FALSE)
    set(Assay_NOT_FOUND_MESSAGE "Assay's component ${_assay_name}: ${_assay_lacking}")
  endif()
endforeach()
