/// OpenSSH's messages about connecting to a server. They are never translated.
enum OpenSSHConnectionRows {
    static let rows: [TranscriptRow] = names + connecting + greeting + keyExchange

    private static let names: [TranscriptRow] = [
        TranscriptRow("…Could not resolve hostname {host}: {reason}", "ssh.c; 6.6–10", ends: true) { found, _ in
            .unresolved(found["reason"] ?? "")
        },
        TranscriptRow("ssh: {host}: {reason}", "sshconnect.c: ssh_connect; before 5.3", ends: true) { found, facts in
            let reason = found["reason"] ?? ""
            guard found["host"]?.contains(" ") == false, unknownNames.contains(where: { reason.hasPrefix($0) }) else {
                return facts.decline()
            }
            return .unresolved(reason)
        },
        TranscriptRow("hostname contains invalid characters", "ssh.c: valid_hostname; 9.6–10", ends: true) { _, _ in
            TranscriptReading(.telling, .hostNameInvalid(problem: "it contains invalid characters"), at: .resolve)
        },
    ]

    /// The texts of gai_strerror of glibc, BSD and Solaris.
    private static let unknownNames = [
        "Name or service not known", "Temporary failure in name resolution", "No address associated with",
        "nodename nor servname",
        "no address associated with", "node name or service name not known",
    ]

    private static let connecting: [TranscriptRow] = [
        TranscriptRow("bind {address}: {reason}", "sshconnect.c: -b; 6.6–10") { found, facts in
            facts.localProblem = SystemErrorTexts.systemError(found["reason"] ?? "")
            return nil
        },
        TranscriptRow("socket: {reason}", "sshconnect.c; 6.6–10") { found, facts in
            facts.localProblem = SystemErrorTexts.systemError(found["reason"] ?? "")
            return nil
        },
        TranscriptRow("…connect to host {host} port {port}: {reason}", "sshconnect.c; 6.6–10", ends: true) { found, facts in
            unconnected(found, &facts)
        },
        TranscriptRow("ssh:connect to host {host} port {port}:{reason}", "sshconnect.c, in words without blanks", ends: true) {
            found, facts in unconnected(found, &facts)
        },
        TranscriptRow("ssh: connect to address {host} port {port}: {reason}", "sshconnect.c; 3.0–3.9", ends: true) {
            found, facts in unconnected(found, &facts)
        },
        TranscriptRow("Connection timed out during banner exchange", "sshconnect.c; 6.6–10") { _, facts in
            facts.stage = .banner
            return foreign(facts) ?? noGreeting()
        },
        TranscriptRow("Connection to {host} port {port} timed out", "sshconnect.c; 8.4–10", ends: true) { _, facts in
            TranscriptReading(
                .plain, .deadlinePassed(SSHDeadline(kind: .connect, seconds: 0)), at: facts.stage ?? .keyExchange, .likely)
        },
        TranscriptRow("Connection closed by UNKNOWN port 65535", "packet.c: no socket, so a proxy; 7.4–10", ends: true) {
            proxyDied($1)
        },
        TranscriptRow("Connection reset by UNKNOWN port 65535", "packet.c: no socket, so a proxy; 7.4–10", ends: true) {
            proxyDied($1)
        },
        .says(
            "proxy dialer did not pass back a connection", "sshconnect.c: ProxyUseFDPass; 6.6–10",
            TranscriptReading(
                .telling,
                .proxyFailed(command: "", exitStatus: nil, standardError: "proxy dialer did not pass back a connection"),
                at: .connect, .likely)),
        .says("Could not create socketpair to communicate with proxy dialer: ", "sshconnect.c", .known(.connectLocalResources)),
        .says("Could not create pipes to communicate with the proxy: ", "sshconnect.c", .known(.connectLocalResources)),
        TranscriptRow("stdio forwarding failed", "clientloop.c: ssh -W, whose ssh ends after it; 6.6–10") { _, _ in
            .known(.channelJumpTargetUnreachable, .guess, .wrapper, or: ["the jump host allows no forwarding"])
        },
        TranscriptRow("open failed: administratively prohibited: {text}", "channels.c, without the channel") { found, facts in
            refused(found.merging(["reason": "administratively prohibited"]) { $1 }, facts)
        },
        TranscriptRow("channel {n}: open failed: {reason}: {text}", "channels.c; 6.6–10") { found, facts in
            refused(found, facts)
        },
        TranscriptRow("channel {n}: open failed: {reason}:", "channels.c, without the server's words; 6.6–10") { found, facts in
            refused(found, facts)
        },
    ]

