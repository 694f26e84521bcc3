import Crypto
import CryptoExtras
import ErrorCore

/// The action of a run, as far as it distinguishes one run from another.
package struct RunSubject: Sendable, Equatable {
    /// `run`, `script`, `copy` …
    package var kind: String
    /// The command, with everything that looks like a secret removed.
    package private(set) var command: String
    /// Whether `command` is complete. If it is not, the run can be resumed only by giving the command again.
    package private(set) var isCommandWhole: Bool
    /// SHA-256 of the complete command; stored as a guarded digest if the journal's command is not complete.
    package private(set) var commandDigest: [UInt8]
    /// For a script, the path of its local file. For a command, the file that its hosts read, or `-` for piped input; nil if they
    /// read nothing.
    package private(set) var scriptPath: String?
    /// For a script, SHA-256 of its content; for a copy, SHA-256 of its sources' names, sizes and times. For a command, the
    /// guarded digest of its input, or nil if the input was not read to the end.
    package var scriptDigest: [UInt8]?
    /// For a shard, SHA-256 of the plan.
    package var planDigest: [UInt8]?
    /// The options as they were given, with everything that looks like a secret removed.
    package private(set) var arguments: [String]
    /// Whether `arguments` is complete.
    package private(set) var areArgumentsWhole: Bool

    /// - Parameters:
    ///   - kind: the subcommand.
    ///   - command: the command as given to the remote shell.
    ///   - script: the script's path and content.
    ///   - arguments: the options of the run.
    package init(
        kind: String = "run", command: String, script: (path: String, content: [UInt8])? = nil, planDigest: [UInt8]? = nil,
        arguments: [String] = []
    ) {
        self.kind = kind
        self.command = Redactor.standard.text(command)
        isCommandWhole = self.command == command
        commandDigest = Self.digest(Array(command.utf8))
        scriptPath = script?.path
        scriptDigest = script.map { Self.digest($0.content) }
        self.planDigest = planDigest
        self.arguments = Redactor.standard.words(arguments)
        areArgumentsWhole = self.arguments == arguments
    }

    /// The same without any word of the command and the options. Resuming the run then needs these words again.
    package func withoutCommandText() -> RunSubject {
        var subject = self
        (subject.command, subject.isCommandWhole) = ("", false)
        (subject.arguments, subject.areArgumentsWhole) = ([], false)
        return subject
    }

    /// Whether no word was left out, so the run can be resumed by its name alone.
    package var isWhole: Bool { isCommandWhole && areArgumentsWhole }

    /// Whether all words were left out.
    package var omitsCommandText: Bool { command.isEmpty && !isCommandWhole }

    /// The digest of the command as the journal stores it.
    var storedCommandDigest: [UInt8] { isCommandWhole ? commandDigest : GuardedDigest.make(commandDigest) }

    /// Whether doing it twice on a host does no harm: a second copy of the same files gives the same result.
    package var isRepeatable: Bool { ["copy", "fetch"].contains(kind) }

    /// The same with the input of the hosts.
    ///
    /// - Parameter digest: SHA-256 of the input; nil while it is not known.
    package func reading(_ name: String, digest: [UInt8]?) -> RunSubject {
        var subject = self
        subject.scriptPath = name
        subject.scriptDigest = digest.map(GuardedDigest.make)
        return subject
    }

    /// The input of a command's hosts; nil for none.
    package var input: (name: String, isKnown: Bool)? {
        kind == "run" ? scriptPath.map { ($0, scriptDigest != nil) } : nil
    }

    /// Whether the hosts of a command read the same input.
    package func hasRead(_ digest: [UInt8]) -> Bool { scriptDigest.map { GuardedDigest.isEqual($0, digest) } ?? false }

    /// The same with the options of the run.
    package func with(arguments: [String]) -> RunSubject {
        var subject = self
        subject.arguments = Redactor.standard.words(arguments)
        subject.areArgumentsWhole = subject.arguments == arguments
        return subject
    }

    /// The subject as a journal stores it.
    init(
        kind: String, command: String, isCommandWhole: Bool, commandDigest: [UInt8], scriptPath: String?, scriptDigest: [UInt8]?,
        planDigest: [UInt8]?, arguments: [String], areArgumentsWhole: Bool
    ) {
        self.kind = kind
        self.command = command
        self.isCommandWhole = isCommandWhole
        self.commandDigest = commandDigest
        self.scriptPath = scriptPath
        self.scriptDigest = scriptDigest
        self.planDigest = planDigest
        self.arguments = arguments
        self.areArgumentsWhole = areArgumentsWhole
    }

    /// Why the run cannot be resumed as `other`: hosts would have run different things.
    ///
    /// - Parameter run: the name of the run with this subject.
    /// - Returns: nil if it can.
    package func reasonNotResumable(as other: RunSubject, of run: String) -> String? {
        if kind != other.kind { return "it was `fleet \(kind)`, and not `fleet \(other.kind)`" }
        if !GuardedDigest.isEqual(commandDigest, other.commandDigest) {
            return "its command was another one" + (command.isEmpty ? "" : ": \(command)")
        }
        // Piped input is compared after it has been read.
        if kind != "run", scriptDigest != other.scriptDigest {
            return isRepeatable
                ? "the sources have been changed since the run began; copy them again, to hosts such as @run:\(run):error"
                : "the script has changed since the run began"
        }
        if planDigest != other.planDigest { return "it is of another plan" }
        return nil
    }

    package static func digest(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}

extension RunSubject {
    /// The run's subject, as a person would read it.
    package var title: String {
        if omitsCommandText { return "\(kind) (its words are not in the journal)" }
        if kind == "script", let scriptPath { return scriptPath }
        return command.isEmpty ? kind : command
    }

    /// The transfer of a copy, as far as it is known after the run.
    package var transfer: HostTransfer? {
        HostTransfer.Direction(rawValue: kind).map { HostTransfer(direction: $0, sources: [command], target: "") }
    }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The trace of a possible secret that a journal stores, to recognise the secret later.
///
/// Guesses could be checked against a plain hash at millions a second. This digest has its own salt and a slow derivation
/// (PBKDF2, RFC 8018 section 5.2), so each guess takes time. Someone who can read the journal can still guess.
enum GuardedDigest {
    private static let saltLength = 16
    private static let plainLength = 32
    private static let rounds = 300_000

    /// - Parameter digest: SHA-256 of the text that the digest identifies.
    static func make(_ digest: [UInt8]) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<saltLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return salt + derived(digest, salt)
    }

    /// Whether a stored digest, guarded or plain, matches.
    static func isEqual(_ kept: [UInt8], _ digest: [UInt8]) -> Bool {
        guard kept.count == saltLength + plainLength, digest.count == plainLength else { return kept == digest }
        return Array(kept[saltLength...]) == derived(digest, Array(kept[..<saltLength]))
    }

    private static func derived(_ digest: [UInt8], _ salt: [UInt8]) -> [UInt8] {
        do {
            let key = try KDF.Insecure.PBKDF2.deriveKey(
                from: digest, salt: salt, using: .sha256, outputByteCount: plainLength, rounds: rounds)
            return key.withUnsafeBytes { Array($0) }
        } catch {
            preconditionFailure("PBKDF2 takes any passphrase and salt: \(error)")
        }
    }
}
