/// Findings about algorithms: those that were negotiated, and those that the server should not offer any more.
enum AlgorithmFindings {
    static func all(_ seen: Observations) -> [SSHFinding] {
        guard let evidence = seen.evidence else { return [] }
        var findings: [SSHFinding] = []
        if let chosen = evidence.chosenAlgorithms { findings.append(agreement(chosen, evidence)) }
        if evidence.identification != nil, let finding = library(seen.library) { findings.append(finding) }
        if let offered = evidence.serverAlgorithms {
            findings += weak(offered, evidence.chosenAlgorithms)
            if let finding = terrapin(offered, evidence.chosenAlgorithms) { findings.append(finding) }
            findings.append(postQuantum(offered, evidence.chosenAlgorithms, seen.library))
        }
        return findings
    }

    /// Known defects of the loaded libssh2.
    private static func library(_ library: ObservedLibrary?) -> SSHFinding? {
        guard let library, !library.vulnerabilities.isEmpty else { return nil }
        let count = library.vulnerabilities.count
        return SSHFinding(
            .algorithms, .info,
            "libssh2 \(library.package ?? library.version) on this machine has \(count == 1 ? "a known defect" : "\(count) known defects")"
                + " that a server could use.",
            remedy: """
                \(commandLine: "\(run: "bridge-ssh --version") says what this client does about \(count == 1 ? "it" : "each").")
                """,
            details: [.init("libraryVersion", .text(library.version)), .init("libraryHoles", .texts(library.vulnerabilities))]
                + (library.package.map { [.init("libraryPackage", .text($0))] } ?? []))
    }

    private static func agreement(_ chosen: SSHChosenAlgorithms, _ evidence: SSHEvidence) -> SSHFinding {
        let up = protection(chosen.cipherToServer, chosen.macToServer)
        let down = protection(chosen.cipherToClient, chosen.macToClient)
        let text =
            "Agreed on \(chosen.keyExchange), host key \(chosen.hostKey), "
            + (up == down ? up : "\(up) to the server, \(down) back")
            + "."
        var details: [SSHFinding.Detail] = [
            .init("keyExchange", .text(chosen.keyExchange)), .init("hostKey", .text(chosen.hostKey)),
            .init("cipherToServer", .text(chosen.cipherToServer)), .init("cipherToClient", .text(chosen.cipherToClient)),
        ]
        if let mac = chosen.macToServer { details.append(.init("macToServer", .text(mac))) }
        if let mac = chosen.macToClient { details.append(.init("macToClient", .text(mac))) }
        if let offered = evidence.serverAlgorithms {
            details += AlgorithmAgreement.Kind.allCases.map { kind in
                .init("offered\(kind.rawValue.sentence)", .texts(kind.names(in: offered)))
            }
        }
        return SSHFinding(.algorithms, .ok, text, details: details)
    }

    private static func protection(_ cipher: String, _ mac: String?) -> String {
        mac.map { "\(cipher) with \($0)" } ?? cipher
    }

    /// One finding per kind and reason.
    private static func weak(_ offered: SSHAlgorithmLists, _ chosen: SSHChosenAlgorithms?) -> [SSHFinding] {
        AlgorithmAgreement.Kind.allCases.flatMap { kind -> [SSHFinding] in
            let used = chosen.map(kind.names(in:)) ?? []
            let all = WeakAlgorithm.among(kind.names(in: offered), kind)
            var reasons: [String] = []
            for weak in all where !reasons.contains(weak.reason) { reasons.append(weak.reason) }
            var findings = reasons.map { reason in finding(all.filter { $0.reason == reason }, kind, used) }
            // sshd reads only the first line for a keyword, so one line must contain everything.
            let unwanted = all.filter { $0.isObsolete || used.contains($0.name) }
            if let last = findings.lastIndex(where: { $0.level == .weak }) {
                let line = "\(kind.serverKeyword) -\(unwanted.map(\.name).joined(separator: ","))"
                findings[last].remedyText = "In the server's sshd_config: \(line: line)"
            }
            return findings
        }
    }

