# LLVM 19, and the library models: compiled to bitcode for both data models, linked to one module each, embedded as bytes.
# Sets LLVM_INCLUDE, LLVM_LIBRARY and LIBRARY_MODELS (the generated source).

find_program(LLVM_CONFIG llvm-config-19 REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG} --bindir OUTPUT_VARIABLE LLVM_TOOLS OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${LLVM_CONFIG} --includedir OUTPUT_VARIABLE LLVM_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE)
execute_process(COMMAND ${LLVM_CONFIG} --libdir OUTPUT_VARIABLE LLVM_LIBRARY_FOLDER OUTPUT_STRIP_TRAILING_WHITESPACE)
find_library(LLVM_LIBRARY LLVM-19 REQUIRED HINTS ${LLVM_LIBRARY_FOLDER})
find_program(CLANG_19 clang-19 REQUIRED HINTS ${LLVM_TOOLS})
find_program(LLVM_LINK llvm-link REQUIRED HINTS ${LLVM_TOOLS})

set(MODEL_FOLDER ${CMAKE_SOURCE_DIR}/src/frontend/llvm/library)
file(GLOB MODEL_SOURCES CONFIGURE_DEPENDS ${MODEL_FOLDER}/*.c)
file(GLOB MODEL_HEADERS CONFIGURE_DEPENDS ${MODEL_FOLDER}/*.h)
set(MODEL_OUTPUT ${CMAKE_BINARY_DIR}/library)
file(MAKE_DIRECTORY ${MODEL_OUTPUT})

# As user programs are compiled (compile.c), without debug information: traces show the callers of models.
# Exceptions of C++ callbacks pass through models.
set(MODEL_FLAGS -c -emit-llvm -O1 -Xclang -disable-llvm-passes -Xclang -disable-lifetime-markers -fno-discard-value-names -ffreestanding -fno-builtin -fexceptions
                -std=gnu17 -Wall -Wextra)
foreach(bits 32 64)
  set(modules)
  foreach(source ${MODEL_SOURCES})
    get_filename_component(name ${source} NAME_WE)
    set(module ${MODEL_OUTPUT}/${name}.${bits}.bc)
    add_custom_command(
      OUTPUT ${module}
      COMMAND ${CLANG_19} ${MODEL_FLAGS} -m${bits} ${source} -o ${module}
      DEPENDS ${source} ${MODEL_HEADERS}
      COMMENT "Compiling the library model ${name} for ${bits} bits")
    list(APPEND modules ${module})
  endforeach()
  add_custom_command(
    OUTPUT ${MODEL_OUTPUT}/models.${bits}.bc
    COMMAND ${LLVM_LINK} ${modules} -o ${MODEL_OUTPUT}/models.${bits}.bc
    DEPENDS ${modules}
    COMMENT "Linking the library models for ${bits} bits")
endforeach()

set(LIBRARY_MODELS ${MODEL_OUTPUT}/models.c)
add_custom_command(
  OUTPUT ${LIBRARY_MODELS}
  COMMAND ${CMAKE_COMMAND} -DFOLDER=${MODEL_OUTPUT} -DOUTPUT=${LIBRARY_MODELS} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${MODEL_OUTPUT}/models.32.bc ${MODEL_OUTPUT}/models.64.bc ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding the library models")
