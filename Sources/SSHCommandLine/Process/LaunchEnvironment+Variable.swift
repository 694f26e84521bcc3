import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension LaunchEnvironment {
    /// A variable of this process; an empty one counts as none.
    static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
