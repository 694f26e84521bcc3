package import ErrorCore

/// A failed remote command: the input of the classifier of remote causes.
struct RemoteFailure: Sendable {
    let status: Int
    let command: String
    /// The informative lines of standard error. Noise is left out, and so are lines from programs whose exit status was not the
    /// command's.
    let lines: [String]
    /// PowerShell's last error record, if there is one.
    let record: RemoteWindows.ErrorRecord?
    /// The commands whose exit status may be that of the command line.
    let deciding: [[String]]
    /// The names of all programs in the command line.
    let programs: Set<String>
    /// Programs that ran before the deciding ones: their messages may not explain the failure.
    private let earlier: Set<String>

    init(status: Int, command: String, standardError: String) {
        let line = RemoteCommandLine(command)
        self.status = status
        self.command = command
        deciding = line.deciding
        let names = Set(line.deciding.compactMap(\.first).map(RemoteProgram.base))
        programs = names.union(line.earlier.compactMap(\.first).map(RemoteProgram.base))
        let earlier = Set(line.earlier.compactMap(\.first).map(RemoteProgram.base)).subtracting(names)
        self.earlier = earlier
        let isClosed = !earlier.isEmpty && line.deciding.allSatisfy(RemoteCommandLine.runsNothingElse)
        let all = RemoteText.lines(standardError)
        record = WindowsLines.record(in: all)
        lines = RemoteText.tellingLines(of: all, 64).filter { !isClosed || !Self.speaks(earlier, $0) }
    }

    /// The first deciding command that runs one of these programs.
    func first(_ names: Set<String>) -> [String]? {
        deciding.first { $0.first.map { names.contains(RemoteProgram.base($0)) } == true }
    }

    /// Whether a line comes from a program that ran before the deciding one.
    func isDoubtful(_ line: String) -> Bool { Self.speaks(earlier, line) }

    private static func speaks(_ programs: Set<String>, _ text: String) -> Bool {
        guard !programs.isEmpty else { return false }
        let line = RemoteLine(text)
        // For a builtin, the shell's name and position precede the builtin's: `bash: line 1: cd: …`.
        return line.segments(in: 0..<line.characters.count).prefix(3).contains {
            programs.contains(RemoteProgram.base(line.text($0)))
        }
    }
}

/// Finds out why a remote command failed: from its exit status, which is never translated, then from its program, then from the
/// last informative line of standard error. The result is advice, because a program can print anything.
public enum SSHRemoteCauseClassifier {
    /// The cause of a failure. Nil if the cause is unknown, and for a status that explains itself: 0, 126, 127, or the
    /// status of a signal, unless timeout(1) sent it.
    ///
    /// - Parameters:
    ///   - exitStatus: the command's exit status.
    ///   - command: the command line, as sent to the remote shell.
    ///   - standardError: the end of its standard error.
    public static func cause(exitStatus: Int, command: String, standardError: String) -> SSHRemoteCause? {
        guard ![0, 126, 127].contains(exitStatus) else { return nil }
        let failure = RemoteFailure(status: exitStatus, command: command, standardError: standardError)
        if let cause = RemotePrograms.timeLimit(failure) { return cause }
        // 128 + n: signal n ended the command, whatever it printed before (POSIX.1 XCU 2.8.2).
        guard !(129...159).contains(exitStatus) else { return nil }
        for rule in rules {
            if let cause = rule(failure) { return cause }
        }
        return nil
    }

    /// The rules in the order in which they are tried; the first one with a result decides.
    static let rules: [@Sendable (RemoteFailure) -> SSHRemoteCause?] = [
        RemotePrograms.clone, RemotePrograms.curl, RemotePrograms.wget, RemotePrograms.elevation, NestedSSH.cause,
        RemoteWindows.cause, RemoteLines.cause,
    ]
}

extension SSHRemoteCause {
    /// A cause with the code `remote.` and this name.
    package init(_ name: String, _ appError: AppError, _ message: String, _ confidence: SSHError.Confidence) {
        let message = TerminalText.inert(message, limit: TextExtent.sentence.limit)
        self.init(appError: appError, code: "remote.\(name)", message: message.ended, confidence: confidence)
    }

    /// The same cause with another confidence.
    func with(_ confidence: SSHError.Confidence) -> SSHRemoteCause {
        var cause = self
        cause.confidence = confidence
        return cause
    }
}
