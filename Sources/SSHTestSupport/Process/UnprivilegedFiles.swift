import Foundation

/// Runs a closure in which file permissions bind this thread, even if the process is root's.
///
/// On Linux each thread has a user for its access to files (setfsuid(2)); root's privilege to ignore permissions goes with it.
/// Elsewhere the closure runs as it is, so the tests must not run as root there.
public enum UnprivilegedFiles {
    /// The user and group "nobody".
    private static let nobody: UInt32 = 65534

    /// Runs `body`, which must not change its thread.
    public static func access<Result>(_ body: () throws -> Result) rethrows -> Result {
        #if os(Linux)
            guard geteuid() == 0 else { return try body() }
            let (user, group) = (getuid(), getgid())
            set("setfsgid", nobody)
            set("setfsuid", nobody)
            defer {
                set("setfsuid", user)
                set("setfsgid", group)
            }
        #endif
        return try body()
    }

    #if os(Linux)
        /// Calls a function of <sys/fsuid.h>, which Swift's module of the C library leaves out.
        private static func set(_ function: String, _ id: UInt32) {
            typealias Function = @convention(c) (UInt32) -> Int32
            guard let address = dlsym(nil, function) else { fatalError("The C library has no \(function).") }
            let call = unsafeBitCast(address, to: Function.self)
            _ = call(id)
            // It returns the previous id, and no error.
            guard call(id) == Int32(bitPattern: id) else { fatalError("\(function)(\(id)) failed.") }
        }
    #endif
}
