#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Python's own exceptions, if an SSH library raised them. Others do not concern SSH.
enum PythonRows {
    static let rows: [TranscriptRow] = [
        .library("…gaierror: [Errno {n}] {reason}", "socket.getaddrinfo") { found, _ in .unresolved(found["reason"] ?? "") },
        .library("{before}: [Errno -2] {reason}", "socket.getaddrinfo, printed by the program") { found, facts in
            unresolved(found, facts) ?? facts.decline()
        },
        .library("{before}: [Errno -3] {reason}", "socket.getaddrinfo, printed by the program") { found, facts in
            unresolved(found, facts) ?? facts.decline()
        },
        .library("…[Errno {n}] {reason}openssh-ssh-agent", "open(), of paramiko's win_openssh.py") { _, _ in
            .agent(.unavailable, "its pipe could not be opened")
        },
        .library("{type}: [Errno {n}] {reason}", "OSError and its kinds") { found, facts in
            osError(found, facts) ?? facts.decline()
        },
        .library("{type}: [WinError {n}] {reason}", "OSError and its kinds, on Windows") { found, facts in
            guard !facts.python.library.isEmpty, let error = SystemErrorTexts.windowsError(found["n"] ?? "") else {
                return facts.decline()
            }
            if facts.python.ran("connect", "_connect", "create_connection", "_sock_connect_cb", "retry_on_signal") {
                return .unconnected(error, .likely)
            }
            return error == SystemErrorTexts.systemError("reset by peer") ? .lost(.reset, .guess) : facts.decline()
        },
        .library("ModuleNotFoundError: No module named '{name}'", "the library is not installed") { found, facts in
            let module = (found["name"] ?? "").split(separator: ".").first.map { String($0).trimming("'") } ?? ""
            return ["paramiko", "asyncssh", "ssh2", "pssh", "netmiko", "sshtunnel"].contains(module)
                ? .known(.localLibraryFailure, .guess) : facts.decline()
        },
        .library("TimeoutError", "socket, asyncio") { _, facts in timeout(facts) ?? facts.decline() },
        .library("socket.timeout", "socket, before Python 3.10") { _, facts in timeout(facts) ?? facts.decline() },
        .library("_socket.timeout", "socket, before Python 3.10") { _, facts in timeout(facts) ?? facts.decline() },
        .library("asyncio.exceptions.TimeoutError", "asyncio, before Python 3.11") { _, facts in timeout(facts) ?? facts.decline()
        },
        .library("EOFError", "paramiko: packet.py") { _, facts in
            guard facts.python.library == "paramiko" else { return nil }
            if facts.python.ran("_check_banner") { return nil }
            if facts.python.ran("_send_version") {
                return .known(.channelSubsystemMissing, .guess, or: ["a startup file prints text"])
            }
            return .ended(.telling, .closed, at: facts.python.ran("start_client") ? .keyExchange : .session, .likely)
        },
    ]

    /// The local errno for the numbers of Linux and macOS, whichever machine wrote the transcript.
    static func systemError(_ number: Int32) -> Int32? {
        let numbers: [Int32: Int32] = [
            111: ECONNREFUSED, 61: ECONNREFUSED, 113: EHOSTUNREACH, 65: EHOSTUNREACH, 101: ENETUNREACH, 51: ENETUNREACH,
            110: ETIMEDOUT, 60: ETIMEDOUT, 104: ECONNRESET, 54: ECONNRESET, 13: EACCES, 1: EPERM, 99: EADDRNOTAVAIL,
            49: EADDRNOTAVAIL, 24: EMFILE, 10061: ECONNREFUSED, 10060: ETIMEDOUT, 10065: EHOSTUNREACH, 10051: ENETUNREACH,
            10054: ECONNRESET, 10053: ECONNRESET, 10013: EACCES,
        ]
        return numbers[number]
    }

    /// A name that a program could not resolve. If nothing near it is about SSH, only the name itself may precede the reason.
    private static func unresolved(_ found: [String: String], _ facts: TranscriptFacts) -> TranscriptReading? {
        let before = (found["before"] ?? "").lowercased()
        let isOurs = !facts.python.library.isEmpty || ["ssh", "sftp", "paramiko"].contains { before.mentions($0) }
        guard isOurs || before.split(separator: " ").count < 3 else { return nil }
        return .unresolved(found["reason"] ?? "", isOurs ? .likely : .guess)
    }

    private static func osError(_ found: [String: String], _ facts: TranscriptFacts) -> TranscriptReading? {
        guard !facts.python.library.isEmpty, let number = found["n"].flatMap({ Int32($0) }) else { return nil }
        let reason = found["reason"] ?? ""
        if facts.python.ran(
            "connect", "_connect", "_connect_socket", "create_connection", "_sock_connect_cb", "_internal_connect",
            "retry_on_signal"),
            found["type"]?.hasSuffix("FileNotFoundError") == false, let error = systemError(number)
        {
            return .unconnected(error, .likely)
        }
        let path = reason.firstRange(of: ": '").map { String(reason[$0.upperBound...]).trimming("'") }
        guard let path, number == 2 || number == 13 else { return nil }
        return .key(number == 2 ? .notFound : .unreadable, path, reason)
    }

    private static func timeout(_ facts: TranscriptFacts) -> TranscriptReading? {
        let slow = ["the connection was lost without a sign", "it is the time without output that was limited"]
        switch facts.python.library {
        case "paramiko":
            if facts.python.ran("_check_banner", "readline") {
                // paramiko's log has its own message before the cause.
                return facts.identificationUnread
                    ? .timedOut(.banner, .guess, alternatives: ["it does not speak SSH"]) : nil
            }
            return facts.python.ran("recv", "read", "recv_exit_status", "exec_command", "_wait_for_event")
                ? .commandTimedOut(.guess, alternatives: slow) : .timedOut(.connect, .likely)
        case "asyncssh":
            // connect_timeout covers everything up to the login.
            return facts.stage == .session
                ? .commandTimedOut(.guess, alternatives: slow)
                : .timedOut(
                    facts.stage ?? .connect, .guess,
                    alternatives: ["it accepted the connection and sent nothing", "key exchange stalled"])
        case "pssh", "ssh2": return .timedOut(.connect, .guess)
        default: return nil
        }
    }
}
