import BridgeSSH
import ErrorCore
import SSHRun

/// Prompts the person. Escapes texts from the server, which could otherwise imitate a prompt of bridge-ssh.
struct PersonInteraction: SSHInteraction {
    let questioner: any Questioner

    func accept(_ question: SSHHostKeyQuestion) async throws -> Bool? {
        try await questioner.ask(
            HostKeyPrompt.question, again: HostKeyPrompt.again, after: HostKeyPrompt.text(for: question)
        ) { HostKeyAnswer($0, to: [question.fingerprint]).map { $0 != .no } }
    }

    func passphrase(forKeyAt path: String, isRetry: Bool) async throws -> SSHSecret? {
        let complaint = isRetry ? "Wrong passphrase. Try again.\n" : ""
        return try await questioner.ask("Passphrase for \(TerminalText.escape(path)): ", after: complaint, echo: false)
    }

    func password(user: String, host: String, isRetry: Bool) async throws -> SSHSecret? {
        try await questioner.ask(
            "Password of \(TerminalText.escape(user)) at \(TerminalText.escape(host)): ",
            after: isRetry ? "The server refused that password. Try again.\n" : "", echo: false)
    }

    func answers(to request: SSHPromptRequest, user: String, host: String) async throws -> [SSHSecret]? {
        let heading = [request.name, request.instruction].filter { !$0.isEmpty }.map(Self.harmless)
        let complaint = request.isRetry ? "The server refused those answers. Try again.\n" : ""
        var title = complaint + heading.map { $0 + "\n" }.joined()
        var answers: [SSHSecret] = []
        for prompt in request.prompts {
            let text = "(\(TerminalText.escape(user))@\(TerminalText.escape(host))) \(Self.harmless(prompt.text))"
            guard let answer = try await questioner.ask(text, after: title, echo: prompt.echo) else { return nil }
            title = ""
            answers.append(answer)
        }
        return answers
    }

    /// Escapes a server's text, and shortens it: a server may send screens full of text.
    private static func harmless(_ text: String) -> String {
        TerminalText.escape(String(text.prefix(1024)))
    }
}

enum HostKeyPrompt {
    static let question = "Connect, and remember the key? Type yes, no, or the fingerprint: "
    static let again = "Please type yes, no, or the whole fingerprint: "

    static func text(for question: SSHHostKeyQuestion) -> String {
        let place = question.port == 22 ? question.host : "\(question.host) port \(question.port)"
        var lines = [
            "The host key of \(TerminalText.escape(place)) is not known.",
            "  type         \(TerminalText.escape(question.keyType))",
            "  fingerprint  \(TerminalText.escape(question.fingerprint))",
        ]
        if !question.otherNames.isEmpty {
            let names = question.otherNames.prefix(5).map(TerminalText.escape).joined(separator: ", ")
            lines.append("  known as     \(names)\(question.otherNames.count > 5 ? ", …" : "")")
        }
        if let authority = question.certificateAuthority {
            lines.append("  note         \(authority) has a certificate authority for this host; certificates are not supported.")
        }
        if !question.skippedLines.isEmpty {
            let places = question.skippedLines.prefix(3).map(\.description).joined(separator: ", ")
            lines.append("  note         invalid lines, skipped: \(places)")
        }
        lines.append("Compare the fingerprint with what the server's administrator tells you.")
        return lines.joined(separator: "\n") + "\n"
    }
}

/// A person's answer to a question about host keys. Only whole words count, as with ssh(1).
enum HostKeyAnswer: Equatable {
    case yes
    case no
    /// One of the fingerprints in the question.
    case fingerprint(String)

    /// Nil if the text is not a valid answer.
    init?(_ text: String, to fingerprints: [String]) {
        let word = text.filter { !$0.isWhitespace }
        switch word.lowercased() {
        case "yes": self = .yes
        case "no": self = .no
        default:
            guard fingerprints.contains(word) else { return nil }
            self = .fingerprint(word)
        }
    }
}
