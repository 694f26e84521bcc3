import BridgeSSH
package import SSHRun

extension SudoOptions {
    private static let option = "--sudo-password-file"

    /// The password for all hosts of a fleet, read or to be asked for; nil without sudo. Where none is named, it is asked for when a
    /// host wants one: many want none (NOPASSWD, sudoers(5)).
    ///
    /// - Throws: `UsageProblem`, `CancellationError`.
    package func password(mayAsk: Bool) async throws -> SudoPassword? {
        if let sudoPasswordFile {
            return SudoPassword(
                try await SecretSource.secret(sudoPasswordFile, prompt: Self.prompt, option: Self.option, mayAsk: mayAsk))
        }
        guard sudo else { return nil }
        guard mayAsk else { return SudoPassword(asking: nil) }
        return SudoPassword(asking: {
            try await SecretSource.secret("-", prompt: Self.prompt, option: Self.option, mayAsk: true)
        })
    }

    private static let prompt = "Password for sudo, on all hosts: "

    /// The password for one host, read from its file at once, or to be asked for; nil without sudo.
    ///
    /// - Parameter person: asks; nil where nobody can be asked.
    /// - Throws: `UsageProblem`.
    func password(for host: String, asking person: (any Questioner)?) throws -> SudoPassword? {
        guard isAskedFor else { return nil }
        let source = try SecretSource(sudoPasswordFile, option: Self.option, mayAsk: person != nil)
        if let source, case .file(let path) = source.place { return SudoPassword(try source.read(path)) }
        guard let person else { return SudoPassword(asking: nil) }
        return SudoPassword(asking: { try await person.ask("Password for sudo on \(host): ", after: "", echo: false) })
    }
}
