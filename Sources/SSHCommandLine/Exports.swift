// The C library, for every file of this target and for the programs that are built from it.
#if canImport(Darwin)
    @_exported public import Darwin
#else
    @_exported public import Glibc
#endif
