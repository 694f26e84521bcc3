extension SSHCommandOptions {
    /// Why a command with these options is not even sent; nil if it may be.
    ///
    /// sshd ends the whole connection, with all its commands, where a text of a request holds a NUL.
    func fault(of program: ChannelProgram) -> Fault? {
        if let problem = problem(of: program) { return Fault(.usage(field: problem.field, problem: problem.text), stage: .local) }
        return Self.expired(timeout, .command) ?? Self.expired(idleTimeout, .idle)
    }

    private func problem(of program: ChannelProgram) -> (field: String, text: String)? {
        func holdsNUL(_ text: String) -> Bool { text.utf8.contains(0) }
        if holdsNUL(program.text) { return (program.field, "it holds a NUL character, which no program can be given; remove it") }
        if program.text.utf8.count > ChannelProgram.mostBytes {
            return (
                program.field,
                "it is \(program.text.utf8.count) bytes long, and libssh2 can send \(ChannelProgram.mostBytes); run sh -s instead, "
                    + "and give it a long script on standard input"
            )
        }
        for (name, value) in environment {
            if name.isEmpty { return ("environment", "a variable has no name") }
            if holdsNUL(name) || holdsNUL(value) { return ("environment", "\(name) holds a NUL character; remove it") }
            if name.utf8.contains(UInt8(ascii: "=")) { return ("environment", "the name \(name) has a “=”; no variable can") }
        }
        if let problem = pty?.problem { return problem }
        if outputLimit < 0 { return ("outputLimit", "\(outputLimit) bytes are less than nothing; give 0 or more") }
        return nil
    }

    private static func expired(_ limit: Duration?, _ kind: SSHDeadline.Kind) -> Fault? {
        guard let limit, limit <= .zero else { return nil }
        return Fault(.deadlinePassed(SSHDeadline(kind: kind, seconds: 0)), stage: .command)
    }
}