    private static func unconnected(_ found: [String: String], _ facts: inout TranscriptFacts) -> TranscriptReading? {
        // If the line was wrapped at the terminal's width, the reason continues in the next line.
        if unfinished.contains((found["reason"] ?? "").trimming(" ")) {
            facts.isCutShort = true
            return nil
        }
        let place = "\(found["host"] ?? ""):\(found["port"] ?? "")"
        if facts.addresses.last?.address != place { facts.addresses = [] }
        // If no address could be tried, an earlier line gives the reason.
        let reason = found["reason"] == "failure" ? facts.localProblem : SystemErrorTexts.systemError(found["reason"] ?? "")
        // ssh prints one line for each address. A name has few.
        if facts.addresses.count < 64 { facts.addresses.append(SSHAddressFailure(address: place, systemError: reason)) }
        let addresses = facts.triedAddresses.count > 1 ? facts.triedAddresses : facts.addresses
        // A name may have several addresses. Without -v ssh prints only the reason of the last one.
        let isAddress = (found["host"] ?? "").allSatisfy { $0.isNumber || $0 == "." } || (found["host"] ?? "").contains(":")
        return TranscriptReading(
            .telling, .connectionFailed, at: .connect, isAddress || facts.trace.isPresent ? .exact : .likely
        ) { $0.addresses = addresses }
    }

    private static func refused(_ found: [String: String], _ facts: TranscriptFacts) -> TranscriptReading {
        let reasons = [
            "administratively prohibited": UInt32(1), "connect failed": 2, "unknown channel type": 3, "resource shortage": 4,
        ]
        let text = (found["text"] ?? "").trimming("'\"")
        // sshd says the same of one session too many.
        if facts.dialog == .tunnel, found["reason"] == "connect failed", text == "open failed" {
            return .known(.channelJumpTargetUnreachable, .guess, or: ["the server forwards nothing"])
        }
        return TranscriptReading(
            .telling, .channelRefused(reason: reasons[found["reason"] ?? ""], description: text), at: .channel, .likely)
    }

    private static let unfinished: Set<String> = [
        "", "Connection", "Connection timed", "Operation", "Operation timed", "No", "No route", "No route to", "Network",
        "Network is",
    ]

    private static func proxyDied(_ facts: TranscriptFacts) -> TranscriptReading {
        // With -v, ssh's own messages are between the proxy's.
        let lines = facts.otherLines.last(8).filter { !$0.hasPrefix("debug") && !$0.hasSuffix("=>") }
        let said = lines.joined(separator: "\n")
        // The jump host's own ssh has printed the reason, and that line is more specific.
        return TranscriptReading(
            .ending, .proxyFailed(command: facts.proxyCommand, exitStatus: nil, standardError: said), at: .connect, .likely
        ) { $0.stream = .closed }
    }

    /// The server sent nothing. It may be a service that waits for its client to send first, not a slow SSH server.
    private static func noGreeting() -> TranscriptReading {
        var reading = TranscriptReading(.telling, .deadlinePassed(SSHDeadline(kind: .connect, seconds: 0)), at: .banner, .likely)
        reading.alternatives = ["another service listens on the port, and waits for its client to speak first"]
        reading.isUnproved = true
        return reading
    }

    /// Before 8.0 ssh did not log that a proxy was used. The proxy's own messages show it.
    private static func proxySpoke(_ facts: TranscriptFacts) -> TranscriptReading? {
        facts.proxySpoke ? proxyDied(facts) : nil
    }

    /// The messages in full.
    private static let ends = [
        "Connection closed by remote host", "read: Connection reset by peer", "read: Connection timed out",
        "Connection timed out",
    ]

    /// The functions that read the greeting. The last name is the first without a letter, as people copy it.
    private static let functions = ["kex_exchange_identification", "ssh_exchange_identification", "ex_exchange_identification"]

