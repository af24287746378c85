# Writes the file INPUT as the array NAME (and NAME_size) to OUTPUT.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
file(WRITE ${OUTPUT} "#include <stddef.h>\nextern const char ${NAME}[];\nextern const size_t ${NAME}_size;\nconst char ${NAME}[] = {${bytes}0};\nconst size_t ${NAME}_size = sizeof ${NAME} - 1;\n")
