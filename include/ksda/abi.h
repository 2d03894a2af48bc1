/* ksda/abi.h: what the structs of these headers look like in the library that is running, for bindings from other
 * languages.
 *
 * A binding declares the structs once more in its own words. Whether they are those of the library it has loaded can be
 * asked when it starts:
 *
 *     size_t count;
 *     const ksda_abi_struct *s = ksda_abi(&count);
 *     for (size_t i = 0; i < count; i++) compare(s[i].name, s[i].size, s[i].field, s[i].fields);
 *
 * The table is compiled from the headers, so it cannot differ from them. Structs that begin with `size` may be larger
 * in a newer library, with further fields at the end; the others stay as they are (docs/abi.md). */
#ifndef KSDA_ABI_H
#define KSDA_ABI_H

#include <ksda/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a field holds. */
typedef enum ksda_abi_kind {
    KSDA_ABI_UNSIGNED = 0, /**< a whole number of `size` bytes, never negative */
    KSDA_ABI_SIGNED = 1,   /**< a whole number of `size` bytes */
    KSDA_ABI_REAL = 2,     /**< a floating-point number of `size` bytes */
    KSDA_ABI_POINTER = 3,  /**< to data or to a function */
    KSDA_ABI_STRUCT = 4,   /**< another struct of the table, by value */
    KSDA_ABI_ARRAY = 5,    /**< several of something, by value; a text where it is of bytes */
    KSDA_ABI_ENUM = 6      /**< a value of an enumeration, of `size` bytes */
} ksda_abi_kind;
/** "unsigned", "signed", "real", "pointer", "struct", "array" or "enum"; NULL for what is no value. Borrowed, static;
 *  any thread, O(1). */
KSDA_API const char *ksda_abi_kind_name(ksda_abi_kind value);
/** The value with that name. @param name NULL is none @param out set where there is one
 *  @return 1, or 0 where there is none: *out is then what it was. Any thread, O(1). */
KSDA_API int ksda_abi_kind_from_name(const char *name, ksda_abi_kind *out);

/** One field of a struct. */
typedef struct ksda_abi_field {
    const char *name;   /**< as in the header */
    uint32_t offset;    /**< from the beginning of the struct, in bytes */
    uint32_t size;      /**< in bytes */
    ksda_abi_kind kind; /**< what it holds */
} ksda_abi_field;

/** One struct. */
typedef struct ksda_abi_struct {
    const char *name;            /**< as in the header: "ksda_csr" */
    uint32_t size;               /**< in bytes */
    uint32_t fields;             /**< number of entries of field */
    const ksda_abi_field *field; /**< [fields] in the order of the header */
} ksda_abi_struct;

/** Every struct that the public headers define, by name in ascending order; handles such as ksda_ctx are not among
 * them.
 *  @param count receives the number of entries @return borrowed and static, never NULL. Any thread, O(1). */
KSDA_API const ksda_abi_struct *ksda_abi(size_t *count);

#ifdef __cplusplus
}
#endif
#endif
