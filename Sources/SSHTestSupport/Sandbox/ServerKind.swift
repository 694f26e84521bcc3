import Foundation

/// Which program serves SSH in a sandbox.
public enum ServerKind: String, Sendable, Hashable, CaseIterable {
    /// OpenSSH's sshd.
    case openSSH = "openssh"
    /// Dropbear. It supports the options for users, keys, addresses and host keys, but no configuration.
    case dropbear

    /// The name of the process that listens.
    var processName: String { self == .openSSH ? "sshd" : "dropbear" }

    /// The log text that shows that the server accepts connections.
    var readySign: String { self == .openSSH ? "Server listening on" : "Not backgrounding" }

    /// The limit of unauthenticated connections. The server closes further connections at once.
    ///
    /// Dropbear accepts at most five of them from one address (its default_options.h).
    public var unauthenticatedLimit: Int { self == .openSSH ? 500 : 30 }

    /// The command line that starts it in the foreground, inside the sandbox.
    func command(_ options: SSHDSandbox.Options, port: Int) -> [String] {
        switch self {
        case .openSSH: return [options.sshd, "-D", "-e", "-f", "/etc/ssh/sshd_config"]
        case .dropbear:
            // Dropbear reads keys in its own format only.
            let names = options.hostKeys.map(ServerConfiguration.hostKeyFile)
            let convert = names.map { "dropbearconvert openssh dropbear /etc/ssh/\($0) /run/\($0) >&2 && " }.joined()
            let address = options.listenAddress.contains(":") ? "[\(options.listenAddress)]" : options.listenAddress
            let keys = names.map { " -r /run/\($0)" }.joined()
            return ["/bin/sh", "-c", "\(convert)exec dropbear -F -E -p \(address):\(port)\(keys)"]
        }
    }
}

/// The default server and release for the sandboxes of this test run, from the environment.
enum SandboxDefaults {
    private static let values = ProcessInfo.processInfo.environment

    /// SSH_SANDBOX_ROOT: a directory whose `usr` is used instead of the machine's.
    static let rootfs = values["SSH_SANDBOX_ROOT"].flatMap { $0.isEmpty ? nil : $0 }

    /// SSH_SANDBOX_SERVER: `openssh`, which is the default, or `dropbear`.
    static let server = values["SSH_SANDBOX_SERVER"].flatMap(ServerKind.init(rawValue:)) ?? .openSSH
}
