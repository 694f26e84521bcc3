import BridgeSSH
import SSHRun

/// Secrets from the files that options name, or typed by the person who started this process.
struct CommandLineSecrets: AccessSecrets {
    let passwordSource: SecretSource?
    let passphraseSource: SecretSource?
    /// Nil where prompts are disabled.
    private let choice: QuestionerChoice?

    /// - Throws: `UsageProblem` if an option wants the person to be asked and there is none.
    init(_ options: CredentialOptions, mayAsk: Bool) throws {
        passwordSource = try SecretSource(options.passwordFile, option: "--password-file", mayAsk: mayAsk)
        passphraseSource = try SecretSource(options.passphraseFile, option: "--passphrase-file", mayAsk: mayAsk)
        choice = mayAsk ? .ofThisProcess : nil
    }

    func password() async throws -> SSHSecret? { try await secret(passwordSource, "Password: ") }

    func passphrase() async throws -> SSHSecret? { try await secret(passphraseSource, "Passphrase: ") }

    var person: (any SSHInteraction)? { choice?.questioner.map { PersonInteraction(questioner: $0) } }

    private func secret(_ source: SecretSource?, _ prompt: String) async throws -> SSHSecret? {
        switch source?.place {
        case nil: return nil
        case .file(let path): return try source?.read(path)
        case .terminal:
            guard let secret = try await choice?.questioner?.ask(prompt, after: "", echo: false), !secret.isEmpty else {
                throw UsageProblem(field: source?.option ?? "", problem: "nothing was typed")
            }
            return secret
        }
    }
}
