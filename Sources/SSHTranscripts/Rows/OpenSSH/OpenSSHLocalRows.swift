/// OpenSSH's messages about local settings.
enum OpenSSHLocalRows {
    static let rows: [TranscriptRow] = settings + usage + system

    private static let settings: [TranscriptRow] = [
        TranscriptRow("command-line line {n}: Deprecated option {option}", "readconf.c: a warning; 6.6–10"),
        TranscriptRow("command-line: line {n}: Deprecated option {option}", "readconf.c: a warning; 6.6–10"),
        TranscriptRow("command-line line {n}: Unsupported option {option}", "readconf.c: a warning; 6.6–10"),
        TranscriptRow("command-line: line {n}: Unsupported option {option}", "readconf.c: a warning; 6.6–10"),
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
        TranscriptRow("fstat {file}config: {reason}", "readconf.c; 6.6–10", ends: true) { found, _ in
            configuration("\(found["file"] ?? "")config", nil, "it cannot be examined")
        },
        TranscriptRow("Can't open user config file {file}: {reason}", "ssh.c; 6.6–10", ends: true) { found, _ in
            configuration(found["file"] ?? "", nil, found["reason"] ?? "")
        },
        TranscriptRow("/{file} line {n}: Unsupported option {option}", "readconf.c: a warning; 6.6–10"),
        TranscriptRow("/{file} line {n}: Deprecated option {option}", "readconf.c: a warning; 6.6–10"),
        TranscriptRow("…line {n}: RefuseConnection: {words}", "readconf.c; 10.0–10.3", ends: true) { found, _ in
            .direct(.telling, .localRefusedByConfig, .likely) { _ in
                VerdictText(
                    "ssh's configuration refuses connections to the host: \((found["words"] ?? "").oneLine())".ended,
                    hint: FailureCatalogue.definition(of: .localRefusedByConfig).remedy)
            }
        },
        TranscriptRow("/{path}ssh{name} line {n}: {problem}", "readconf.c: bad values; 6.6–10") { found, facts in
            // A shell writes a colon after the name of its script.
            guard let path = found["path"], let name = found["name"], !name.hasSuffix(":"),
                let line = found["n"].flatMap({ Int($0) })
            else {
                return facts.decline()
            }
            return configuration("/\(path)ssh\(name)", line, found["problem"] ?? "")
        },
        TranscriptRow("{file} line {n}: Bad port '{port}'", "readconf.c; 6.6–10", ends: true) { found, _ in
            configuration(
                found["file"] ?? "", found["n"].flatMap { Int($0) }, "\(found["port"] ?? "") is not a port")
        },
        TranscriptRow("{file}: terminating, {n} bad configuration options", "readconf.c; 6.6–10", ends: true) { found, _ in
            configuration(found["file"] ?? "", nil, "some of its lines are not valid").ranked(.plain)
        },
        TranscriptRow("vdollar_percent_expand: {problem}", "misc.c; 9.2–10", ends: true) { found, _ in
            configuration("", nil, found["problem"] ?? "")
        },
        problem("Missing Match criteria for {x}", "Match needs a pattern after each criterion"),
        problem("Unsupported Match attribute {x}", "Match does not know a criterion"),
        problem("One or more attributes required for Match", "Match needs a criterion"),
        problem("Too many recursive configuration includes", "Include files include one another"),
        problem("Too many identity files specified (max {n})", "there are too many IdentityFile settings"),
        problem("Too many certificate files specified (max {n})", "there are too many CertificateFile settings"),
        problem("Invalid {setting}HostsFiles: \"none\" appears with other entries", "none must be the only file"),
        problem("Invalid config SetEnv: {x}", "SetEnv has no NAME=value"),
        problem("Invalid {setting}Agent environment variable name {x}", "the name of a variable is not a valid one"),
        problem("tilde_expand: No such u{x}", "a path begins with ~ and a name that no user has"),
        problem("tilde_expand_filename: No such u{x}", "a path begins with ~ and a name that no user has"),
        problem("ProxyCommand=- and ProxyUseFDPass are incompatible", "ProxyUseFDPass needs a command"),
        .says("no support for PKCS#11.", "ssh.c: built without it", .known(.localUnsupported)),
        TranscriptRow("KnownHostsCommand failed", "sshconnect.c; 8.5–10", ends: true) { _, _ in
            .known(.hostKeyKnownHostsUnreadable, .guess)
        },
        TranscriptRow("…percent_expand: unknown key %{key}", "misc.c; 6.6–10", ends: true) { found, _ in
            configuration("", nil, "this ssh does not know %\((found["key"] ?? "").prefix(1))")
        },
        TranscriptRow("Bad configuration option: {option}", "readconf.c, without the file") { found, _ in
            configuration("", nil, "there is no option \(found["option"] ?? "")")
        },
        longControlPath("ControlPath \"{path}\" too long for Unix domain socket", "ssh.c; 8.9–10"),
        longControlPath("ControlPath too long{x}", "ssh.c, mux.c; 6.6–10"),
        longControlPath("unix_listener: path \"{path}\" too long for Unix domain socket", "misc.c; 6.6–10"),
        longControlPath("unix_listener: \"{path}\" too long for Unix domain socket", "misc.c; 6.6–7"),
        TranscriptRow("…unix_listener: cannot bind to path {path}: {reason}", "misc.c; 8.0–10") { found, facts in
            socketNotMade(found, &facts)
        },
        TranscriptRow("…unix_listener: cannot listen on path {path}: {reason}", "misc.c; 8.0–10") { found, facts in
            socketNotMade(found, &facts)
        },
        TranscriptRow("Bad escape character '{x}'", "ssh.c; 6.6–10", ends: true) { found, _ in
            TranscriptReading(
                .telling, .usage(field: "-e", problem: "\(found["x"] ?? "") is not an escape character"), at: .local)
        },
        TranscriptRow("jumphost loop via {host}", "ssh.c; 8.9–10", ends: true) { found, _ in
            configuration("", nil, "the jump hosts lead in a circle")
        },
        TranscriptRow("usage: ssh {x}", "ssh.c; 6.6–10", ends: true) { _, _ in
            TranscriptReading(.plain, .usage(field: "", problem: "ssh was called wrongly"), at: .local, .likely)
        },
        TranscriptRow("Bad port '{port}'", "ssh.c; 6.6–10", ends: true) { found, _ in
            TranscriptReading(.telling, .usage(field: "-p", problem: "\(found["port"] ?? "") is not a port"), at: .local)
        },
        algorithm("Unknown cipher type '{name}'", "-c", "ssh.c; 6.6–10"),
        algorithm("Unknown mac type '{name}'", "-m", "ssh.c; 6.6–10"),
        algorithm("…Bad SSH2 cipher spec '{name}'", "Ciphers", "readconf.c; 6.6–10"),
        algorithm("…Bad SSH2 MAC spec '{name}'", "MACs", "readconf.c; 6.6–10"),
        algorithm("…Bad SSH2 Mac spec '{name}'", "MACs", "readconf.c; 6.6–7.3"),
        algorithm("…Bad SSH2 KexAlgorithms '{name}'", "KexAlgorithms", "readconf.c; 6.6–10"),
        algorithm("…Bad key types '{name}'", "HostKeyAlgorithms", "readconf.c; 6.6–10"),
        sshpass("At most one of -f, -d, -p or -e should be used", "1.08–1.10"),
        .says(
            "…Failed to change pseudo terminal's permission", "sshpass main.c: grantpt; 1.05–1.10",
            .known(.localUnsupported, .guess)),
        sshpass("Conflicting password source", "1.06–1.10"),
        sshpass("SSHPASS: -e option given but \"SSHPASS\" environment variable not set", "1.05–1.06"),
        sshpass("SSHPASS: -e option given but {name} environment variable not set", "1.08–1.10"),
        TranscriptRow("SSHPASS: Failed to open password file {file}: {reason}", "sshpass 1.06–1.10", ends: true) { found, _ in
            configuration(found["file"] ?? "", nil, found["reason"] ?? "")
        },
        TranscriptRow("sshpass: Failed to run command: {reason}", "sshpass before 1.06", ends: true) { found, _ in
            configuration("sshpass", nil, "the command that it was to run: \(found["reason"] ?? "")")
        },
        TranscriptRow("SSHPASS: Failed to run command: {reason}", "sshpass 1.06–1.10", ends: true) { found, _ in
            configuration("sshpass", nil, "the command that it was to run: \(found["reason"] ?? "")")
        },
    ]

