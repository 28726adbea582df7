include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/layerkey")
set(arch_independent ARCH_INDEPENDENT)

install(TARGETS layerkey_core layerkey_layerkey EXPORT layerkeyTargets FILE_SET HEADERS)
install(EXPORT layerkeyTargets NAMESPACE layerkey:: DESTINATION "${package_dir}")
# Exports of their own: who uses the headers only needs no LLVM and no LMDB.
if(LAYERKEY_WITH_STORE)
  install(TARGETS layerkey_store EXPORT layerkeyStoreTargets FILE_SET HEADERS)
  install(EXPORT layerkeyStoreTargets NAMESPACE layerkey:: DESTINATION "${package_dir}")
  unset(arch_independent)
endif()
if(LAYERKEY_WITH_LLVM)
  install(TARGETS layerkey_llvm EXPORT layerkeyLlvmTargets FILE_SET HEADERS)
  install(EXPORT layerkeyLlvmTargets NAMESPACE layerkey:: DESTINATION "${package_dir}")
  unset(arch_independent)
endif()

configure_package_config_file(cmake/layerkeyConfig.cmake.in layerkeyConfig.cmake
                              INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file(layerkeyConfigVersion.cmake COMPATIBILITY SameMinorVersion
                                 ${arch_independent})
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/layerkeyConfig.cmake"
              "${CMAKE_CURRENT_BINARY_DIR}/layerkeyConfigVersion.cmake"
        DESTINATION "${package_dir}")

configure_file(cmake/layerkey.pc.in layerkey.pc @ONLY)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/layerkey.pc"
        DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/pkgconfig")
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}")