    private static func finding(_ weak: [WeakAlgorithm], _ kind: AlgorithmAgreement.Kind, _ used: [String]) -> SSHFinding {
        let names = weak.map(\.name)
        let inUse = names.filter(used.contains)
        let (reason, source) = (weak[0].reason, weak[0].source)
        let subject =
            inUse.isEmpty ? "The server still offers \(names.listed(12))" : "This connection uses \(inUse.listed())"
        // OpenSSH offers these by default. They do no harm unless they are used.
        let isHarmless = inUse.isEmpty && !weak.contains(where: \.isObsolete)
        return SSHFinding(
            .algorithms, isHarmless ? .info : .weak, "\(subject): \(reason) (\(source)).",
            details: [
                .init("kind", .text(kind.rawValue)), .init("names", .texts(names)), .init("inUse", .texts(inUse)),
                .init("reason", .text(reason)), .init("source", .text(source)),
            ])
    }

    /// Whether a quantum computer could later decrypt a recording of this connection.
    private static func postQuantum(
        _ offered: SSHAlgorithmLists, _ chosen: SSHChosenAlgorithms?, _ library: ObservedLibrary?
    ) -> SSHFinding {
        let offer = PostQuantumOffer(offered: offered.keyExchange, agreed: chosen?.keyExchange)
        let (names, isUsed) = (offer.names, offer.isUsed)
        let risk = "Traffic that is recorded today can be decrypted once a quantum computer breaks the key exchange that is used."
        let details: [SSHFinding.Detail] = [
            .init("postQuantumOffered", .texts(names)), .init("postQuantumUsed", .flag(isUsed)),
        ]
        if isUsed {
            return SSHFinding(.algorithms, .ok, "The key exchange resists quantum computers.", details: details)
        }
        guard !names.isEmpty else {
            return SSHFinding(
                .algorithms, .info,
                "The server offers no post-quantum key exchange. \(risk) OpenSSH has one by default from 9.0 on.",
                details: details)
        }
        let client =
            library.map { "which libssh2 \($0.version) does not have; OpenSSH's ssh has it" }
            ?? "which this connection does not use"
        return SSHFinding(
            .algorithms, .info, "The server offers post-quantum key exchange (\(names.listed())), \(client). " + risk,
            details: details)
    }

    /// Without strict key exchange, messages can be removed from the start of a connection with these ciphers (CVE-2023-48795).
    private static func terrapin(_ offered: SSHAlgorithmLists, _ chosen: SSHChosenAlgorithms?) -> SSHFinding? {
        guard !offered.keyExchange.contains("kex-strict-s-v00@openssh.com") else { return nil }
        let affected = AlgorithmAgreement.Kind.cipher.names(in: offered).filter { cipher in
            cipher == "chacha20-poly1305@openssh.com"
                || cipher.hasSuffix("-cbc") && AlgorithmAgreement.Kind.mac.names(in: offered).contains { $0.contains("-etm@") }
        }
        guard !affected.isEmpty else { return nil }
        let inUse = chosen.map { AlgorithmAgreement.Kind.cipher.names(in: $0).filter(affected.contains) } ?? []
        return SSHFinding(
            .algorithms, .weak,
            "The server has no strict key exchange: an attacker on the network can cut messages out of the start of a connection with "
                + "\(affected.listed()) (Terrapin, CVE-2023-48795).",
            advice: "Update the server: OpenSSH 9.6 and later have strict key exchange.",
            details: [
                .init("kind", .text("cipher")), .init("names", .texts(affected)), .init("inUse", .texts(inUse)),
                .init("reason", .text("no strict key exchange")), .init("source", .text("CVE-2023-48795")),
            ])
    }
}

extension AlgorithmAgreement.Kind {
    /// The algorithms of this kind in one side's lists, both directions, without duplicates.
    func names(in lists: SSHAlgorithmLists) -> [String] {
        switch self {
        case .keyExchange: lists.keyExchange.filter { !AlgorithmAgreement.isMarker($0) }
        case .hostKey: lists.hostKey
        case .cipher: Self.union(lists.cipherToServer, lists.cipherToClient)
        case .mac: Self.union(lists.macToServer, lists.macToClient)
        case .compression: Self.union(lists.compressionToServer, lists.compressionToClient)
        }
    }

    /// The negotiated algorithms of this kind.
    func names(in chosen: SSHChosenAlgorithms) -> [String] {
        switch self {
        case .keyExchange: [chosen.keyExchange]
        case .hostKey: [chosen.hostKey]
        case .cipher: Self.union([chosen.cipherToServer], [chosen.cipherToClient])
        case .mac: Self.union([chosen.macToServer].compactMap { $0 }, [chosen.macToClient].compactMap { $0 })
        case .compression: []
        }
    }

    private static func union(_ one: [String], _ other: [String]) -> [String] { one + other.filter { !one.contains($0) } }
}
