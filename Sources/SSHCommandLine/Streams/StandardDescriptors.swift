#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where the standard descriptors lead.
enum StandardDescriptors {
    /// Whether standard output and standard error go to the same terminal, pipe or file.
    static var areOne: Bool {
        var (output, error) = (stat(), stat())
        guard fstat(1, &output) == 0, fstat(2, &error) == 0 else { return false }
        return output.st_dev == error.st_dev && output.st_ino == error.st_ino
    }
}
