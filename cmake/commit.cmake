# Write OUTPUT, a header with the commit that is built, when it has changed: cmake -DSOURCE=... -DOUTPUT=... -P commit.cmake
# From a clone, git tells ("-dirty": with changes that are not committed); from a release, cmake/COMMIT does, into which
# `git archive` puts it; else it is not known. No date: the same commit makes the same command.
set(commit "")
if(EXISTS ${SOURCE}/.git)
  find_program(GIT git)
  if(GIT)
    execute_process(COMMAND ${GIT} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
      OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
else()
  file(STRINGS ${SOURCE}/cmake/COMMIT commit LIMIT_COUNT 1)
  string(REGEX MATCH "^[0-9a-f]+$" commit "${commit}")
  string(SUBSTRING "${commit}" 0 12 commit)
endif()
set(text "#define KSDA_COMMIT NULL\n")
if(commit)
  set(text "#define KSDA_COMMIT \"${commit}\"\n")
endif()
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "/* Made by cmake/commit.cmake. */\n${text}" @ONLY)