    private static let greeting: [TranscriptRow] =
        [
            TranscriptRow("debug1: kex_exchange_identification: banner line {n}: {line}", "kex.c; 8.0–10") { found, facts in
                facts.noteServerLine(found["line"] ?? "")
                return nil
            },
            TranscriptRow("debug1: ssh_exchange_identification: {line}", "sshconnect.c; 6.6–7.9") { found, facts in
                facts.noteServerLine(found["line"] ?? "")
                return nil
            },
        ]
        + functions.flatMap { name -> [TranscriptRow] in
            let old = name.hasPrefix("ssh")
            let source = old ? "sshconnect.c; 6.6–7.9" : "kex.c; 8.0–10"
            return [
                TranscriptRow("\(name): Connection closed by remote host", source, ends: old) { _, facts in
                    proxyMessage(facts) ?? proxySpoke(facts)
                        ?? .ended(.ending, .closed, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)
                },
                TranscriptRow("\(name): read: Connection reset by peer", source, ends: old) { _, facts in
                    proxyMessage(facts)
                        ?? .ended(.ending, .reset, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)
                },
                TranscriptRow("\(name): read: Connection timed out", source, ends: old) { _, _ in .timedOut(.banner, .likely) },
                TranscriptRow("\(name): read: Operation timed out", source, ends: old) { _, _ in .timedOut(.banner, .likely) },
                TranscriptRow("\(name): read: {reason}", source, ends: old) { _, _ in
                    .ended(.ending, .reset, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)
                },
                TranscriptRow("\(name): write: {reason}", source, ends: old) { _, _ in
                    .ended(.telling, .reset, at: .banner, .likely)
                },
                TranscriptRow("\(name): Connection timed out", source, ends: old) { _, facts in
                    foreign(facts) ?? noGreeting()
                },
                TranscriptRow("\(name): {problem}", source, ends: old) { found, facts in
                    let problem = found["problem"] ?? ""
                    // A terminal has wrapped the message, perhaps within a word.
                    let bare = problem.filter { $0 != " " }
                    if ends.contains(where: { $0.filter { $0 != " " } == bare }) { return facts.decline() }
                    if ends.contains(where: { $0.hasPrefix(problem) }) {
                        facts.isCutShort = true
                        return .ended(.ending, .closed, at: .banner, .guess, alternatives: SharedAlternatives.closedEarly)
                    }
                    // OpenSSH prints the server's lines before its identification only with -v.
                    return TranscriptReading(.telling, .identificationUnreadable, at: .banner, .likely) {
                        guard problem.contains("banner line") || problem.contains("No SSH version") else {
                            $0.linesBeforeIdentification = [problem]
                            return
                        }
                    }
                },
            ]
        } + [
            TranscriptRow(
                "banner exchange: Connection to UNKNOWN port 65535: {reason}", "kex.c: no socket, so a proxy; 8.4–10", ends: true
            ) {
                proxyDied($1)
            },
            TranscriptRow("banner exchange: Connection to {host} port {port}: invalid format", "sshconnect.c; 8.4–10", ends: true)
            {
                _, _ in TranscriptReading(.plain, .identificationUnreadable, at: .banner, .likely)
            },
            TranscriptRow("banner exchange: Connection to {host} port {port}: {reason}", "sshconnect.c; 8.4–10", ends: true) {
                _, _ in .ended(.consequence, .closed, at: .banner, .likely)
            },
            TranscriptRow("Bad remote protocol version identification: {line}", "kex.c; 6.6–10", ends: true) { found, _ in
                let line = (found["line"] ?? "").trimming("'\"")
                return TranscriptReading(.telling, .identificationUnreadable, at: .banner) {
                    $0.linesBeforeIdentification = [line]
                    $0.firstBytes = Array(line.utf8)
                }
            },
            TranscriptRow("Not allowed at this time{rest}", "sshd.c, alone; 9.8–10") { found, facts in
                found["rest"]?.isEmpty == true ? .known(.bannerSourcePenalised, .guess, .wrapper) : facts.decline()
            },
            TranscriptRow("Protocol major versions differ: {ours} vs. {theirs}", "kex.c; 6.6–10", ends: true) { found, _ in
                let version = (found["theirs"] ?? "1").prefix { $0.isNumber || $0 == "." }
                return TranscriptReading(.telling, .identificationUnreadable, at: .banner) {
                    $0.identification = "SSH-\(version).0-"
                }
            },
        ]

    /// The server greets as another service does, and then waits for its own protocol.
    static func foreign(_ facts: TranscriptFacts) -> TranscriptReading? {
        guard !facts.serverLines.isEmpty else { return nil }
        let lines = facts.serverLines
        let reading = TranscriptReading(.telling, .identificationUnreadable, at: .banner) {
            $0.linesBeforeIdentification = lines
            $0.firstBytes = Array(lines.joined(separator: "\r\n").utf8)
        }
        return SSHFailureClassifier.classify(reading.evidence).code == .bannerNotSSH ? reading : nil
    }

