/// One thing that a person can do about a failure: a command to type, an option, a line for a file, or a setting to look at.
///
/// ``SSHError/hint`` has the whole text, advice without a command included. A program that offers a command, or runs it, reads
/// these values:
/// ```swift
/// for remedy in error.remedies where remedy.kind == .command && remedy.applicability == .asIs { offer(remedy.text) }
/// ```
public struct SSHRemedy: Sendable, Hashable, Codable {
    /// What is to be done with the text.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// A command line of a POSIX shell.
        case command
        /// An option of `bridge-ssh`, with its value if it takes one.
        case option
        /// A line of a file.
        case line
        /// A keyword of a file, a property of this library, or an option whose value is for a person to choose.
        case setting
    }

    /// Whether a text can be used as it is.
    public enum Applicability: String, Sendable, Hashable, Codable, CaseIterable {
        /// It can.
        case asIs = "as-is"
        /// Words in capitals, `…` or `•••` stand for what has to be put in, or it lacks an operand at its end.
        case placeholders
        /// It rests on a guess, or does harm where the guess is wrong: a person has to decide. A command that trusts a host key
        /// always is of this kind.
        case mayBeWrong = "may-be-wrong"
    }

    /// A machine.
    public enum Place: String, Sendable, Hashable, Codable, CaseIterable {
        /// This one.
        case here
        /// The server.
        case server
    }

    /// What is to be done with the text.
    public let kind: Kind
    /// What is to be typed, written or looked at.
    public let text: String
    /// Whether the text can be used as it is; nil for a setting.
    public let applicability: Applicability?
    /// Where the command is typed, or where the file is.
    public let place: Place
    /// The name of the file of a line or a keyword, such as `sshd_config`.
    public let file: String?

    /// - Parameter applicability: what it is without placeholders.
    init(
        _ kind: Kind, _ text: String, _ applicability: Applicability = .asIs, on place: Place = .here, file: String? = nil
    ) {
        (self.kind, self.text, self.place, self.file) = (kind, text, place, file)
        self.applicability = kind == .setting ? nil : Self.hasPlaceholders(text) ? .placeholders : applicability
    }

    /// Whether a word stands for another: `FILE`, `USER@HOST`, `KEY.pub`, or a part that was cut or masked.
    private static func hasPlaceholders(_ text: String) -> Bool {
        text.mentions("…") || text.mentions("•••")
            || text.utf8.split { " '\"".utf8.contains($0) }.contains { word in
                let name = word.suffix(4).elementsEqual(".pub".utf8) ? word.dropLast(4) : word
                return name.count > 2 && name.first != UInt8(ascii: "@")
                    && name.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "@") }
            }
    }

    /// The same with another text. The writer of the rule has not seen that one, so that it may be wrong.
    func worded(_ text: String) -> SSHRemedy {
        text == self.text ? self : SSHRemedy(kind, text, .mayBeWrong, on: place, file: file)
    }
}
