package import BridgeSSH

/// Where secrets and a person's answers come from. Handed in: a command line reads files and asks on its terminal, a fleet asks
/// once for all its hosts.
package protocol AccessSecrets: Sendable {
    /// The destination's password.
    ///
    /// - Returns: nil without one.
    /// - Throws: `UsageProblem`; `CancellationError`.
    func password() async throws -> Secret?

    /// The passphrase of all key files.
    ///
    /// - Returns: nil without one.
    /// - Throws: `UsageProblem`; `CancellationError`.
    func passphrase() async throws -> Secret?

    /// Asks a person; nil where no person can be asked.
    var person: (any Interaction)? { get }
}

/// No secrets, and no person.
package struct NoSecrets: AccessSecrets {
    package init() {}
    package func password() async throws -> Secret? { nil }
    package func passphrase() async throws -> Secret? { nil }
    package var person: (any Interaction)? { nil }
}
