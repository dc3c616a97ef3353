// What the tools and the Python module register: one function per kind.
#ifndef SDM_LIB_PIPELINES_REGISTRATION_H
#define SDM_LIB_PIPELINES_REGISTRATION_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::sdm {

/// Registers the sdm dialect, the upstream dialects that its levels use, and their translations to LLVM IR.
void registerSdmDialects(DialectRegistry &registry);

/// Registers every pass and named pipeline of the project, and the upstream passes that tests use. Safe to call again.
void registerSdmPasses();

} // namespace mlir::sdm

#endif // SDM_LIB_PIPELINES_REGISTRATION_H