    /// Options that contradict one another, or that this ssh does not have. The sentences are whole: ssh puts nothing before them.
    private static let usage: [TranscriptRow] =
        [
            "remote username contains invalid characters", "Cannot specify -J with ProxyCommand",
            "inconsistent options: ProxyCommand+ProxyJump", "Only a single -J option is permitted", "Invalid -J argument",
            "Can't specify both -y and -E", "Invalid multiplex command.", "Cannot specify multiplexing command with -W",
            "Multiplexing command already specified", "No ControlPath specified for \"-O\" command",
            "Cannot fork into background without a command to execute.", "Cannot execute command-line and remote command.",
            "Cannot specify -N with -s/SessionType", "Cannot specify -s with -N/SessionType", "stdio forward already specified",
            "Cannot specify stdio forward with -O", "SSH protocol v.1 is no longer supported",
            "Invalid number of ConnectionAttempts", "Host directive not supported as a command-line option",
            "Unsupported KEX algorithm \"",
            // getopt puts the program's name, which may be a path, before its own words.
            "…ssh: illegal option -- ", "…scp: illegal option -- ", "…sftp: illegal option -- ",
            "…ssh: option requires an argument -- ", "scp: ambiguous target", "bad port \"", "Bad port \"",
            "Cannot download keys without provider", "Invalid key destination constraint ",
            "Bad stdio forwarding specification '",
            "You must specify a subsystem to invoke.", "Bad tun device '",
            "Batch file already specified.", "No sftp server specified via -D", "Invalid number of requests \"",
            "target port not supported with two remote hosts and the -R option",
            "Include directive not supported as a command-line option",
        ].map { words in
            TranscriptRow(words, "ssh.c, scp.c, sftp.c, ssh-add.c: main; 6.6–10", ends: true) { _, _ in
                TranscriptReading(.telling, .usage(field: "", problem: words.trimming(" .\"-…")), at: .local, .likely)
            }
        }

