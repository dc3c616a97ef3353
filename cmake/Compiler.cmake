# What every target is compiled with.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/archive")
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# Precompiled headers are cacheable only without their time stamps.
find_program(SDM_CCACHE ccache)
if(SDM_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
      "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime" "${SDM_CCACHE}")
endif()

add_compile_options(-Wall -Wextra -Wno-unused-parameter -ffunction-sections -fdata-sections)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>" -fcolor-diagnostics)
  add_link_options(-fuse-ld=lld)
endif()
add_link_options(-Wl,--gc-sections -Wl,--as-needed)

# Needs libclang-rt-22-dev. Types at indirect calls are not checked: just-in-time code carries none.
if(SDM_SANITIZE)
  add_compile_options(-fsanitize=${SDM_SANITIZE} -fno-omit-frame-pointer -fno-sanitize=vptr,function)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" -print-file-name=libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so
                  OUTPUT_VARIABLE SDM_SANITIZER_RUNTIME OUTPUT_STRIP_TRAILING_WHITESPACE)
  cmake_path(GET SDM_SANITIZER_RUNTIME PARENT_PATH SDM_SANITIZER_FOLDER)
  add_link_options(-fsanitize=${SDM_SANITIZE} -shared-libsan "-Wl,-rpath,${SDM_SANITIZER_FOLDER}")
endif()
