import BridgeSSH
import CLocalSocket
import CProcessGuard
import ErrorCore

/// A question of ssh by SSH_ASKPASS: ssh calls this program, which asks the process that started ssh. So no argument, variable
/// or file contains a secret.
struct OpenSSHQuestion: Sendable {
    /// The name by which ssh calls this program for an answer.
    static let program = "bridge-ssh-askpass"
    private static let maximumLength = 64 << 10

    /// The process of the ssh that asks. The ssh of a jump host is another process.
    let asker: pid_t
    /// `confirm`, `none` for a notice, or empty (readpass.c).
    let kind: String
    let prompt: String

    /// Whether the question is about a local key and not from a server.
    var isForKey: Bool { prompt.mentions("passphrase for") || prompt.mentions("PIN for") }

    /// Whether the prompt contains a server's words (sshconnect2.c: input_userauth_info_req, since 8.4).
    var isOfServer: Bool { prompt.hasPrefix("(") }
    var text: String {
        guard isOfServer, let end = prompt.firstPlace(of: ") ") else { return prompt }
        return String(prompt[end.upperBound...])
    }
    /// sshconnect2.c: input_userauth_passwd_changereq
    var wantsNewPassword: Bool { !isOfServer && (prompt.mentions("'s old password") || prompt.mentions("'s new password")) }
}

extension OpenSSHQuestion {
    /// Answers ssh if ssh called this process for an answer; returns otherwise.
    static func answerIfAsked() {
        guard let name = CommandLine.arguments.first, name == program || name.hasSuffix("/" + program) else { return }
        _ = bridge_forbid_memory_dumps()
        let place = name.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let socket = LocalSocket.newSocket()
        guard socket >= 0, LocalSocket.connectSocket(socket, to: place + "/ask") else { _exit(1) }
        let kind = getenv("SSH_ASKPASS_PROMPT").map { String(cString: $0) } ?? ""
        let words = "\(getppid())\n\(kind)\n" + CommandLine.arguments.dropFirst().joined(separator: " ")
        guard Array(words.utf8).withUnsafeBytes({ OutputWriter.writeAll($0, to: socket) }) == nil else { _exit(1) }
        shutdown(socket, Int32(SHUT_WR))
        let isAnswered = withUnsafeTemporaryAllocation(byteCount: maximumLength + 1, alignment: 1) { buffer in
            defer { SecretMemory.wipe(buffer) }
            var count = 0
            while count < buffer.count - 1 {
                let got = readBytes(socket, buffer.baseAddress?.advanced(by: count), buffer.count - 1 - count)
                if got < 0, errno == EINTR { continue }
                if got <= 0 { break }
                count += got
            }
            // The first byte says that there is an answer.
            guard count > 0 else { return false }
            buffer[count] = UInt8(ascii: "\n")
            return OutputWriter.writeAll(UnsafeRawBufferPointer(rebasing: buffer[1...count]), to: 1) == nil
        }
        _exit(isAnswered ? 0 : 1)
    }

    /// Reads a question; nil if it comes from another user, or is invalid.
    init?(from socket: OwnedDescriptor) async {
        var user = uid_t.max
        var process: pid_t = 0
        guard bridge_peer(socket.number, &user, &process) == 0, user == geteuid() else { return nil }
        let reader = InputReader(descriptor: socket)
        var bytes: [UInt8] = []
        while bytes.count < Self.maximumLength, let piece = try? await reader.next() { bytes += piece }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let asker = pid_t(String(parts[0])) else { return nil }
        self.asker = asker
        kind = String(parts[1])
        prompt = String(parts[2])
    }

    /// Writes the answer.
    static func answer(_ secret: SSHSecret, to socket: OwnedDescriptor) {
        var mark: UInt8 = 1
        _ = writeBytes(socket.number, &mark, 1)
        secret.withBytes { _ = OutputWriter.writeAll($0, to: socket.number) }
    }
}

/// Answers ssh's questions: with the secrets of the options, then by asking the person.
actor OpenSSHAnswers {
    private let plan: Plan
    private var given: Set<String> = []
    private var openedKeys: Set<String> = []

    struct Plan: Sendable {
        var password: SSHSecret?
        var passphrase: SSHSecret?
        /// Nil if no person may be asked.
        var questioner: (any Questioner)?
        /// Shows a notice, which needs no answer.
        var notice: @Sendable (String) -> Void

        /// Whether there is anything to answer with.
        var hasAny: Bool { password != nil || passphrase != nil || questioner != nil }
    }

    init(_ plan: Plan) { self.plan = plan }

    /// - Parameters:
    ///   - isDestination: whether the destination's own ssh asks; a password is for the destination alone.
    ///   - hasPartialSuccess: whether the server has accepted one credential and requires another.
    /// - Returns: nil for no answer.
    func answer(_ question: OpenSSHQuestion, isDestination: Bool, hasPartialSuccess: Bool) async -> SSHSecret? {
        let prompt = question.prompt
        if question.kind == "none" {
            plan.notice(prompt.oneLine(300))
            return SSHSecret("")
        }
        let isQuestion = question.kind == "confirm" || prompt.mentions("(yes/no")
        if !isQuestion {
            if prompt.mentions("passphrase for") {
                if let passphrase = plan.passphrase, openedKeys.insert(prompt).inserted { return passphrase }
            } else if isDestination, !question.wantsNewPassword, prompt.lowercased().mentions("password"),
                let password = plan.password, given.isEmpty || hasPartialSuccess,
                given.insert(question.isOfServer ? "keyboard-interactive" : "password").inserted
            {
                return password
            }
        }
        guard let questioner = plan.questioner else { return nil }
        var lines = prompt.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            TerminalText.escape(String($0))
        }
        let last = lines.popLast() ?? ""
        return try? await questioner.ask(last, after: lines.map { $0 + "\n" }.joined(), echo: isQuestion)
    }
}
