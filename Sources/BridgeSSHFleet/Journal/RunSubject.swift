import Crypto
import CryptoExtras
import ErrorCore

/// What a run runs, as far as it distinguishes one run from another.
package struct RunSubject: Sendable, Equatable {
    /// `run`, `script`, `copy` …
    package var kind: String
    /// The command, without what looks like a secret.
    package private(set) var command: String
    /// Whether nothing was left out of `command`. A run whose command is not whole can only be resumed with the command.
    package private(set) var isCommandWhole: Bool
    /// SHA-256 of the whole command; guarded in a journal that does not have it whole.
    package private(set) var commandDigest: [UInt8]
    /// The local file of a script, where it was. Of a command, the file that its hosts read, or `-` for what was piped to us;
    /// nil where they read nothing.
    package private(set) var scriptPath: String?
    /// SHA-256 of a script's content, or of what the sources of a copy look like. Of what the hosts of a command read the
    /// guarded digest, or nil where it was not read to its end.
    package var scriptDigest: [UInt8]?
    /// SHA-256 of the plan, for a shard.
    package var planDigest: [UInt8]?
    /// The options of the run as they were given, without what looks like a secret.
    package private(set) var arguments: [String]
    /// Whether nothing was left out of `arguments`.
    package private(set) var areArgumentsWhole: Bool

    /// - Parameters:
    ///   - kind: the subcommand.
    ///   - command: as it is given to the remote shell.
    ///   - script: where a script is, and its content.
    ///   - arguments: options of the run.
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

    /// The same without a word of the command and of the options; the run can be resumed by who knows them.
    package func withoutWords() -> RunSubject {
        var subject = self
        (subject.command, subject.isCommandWhole) = ("", false)
        (subject.arguments, subject.areArgumentsWhole) = ([], false)
        return subject
    }

    /// Whether no word was left out, so that the run can be resumed by its name alone.
    package var isWhole: Bool { isCommandWhole && areArgumentsWhole }

    /// Whether it is one without words.
    package var leavesOutWords: Bool { command.isEmpty && !isCommandWhole }

    /// What a journal has in place of the command's digest.
    var keptCommandDigest: [UInt8] { isCommandWhole ? commandDigest : GuardedDigest.make(commandDigest) }

    /// Whether doing it twice on a host does no harm: files are copied, and a second copy of the same gives the same.
    package var isRepeatable: Bool { ["copy", "fetch"].contains(kind) }

    /// The same with what the hosts read.
    ///
    /// - Parameter digest: SHA-256 of it; nil while it is not known.
    package func reading(_ name: String, digest: [UInt8]?) -> RunSubject {
        var subject = self
        subject.scriptPath = name
        subject.scriptDigest = digest.map(GuardedDigest.make)
        return subject
    }

    /// What the hosts of a command read; nil for nothing.
    package var input: (name: String, isKnown: Bool)? {
        kind == "run" ? scriptPath.map { ($0, scriptDigest != nil) } : nil
    }

    /// Whether the hosts of a command have read the same.
    package func hasRead(_ digest: [UInt8]) -> Bool { scriptDigest.map { GuardedDigest.isEqual($0, digest) } ?? false }

    /// The same with the options of the run.
    package func with(arguments: [String]) -> RunSubject {
        var subject = self
        subject.arguments = Redactor.standard.words(arguments)
        subject.areArgumentsWhole = subject.arguments == arguments
        return subject
    }

    /// As a journal has it.
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

    /// Why a run of this cannot go on as the other: hosts would have had different things run on them.
    ///
    /// - Parameter run: the name of the run of this.
    /// - Returns: nil where it can.
    package func hindrance(to other: RunSubject, of run: String) -> String? {
        if kind != other.kind { return "it was `fleet \(kind)`, and not `fleet \(other.kind)`" }
        if !GuardedDigest.isEqual(commandDigest, other.commandDigest) {
            return "its command was another one" + (command.isEmpty ? "" : ": \(command)")
        }
        // What is piped is compared when it has been read.
        if kind != "run", scriptDigest != other.scriptDigest {
            return isRepeatable
                ? "the sources have been changed since the run began; copy them anew, to hosts such as @run:\(run):error"
                : "the script has another content than when the run began"
        }
        if planDigest != other.planDigest { return "it is of another plan" }
        return nil
    }

    /// SHA-256.
    package static func digest(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }
}

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a journal keeps of something that may hold a secret, to know it again.
///
/// A plain hash could be compared with guesses, millions a second. This one has a salt of its own and is derived slowly
/// (PBKDF2, RFC 8018 section 5.2), so that each guess takes its time; who can read the journal can still make them.
enum GuardedDigest {
    private static let saltLength = 16
    private static let plainLength = 32
    private static let rounds = 300_000

    /// - Parameter digest: SHA-256 of what is to be known again.
    static func make(_ digest: [UInt8]) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        let salt = (0..<saltLength).map { _ in UInt8.random(in: 0...255, using: &generator) }
        return salt + derived(digest, salt)
    }

    /// Whether a kept digest, guarded or plain, is that of the same.
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
