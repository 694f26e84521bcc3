#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

extension SSHConfigContext {
    /// The facts of this process: its user and that user's home directory (passwd(5)), its host, and its environment.
    ///
    /// `Match exec` runs nothing with it: set ``SSHConfigContext/execute`` for that. A ProxyCommand gets PATH, HOME and USER alone.
    public static func process() -> SSHConfigContext {
        let entry = getpwuid(getuid())?.pointee
        func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? { pointer.map { String(cString: $0) } }
        let home = text(entry?.pw_dir) ?? variable("HOME") ?? "/"
        let user = text(entry?.pw_name) ?? variable("USER") ?? ""
        var context = SSHConfigContext(home: home, localUser: user, userID: getuid(), localHostName: hostName)
        context.variable = variable
        context.lookUp = { systemLookUp($0) }
        context.localAddresses = { interfaceAddresses() }
        context.environment = ["PATH", "HOME", "USER"].compactMap { name in variable(name).map { "\(name)=\($0)" } }
        return context
    }

    @Sendable private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static var hostName: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1025) { buffer in
            guard let name = buffer.baseAddress, gethostname(name, buffer.count) == 0 else { return "" }
            buffer[buffer.count - 1] = 0
            return String(cString: name)
        }
    }
}