    /// The reading for the server's lines before it closes, from ssh -v and from programs that read the port themselves.
    private static func proxyMessage(_ facts: TranscriptFacts) -> TranscriptReading? {
        let lines = facts.serverLines + facts.busyLines
        guard !lines.isEmpty else { return nil }
        return TranscriptReading(.telling, .streamEnded, at: .banner) {
            $0.stream = .closed
            $0.linesBeforeIdentification = lines
            $0.firstBytes = Array(lines.joined(separator: "\r\n").utf8)
        }
    }

    private static let keyExchange: [TranscriptRow] =
        [.noting("Unable to negotiate with {host} port {port}: no matching ", "packet.c; 7.4–10") { _, _ in }]
        + [
            ("key exchange method", SSHError.Code.kexNoCommonKex, "KexAlgorithms"),
            ("host key type", .kexNoCommonHostKeyAlgorithm, "HostKeyAlgorithms"), ("cipher", .kexNoCommonCipher, "Ciphers"),
            ("MAC", .kexNoCommonMAC, "MACs"), ("mac", .kexNoCommonMAC, "MACs"),
            ("compression method", .kexNoCommonCompression, "Compression"),
        ].map { name, code, keyword in
            TranscriptRow("…no matching \(name) found{dot}Their offer: {offer}", "kex.c, packet.c; 7.4–10", ends: true) {
                found, facts in
                // A copy may lack the full stop.
                guard (found["dot"] ?? "").trimming(". ").isEmpty else { return facts.decline() }
                let offer = (found["offer"] ?? "").split(separator: ",").map(String.init).filter {
                    !AlgorithmAgreement.isMarker($0)
                }
                let option = keyword == "Compression" ? "-o Compression=yes" : "-o \(keyword)=+\(offer.first ?? "")"
                // An ssh that knows such a method offers it.
                let hint: RemedyText =
                    AlgorithmAdvice.releaseOfOpenSSH(forPostQuantum: offer).map {
                        "Update OpenSSH on this machine: it has \(offer[0]) since \($0)."
                    } ?? """
                        Update the older of the two. Until then, if the risk is known: \
                        \(run: "ssh \(option.oneLine(120))", .placeholders, isQuoted: false)
                        """
                return .direct(.telling, code) {
                    VerdictText(
                        "\($0.server) and the client share no \(name): the server offers \(offer.listed()).", hint: hint)
                }
            }
        }
        + [
            ("key exchange method", SSHError.Code.kexNoCommonKex), ("host key type", .kexNoCommonHostKeyAlgorithm),
            ("cipher", .kexNoCommonCipher), ("MAC", .kexNoCommonMAC),
        ].flatMap { name, code in
            ["{host} port {port}", "{host}"].map { peer in
                TranscriptRow(
                    "Unable to negotiate with \(peer): no matching \(name) found", "packet.c, without the offer; 6.9–10",
                    ends: true
                ) { _, _ in .noCommon(code, name) }
            }
        } + [
            TranscriptRow("Unable to negotiate a key exchange method", "kex.c; 6.6–7.3", ends: true) { _, _ in
                .direct(.telling, .kexNoCommonKex) {
                    VerdictText(
                        "\($0.server) and the client share no key exchange method.", hint: "Update the older of the two.")
                }
            },
            TranscriptRow("no matching cipher found: client {a} server {offer}", "kex.c; 6.6", ends: true) { _, _ in
                .direct(.telling, .kexNoCommonCipher) {
                    VerdictText("\($0.server) and the client share no cipher.", hint: "Update the older of the two.")
                }
            },
            TranscriptRow("no matching mac found: client {a} server {offer}", "kex.c; 6.6", ends: true) { _, _ in
                .noCommon(.kexNoCommonMAC, "MAC")
            },
            TranscriptRow("no hostkey alg", "kex.c; 6.6", ends: true) { _, _ in
                .direct(.telling, .kexNoCommonHostKeyAlgorithm) {
                    VerdictText(
                        "\($0.server) and the client share no host key algorithm.", hint: "Update the older of the two.")
                }
            },
            TranscriptRow("…incorrect signature", "sshconnect2.c, ssherr.c; 7.4–10", ends: true) { found, _ in
                .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .likely, "")
            },
            TranscriptRow("key_verify failed for server_host_key", "kexc25519c.c; 6.6", ends: true) { _, _ in
                .call(.telling, "HOSTKEY_SIGN", at: .keyExchange, .exact, "")
            },
        ]
}
