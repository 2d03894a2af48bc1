# Everything `make install` puts under the prefix: the command, both libraries, headers, ksda.pc, the CMake package, shell
# completions, man pages, JSON schemas, the Python package, and the documents, which lie to each other as they do here so that their links work.
include(CMakePackageConfigHelpers)

if(KSDA_WITH_GLPK)
  install(CODE "message(FATAL_ERROR \"built with GLPK, which is under the GPL: for tests and benchmarks, not to be installed; configure with -DKSDA_WITH_GLPK=OFF\")")
endif()
install(TARGETS ksda RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/ksda DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(FILES README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc)
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT doc
  PATTERN CMakeLists.txt EXCLUDE PATTERN docs/man EXCLUDE PATTERN docs/help EXCLUDE PATTERN docs/schema EXCLUDE)

install(DIRECTORY docs/schema/ DESTINATION ${CMAKE_INSTALL_DATADIR}/ksda/schema COMPONENT schema)

set_target_properties(ksda_shared PROPERTIES EXPORT_NAME ksda)
install(TARGETS ksda_shared EXPORT ksdaTargets LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ksda_static EXPORT ksdaStaticTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
set(KSDA_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/ksda)
foreach(set ksdaTargets ksdaStaticTargets)
  install(EXPORT ${set} NAMESPACE ksda:: DESTINATION ${KSDA_CMAKE_DIR})
endforeach()
set(KSDA_CONFIG_CBC "")
if(CBC_FOUND)
  set(KSDA_CONFIG_CBC "\"CBC cbc\"")
endif()
configure_package_config_file(cmake/ksdaConfig.cmake.in ${CMAKE_BINARY_DIR}/ksdaConfig.cmake INSTALL_DESTINATION ${KSDA_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/ksdaConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/ksdaConfig.cmake ${CMAKE_BINARY_DIR}/ksdaConfigVersion.cmake DESTINATION ${KSDA_CMAKE_DIR})

# --- pkg-config -----------------------------------------------------------------------------------------------------
file(RELATIVE_PATH KSDA_PC_TO_PREFIX "/p/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/p")
string(REGEX REPLACE "/$" "" KSDA_PC_TO_PREFIX "${KSDA_PC_TO_PREFIX}")
set(KSDA_PC_REQUIRES "zlib expat libzstd jansson")
set(KSDA_PC_LIBS "-lm -pthread")
if(CBC_FOUND)
  string(APPEND KSDA_PC_REQUIRES " cbc")
endif()
if("KSDA_HAVE_METIS" IN_LIST KSDA_DEFS)
  set(KSDA_PC_LIBS "-lmetis ${KSDA_PC_LIBS}")
endif()
configure_file(ksda.pc.in ${CMAKE_BINARY_DIR}/ksda.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/ksda.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# --- Python ---------------------------------------------------------------------------------------------------------
# Where Python looks below this prefix; it finds the library from there. Debian's own packages lie in a folder without a version.
find_program(KSDA_PYTHON python3)
set(KSDA_PYTHON_DIR "" CACHE STRING "Where the Python package goes, below the prefix; by default where python3 looks for it")
if(KSDA_PYTHON_DIR STREQUAL "" AND KSDA_PYTHON)
  execute_process(COMMAND ${KSDA_PYTHON} -c "import sys; print('python%d.%d' % sys.version_info[:2])"
    OUTPUT_VARIABLE KSDA_PYTHON_VERSION OUTPUT_STRIP_TRAILING_WHITESPACE)
  install(CODE "
    if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\" AND EXISTS /etc/debian_version)
      set(python lib/python3/dist-packages)
    elseif(CMAKE_INSTALL_PREFIX STREQUAL \"/usr/local\" AND EXISTS /etc/debian_version)
      set(python lib/${KSDA_PYTHON_VERSION}/dist-packages)
    else()
      set(python lib/${KSDA_PYTHON_VERSION}/site-packages)
    endif()
    file(INSTALL \"${CMAKE_SOURCE_DIR}/python/ksda\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/\${python}\" FILES_MATCHING
      PATTERN \"*.py\" PATTERN \"py.typed\" PATTERN \"__pycache__\" EXCLUDE)")
elseif(KSDA_PYTHON_DIR)
  install(DIRECTORY python/ksda DESTINATION ${KSDA_PYTHON_DIR} FILES_MATCHING PATTERN "*.py" PATTERN "py.typed"
    PATTERN "__pycache__" EXCLUDE)
endif()

# --- completions and man pages --------------------------------------------------------------------------------------
include(cmake/man.cmake)
if(NOT CMAKE_CROSSCOMPILING)
  set(COMPLETION ${CMAKE_BINARY_DIR}/completion)
  file(MAKE_DIRECTORY ${COMPLETION})
  add_custom_command(TARGET ksda POST_BUILD
    COMMAND ksda completion bash > ${COMPLETION}/ksda
    COMMAND ksda completion zsh > ${COMPLETION}/_ksda
    COMMAND ksda completion fish > ${COMPLETION}/ksda.fish VERBATIM)
  install(FILES ${COMPLETION}/ksda DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${COMPLETION}/_ksda DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
  install(FILES ${COMPLETION}/ksda.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()
