# How every object is compiled and linked, besides warnings: hardened, and without a word about where it was built.
# KSDA_HARDEN=OFF leaves the choice to whoever sets CFLAGS and LDFLAGS. Sanitizers bring checks of their own, from which
# _FORTIFY_SOURCE would hide calls.
include(CheckCCompilerFlag)
include(CheckCSourceCompiles)
include(CheckLinkerFlag)
include(CheckPIESupported)

check_pie_supported() # links programs as position-independent executables where CMAKE_POSITION_INDEPENDENT_CODE is on

# add FLAG to every compilation where the compiler takes it without a warning
function(ksda_compile_option flag)
  string(MAKE_C_IDENTIFIER "KSDA_HAS${flag}" has)
  set(CMAKE_REQUIRED_FLAGS "-Werror")
  check_c_compiler_flag(${flag} ${has})
  if(${has})
    add_compile_options(${flag})
  endif()
endfunction()

function(ksda_link_option flag)
  string(MAKE_C_IDENTIFIER "KSDA_LINKS${flag}" has)
  check_linker_flag(C ${flag} ${has})
  if(${has})
    add_link_options(${flag})
  endif()
endfunction()

# Paths in debug information, __FILE__ and assertions are those inside the project.
ksda_compile_option(-ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
ksda_compile_option(-ffile-prefix-map=${CMAKE_BINARY_DIR}=./build) # the last one that fits is taken
if(KSDA_HARDEN AND NOT KSDA_SANITIZE)
  ksda_compile_option(-fstack-protector-strong)
  ksda_compile_option(-fstack-clash-protection)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i[3-6]86")
    ksda_compile_option(-fcf-protection)
  endif()
  # Needs optimization; -U because some compilers come with a level of their own. A level that the C library does not
  # know is a warning there, an error in the check.
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  if("${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${type}}" MATCHES "-O[1-3s]" AND NOT CMAKE_C_FLAGS MATCHES "_FORTIFY_SOURCE")
    set(CMAKE_REQUIRED_FLAGS "-Werror -O2 -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3")
    check_c_source_compiles("#include <string.h>
      #if !defined __GNUC__ || (!defined __clang__ && __GNUC__ < 12) || (defined __clang__ && __clang_major__ < 12)
      #error __builtin_dynamic_object_size is missing
      #endif
      int main(void) { return 0; }" KSDA_HAS_FORTIFY_3)
    unset(CMAKE_REQUIRED_FLAGS)
    add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=$<IF:$<BOOL:${KSDA_HAS_FORTIFY_3}>,3,2>)
  endif()
endif()
if(KSDA_HARDEN)
  foreach(flag -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
    ksda_link_option(${flag})
  endforeach()
endif()

# Installed files look for libraries where the system does, and nowhere else.
set(CMAKE_SKIP_INSTALL_RPATH ON)
