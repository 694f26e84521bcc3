import BridgeSSH
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// That a run's connection is to be kept, and which other runs may share it.
struct Persistence: Equatable {
    /// Seconds without a command after which it is given up.
    let keepFor: Double
    /// The host as it was named.
    let named: String
    let identity: ConnectionIdentity

    init(keepFor: KeepTime, named: String, _ access: AccessPlan, _ credentials: CredentialOptions) {
        self.keepFor = keepFor.seconds
        self.named = named
        let secrets = [credentials.passwordFile ?? "", credentials.passphraseFile ?? ""]
        identity = ConnectionIdentity(
            access.endpoint, access.configuration,
            circumstances: secrets + (Self.dependsOnDirectory(access.configuration, secrets) ? [Self.directory] : []))
    }

    /// Whether the same words mean something else in another directory.
    ///
    /// - Parameter secrets: the files of secrets; empty for none, `-` for standard input.
    static func dependsOnDirectory(_ configuration: SSHConnectionConfiguration, _ secrets: [String] = []) -> Bool {
        let paths =
            secrets.filter { !$0.isEmpty && $0 != "-" }
            + configuration.credentials.identities.map(\.path) + configuration.credentials.certificates
            + [configuration.credentials.agentSocket].compactMap { $0 }
            + configuration.knownHosts.user + configuration.knownHosts.system + configuration.knownHosts.revoked
        return configuration.proxyCommand != nil || paths.contains { !$0.hasPrefix("/") }
            || configuration.jumpHosts.contains { dependsOnDirectory($0.configuration) }
    }

    private static var directory: String {
        guard let path = getcwd(nil, 0) else { return "" }
        defer { free(path) }
        return String(cString: path)
    }
}
