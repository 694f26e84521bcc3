/// Messages on this side's own settings.
enum TranscriptLocal {
    static let rows: [TranscriptRow] = settings + system

    private static let settings: [TranscriptRow] = [
        TranscriptRow("command-line line {n}: {problem}", "readconf.c; 6.6–10", ends: true) { found, _ in
            TranscriptReading(.telling, .usage(field: "-o", problem: found["problem"] ?? ""), at: .local)
        },
        TranscriptRow("command-line: line {n}: {problem}", "readconf.c; 6.6–10", ends: true) { found, _ in
            TranscriptReading(.telling, .usage(field: "-o", problem: found["problem"] ?? ""), at: .local)
        },
        TranscriptRow("Bad owner or permissions on {file}", "readconf.c; 6.6–10", ends: true) { found, _ in
            configuration(found["file"] ?? "", nil, "its owner or permissions are not safe")
        },
        TranscriptRow("{file}: line {n}: Bad configuration option: {option}", "readconf.c; 6.6–10") { found, _ in
            configuration(
                found["file"] ?? "", found["n"].flatMap { Int($0) }, "there is no option \(found["option"] ?? "")")
        },
        TranscriptRow("Can't open user config file {file}: {reason}", "ssh.c; 6.6–10", ends: true) { found, _ in
            configuration(found["file"] ?? "", nil, found["reason"] ?? "")
        },
        TranscriptRow("/{file} line {n}: Unsupported option {option}", "readconf.c: a warning; 6.6–10"),
        TranscriptRow("/{file} line {n}: Deprecated option {option}", "readconf.c: a warning; 6.6–10"),
        TranscriptRow("/{file} line {n}: {problem}", "readconf.c: bad values; 6.6–10") { found, _ in
            guard let file = found["file"], file.contains("ssh"), let line = found["n"].flatMap({ Int($0) }) else { return nil }
            return configuration("/" + file, line, found["problem"] ?? "")
        },
        TranscriptRow("{file}: terminating, {n} bad configuration options", "readconf.c; 6.6–10", ends: true),
        TranscriptRow("jumphost loop via {host}", "ssh.c; 8.9–10", ends: true) { found, _ in
            configuration("", nil, "the jump hosts lead in a circle")
        },
        TranscriptRow("usage: ssh {x}", "ssh.c; 6.6–10", ends: true) { _, _ in
            TranscriptReading(.plain, .usage(field: "", problem: "ssh was called wrongly"), at: .local, .likely)
        },
        TranscriptRow("Bad port '{port}'", "ssh.c; 6.6–10", ends: true) { found, _ in
            TranscriptReading(.telling, .usage(field: "-p", problem: "\(found["port"] ?? "") is no port"), at: .local)
        },
    ]

    /// What is missing on the machine itself.
    private static let system: [TranscriptRow] = [
        TranscriptRow("OpenSSL version mismatch. {versions}", "entropy.c; 6.6–10", ends: true) { found, _ in
            .direct(.telling, .localLibraryFailure, .likely) { _ in
                Words(
                    "ssh was built with another OpenSSL than it finds here: \((found["versions"] ?? "").oneLine())".ended,
                    hint: "Install the ssh and the OpenSSL that belong together.")
            }
        },
        TranscriptRow("No user exists for uid {uid}", "ssh.c; 6.6–10", ends: true) { found, _ in
            configuration("/etc/passwd", nil, "there is no user with the id \(found["uid"] ?? "")")
        },
    ]

    private static func configuration(_ file: String, _ line: Int?, _ problem: String) -> TranscriptReading {
        TranscriptReading(.telling, .configurationInvalid(file: file, line: line, problem: problem), at: .local)
    }
}
