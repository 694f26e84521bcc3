package import BridgeSSH

/// Where secrets and a person's answers come from. Handed in: a command line reads files and asks on its terminal, a fleet asks
/// once for all its hosts.
package protocol AccessSecrets: Sendable {
    /// The destination's password.
    ///
    /// - Returns: nil without one.
    /// - Throws: `UsageProblem`; `CancellationError`.
    func password() async throws -> SSHSecret?

    /// The passphrase of all key files.
    ///
    /// - Returns: nil without one.
    /// - Throws: `UsageProblem`; `CancellationError`.
    func passphrase() async throws -> SSHSecret?

    /// Asks a person; nil where no person can be asked.
    var person: (any SSHInteraction)? { get }
}

/// No secrets, and no person.
package struct NoSecrets: AccessSecrets {
    package init() {}
    package func password() async throws -> SSHSecret? { nil }
    package func passphrase() async throws -> SSHSecret? { nil }
    package var person: (any SSHInteraction)? { nil }
}
