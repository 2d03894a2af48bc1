/* The structs of the public headers as a table. abi.def names the fields; sizes and offsets are the compiler's. */
#include <ksda/ksda.h>

/* Of a number; pointers, arrays, structs and enumerations are told apart by abi.def. */
#define NUMBER(type, name)                                                                                             \
    _Generic(((type *)0)->name, int                                                                                    \
             : KSDA_ABI_SIGNED, char                                                                                   \
             : KSDA_ABI_SIGNED, float                                                                                  \
             : KSDA_ABI_REAL, double                                                                                   \
             : KSDA_ABI_REAL, default                                                                                  \
             : KSDA_ABI_UNSIGNED)
#define FIELD(type, name, kind) {#name, offsetof(type, name), sizeof(((type *)0)->name), kind},
#define SCALAR(type, name) FIELD(type, name, NUMBER(type, name))
#define POINTER(type, name) FIELD(type, name, KSDA_ABI_POINTER)
#define STRUCT(type, name) FIELD(type, name, KSDA_ABI_STRUCT)
#define ARRAY(type, name) FIELD(type, name, KSDA_ABI_ARRAY)
#define ENUM(type, name) FIELD(type, name, KSDA_ABI_ENUM)
#define BEGIN(type) static const ksda_abi_field fields_of_##type[] = {
#define END(type)                                                                                                      \
    }                                                                                                                  \
    ;
#include "core/abi.def"
#undef BEGIN
#undef END
#undef FIELD

#define FIELD(type, name, kind)
#define BEGIN(type)
#define END(type) {#type, sizeof(type), sizeof fields_of_##type / sizeof *fields_of_##type, fields_of_##type},
static const ksda_abi_struct structs[] = {
#include "core/abi.def"
};

const ksda_abi_struct *ksda_abi(size_t *count) {
    *count = sizeof structs / sizeof *structs;
    return structs;
}
