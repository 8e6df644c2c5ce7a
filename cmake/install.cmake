# make install: the program, both libraries, the header, abut.pc and the CMake package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(ABUT_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/abut)
install(TARGETS abut_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES include/abut.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
set_target_properties(abut_shared PROPERTIES EXPORT_NAME abut)
set_target_properties(abut_static PROPERTIES EXPORT_NAME static)
install(TARGETS abut_shared EXPORT abutTargets DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(TARGETS abut_static EXPORT abutStaticTargets DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT abutTargets NAMESPACE abut:: DESTINATION ${ABUT_CMAKE_DIR})
install(EXPORT abutStaticTargets NAMESPACE abut:: DESTINATION ${ABUT_CMAKE_DIR})

configure_package_config_file(cmake/abutConfig.cmake.in ${CMAKE_BINARY_DIR}/abutConfig.cmake
                              INSTALL_DESTINATION ${ABUT_CMAKE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/abutConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/abutConfig.cmake ${CMAKE_BINARY_DIR}/abutConfigVersion.cmake
              cmake/dependencies.cmake DESTINATION ${ABUT_CMAKE_DIR})

# abut.pc finds its prefix from where it lies, so that the tree can be moved
file(RELATIVE_PATH ABUT_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" ABUT_PC_PREFIX "${ABUT_PC_PREFIX}")
set(ABUT_PC_PRIVATE "openblas, jansson, hdf5-serial")
if(NOT HDF5_MODULE_NAME STREQUAL "hdf5-serial")
  set(ABUT_PC_PRIVATE "openblas, jansson, hdf5")
endif()
set(ABUT_PC_LIBS "-lmetis -lgmp -lm -fopenmp")
if(ABUT_WITH_CHOLMOD)
  set(ABUT_PC_LIBS "-lcholmod ${ABUT_PC_LIBS}")
endif()
configure_file(cmake/abut.pc.in ${CMAKE_BINARY_DIR}/abut.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/abut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