    /// A setting that ssh does not accept, in a sentence without the file's name.
    private static func longControlPath(_ words: String, _ source: String) -> TranscriptRow {
        TranscriptRow(words, source) { _, _ in configuration("", nil, "ControlPath is too long for a socket") }
    }

    private static func problem(_ words: String, _ meaning: String) -> TranscriptRow {
        TranscriptRow(words, "readconf.c, ssh.c, misc.c; 6.6–10.3", ends: true) { _, _ in configuration("", nil, meaning) }
    }

    private static func algorithm(_ words: String, _ option: String, _ source: String) -> TranscriptRow {
        TranscriptRow(words, source, ends: true) { found, _ in
            let name = (found["name"] ?? "").prefix { $0 != "'" }
            return TranscriptReading(.telling, .usage(field: option, problem: "this ssh knows no \(name)"), at: .local)
        }
    }

    private static func sshpass(_ words: String, _ releases: String) -> TranscriptRow {
        TranscriptRow(words, "sshpass \(releases)", ends: true) { _, _ in
            TranscriptReading(.telling, .usage(field: "sshpass", problem: "it was called wrongly"), at: .local)
        }
    }

    /// Something is missing on the local machine.
    private static let system: [TranscriptRow] = [
        TranscriptRow("OpenSSL version mismatch. {versions}", "entropy.c; 6.6–10", ends: true) { found, _ in
            .direct(.telling, .localLibraryFailure, .likely) { _ in
                VerdictText(
                    "ssh was built with another OpenSSL than it finds here: \((found["versions"] ?? "").oneLine())".ended,
                    hint: "Install the ssh and the OpenSSL that belong together.")
            }
        },
        TranscriptRow("You don't exist, go away!", "ssh.c; 6.6–7", ends: true) { _, _ in
            unknownUser("")
        },
        TranscriptRow("No user exists for uid {uid}", "ssh.c; 6.6–10", ends: true) { found, _ in
            unknownUser(found["uid"] ?? "")
        },
    ]

    private static func unknownUser(_ id: String) -> TranscriptReading {
        .direct(.telling, .localConfigInvalid, .exact) { _ in
            VerdictText(
                "ssh runs as the user ID\(id.isEmpty ? "" : " \(id)"), which has no entry in /etc/passwd.",
                hint: "Run it as a user of this machine; in a container, add a line for the ID to /etc/passwd.")
        }
    }

    /// ssh ends without the socket of ControlPath. ssh may continue without a forwarding.
    private static func socketNotMade(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        let reason = found["reason"] ?? ""
        if reason.mentions("in use") { return facts.decline() }
        return TranscriptReading(
            .telling, .configurationInvalid(file: "", line: nil, problem: "ssh could not make its own socket: \(reason)"),
            at: .local, .guess)
    }

    private static func configuration(_ file: String, _ line: Int?, _ problem: String) -> TranscriptReading {
        TranscriptReading(.telling, .configurationInvalid(file: file, line: line, problem: problem), at: .local)
    }
}
