# One program per tests/test_*.c, run by ctest and by tools/test.sh; tests/long_*.c likewise for
# `make test-long`; helper programs in tests/tools; examples; benchmarks.
pkg_check_modules(CMOCKA REQUIRED IMPORTED_TARGET cmocka)

function(abut_program name source)
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE src tests ${METIS_INCLUDE} ${GMP_INCLUDE})
  target_compile_definitions(${name} PRIVATE ABUT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE abut_static abut_flags)
  if(ABUT_WITH_CHOLMOD)
    target_include_directories(${name} PRIVATE ${CHOLMOD_INCLUDE})
    target_compile_definitions(${name} PRIVATE ABUT_WITH_CHOLMOD)
  endif()
endfunction()

add_custom_target(abut_tests)
add_custom_target(abut_long_tests)
add_custom_target(abut_examples)
add_custom_target(abut_benchmarks)

file(GLOB sources CONFIGURE_DEPENDS tests/test_*.c)
foreach(source ${sources})
  get_filename_component(name ${source} NAME_WE)
  abut_program(${name} ${source})
  target_link_libraries(${name} PRIVATE PkgConfig::CMOCKA)
  add_dependencies(${name} abut_cli) # some tests run the program as a user would
  add_dependencies(abut_tests ${name})
  add_test(NAME ${name} COMMAND ${name})
  # many programs beside each other: waiting threads must not keep the processors busy
  set_tests_properties(${name} PROPERTIES ENVIRONMENT "OMP_WAIT_POLICY=passive")
endforeach()

file(GLOB sources CONFIGURE_DEPENDS tests/long_*.c)
foreach(source ${sources})
  get_filename_component(name ${source} NAME_WE)
  abut_program(${name} ${source})
  target_link_libraries(${name} PRIVATE PkgConfig::CMOCKA)
  add_dependencies(${name} abut_cli)
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(abut_long_tests ${name})
endforeach()

file(GLOB sources CONFIGURE_DEPENDS tests/tools/*.c)
foreach(source ${sources})
  get_filename_component(name ${source} NAME_WE)
  abut_program(${name} ${source})
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(abut_long_tests ${name})
endforeach()

# examples see the public header alone
file(GLOB sources CONFIGURE_DEPENDS examples/*.c)
foreach(source ${sources})
  get_filename_component(name ${source} NAME_WE)
  add_executable(example_${name} ${source})
  target_link_libraries(example_${name} PRIVATE abut_shared abut_flags m)
  add_dependencies(abut_examples example_${name})
endforeach()

# in lanes, as src/energy/lanes.c
set_source_files_properties(bench/bench_solid.c PROPERTIES COMPILE_OPTIONS -Wno-psabi)
file(GLOB sources CONFIGURE_DEPENDS bench/*.c)
foreach(source ${sources})
  get_filename_component(name ${source} NAME_WE)
  abut_program(${name} ${source})
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  add_dependencies(abut_benchmarks ${name})
endforeach()
