# Make a C file that holds the bytes of INPUT as the string NAME: cmake -DINPUT=... -DOUTPUT=... -DNAME=... -P embed.cmake
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){20})" "\\1\n    " bytes "${bytes}")
file(WRITE ${OUTPUT} "/* Made from ${NAME}. */\nextern const char ${NAME}[];\nconst char ${NAME}[] = {\n    ${bytes}0};\n")
