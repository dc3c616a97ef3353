// sdm-opt: runs the project's passes over a file of MLIR.
#include "lib/Pipelines/Registration.h"

#include "mlir/IR/DialectRegistry.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::sdm::registerSdmDialects(registry);
  mlir::sdm::registerSdmPasses();
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "sdm optimizer driver\n", registry));
}
