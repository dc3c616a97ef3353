# LLVM and MLIR 22 from the distribution's archive, linked statically (wheels) or shared (quick builds).
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)
list(APPEND CMAKE_MODULE_PATH "${MLIR_CMAKE_DIR}" "${LLVM_CMAKE_DIR}")
include(TableGen)
include(AddLLVM)
include(AddMLIR)

# mlir-tblgen looks for its inputs where the directory's include path points.
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories("${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")

# What every file of ours compiles against, and what a final binary links.
add_library(SdmMlirHeaders INTERFACE)
separate_arguments(SDM_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(SdmMlirHeaders INTERFACE ${SDM_LLVM_DEFINITIONS})

add_library(SdmMlir INTERFACE)
target_link_libraries(SdmMlir INTERFACE SdmMlirHeaders)

if(SDM_SHARED_MLIR)
  target_link_libraries(SdmMlir INTERFACE MLIR LLVM)
endif()

# Every exported MLIR archive names the shared LLVM; a static link must not, and a shared one has it already.
set(SDM_MLIR_ARCHIVES)
foreach(target IN LISTS MLIR_EXPORTED_TARGETS)
  get_target_property(kind ${target} TYPE)
  if(NOT kind STREQUAL "STATIC_LIBRARY")
    continue()
  endif()
  get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
  if(links AND NOT SDM_SHARED_MLIR)
    list(REMOVE_ITEM links LLVM "$<LINK_ONLY:LLVM>")
    set_target_properties(${target} PROPERTIES INTERFACE_LINK_LIBRARIES "${links}")
  endif()
  # The linker takes only the members that are used, so naming all archives costs nothing in size.
  if(target MATCHES "^MLIR" AND NOT target MATCHES "CAPI|Python|ExecutionEngine|Test|ROCm|Cuda|AMDGPU|ROCDL|XeGPU|XeVM|SPIRV|SPIRV|Wasm|Emit|Tosa|Shard|Linalg|Sparse|OpenACC|OpenMP|Quant|LspServer|Reduce|Query|PDLL|Sycl|Levelzero|Mpi|MPI|ArmSME|ArmSVE|ArmNeon|AMX|X86Vector|MLProgram|SMT|IRDL|TblgenLib|TableGen|TargetCpp|RegisterAll|Transform(Dialect|IR|PDL|Debug|Loop|Tune|SMT)|TransformUtilsPDL|.*TransformOps")
    list(APPEND SDM_MLIR_ARCHIVES ${target})
  endif()
endforeach()

if(NOT SDM_SHARED_MLIR)
  # LLVMSupport names the shared zstd and zlib, and z3, which nothing here uses.
  find_library(SDM_LIBZ_STATIC NAMES libz.a REQUIRED)
  find_library(SDM_LIBZSTD_STATIC NAMES libzstd.a REQUIRED)
  set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES
                        "rt;dl;m;${SDM_LIBZSTD_STATIC};${SDM_LIBZ_STATIC};LLVMDemangle")
  llvm_map_components_to_libnames(SDM_LLVM_ARCHIVES
    core support nvptxcodegen nvptxdesc nvptxinfo native nativecodegen orcjit target analysis passes)
  target_link_libraries(SdmMlir INTERFACE ${SDM_MLIR_ARCHIVES} ${SDM_LLVM_ARCHIVES})
endif()
