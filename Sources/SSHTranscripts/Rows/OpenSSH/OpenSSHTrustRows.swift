/// OpenSSH's messages about host keys, key files and the agent.
enum OpenSSHTrustRows {
    static let rows: [TranscriptRow] = hostKeys + keys + agents

    private static let hostKeys: [TranscriptRow] = [
        TranscriptRow("Host key {type} {fingerprint} revoked by file {place}", "sshconnect.c; 7.4–10") { found, _ in
            revoked(found["place"])
        },
        TranscriptRow("…WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!", "sshconnect.c; 6.6–10") { _, facts in
            facts.hostKeyChanged = true
            return .direct(.telling, .hostKeyChanged, .likely) { changed($0, nil, nil) }
        },
        TranscriptRow("…ost key for {host} has changed and you have requested strict checking", "sshconnect.c; 6.6–10") {
            _, facts in
            // The lines before it contain more.
            if facts.hostKeyChanged { return nil }
            return .direct(.telling, .hostKeyChanged, .likely) { changed($0, nil, nil) }
        },
        // Some pages leave out what is like an address.
        TranscriptRow("…ost key for has changed and you have requested strict checking", "without its host") { _, facts in
            facts.hostKeyChanged ? nil : .direct(.telling, .hostKeyChanged, .likely) { changed($0, nil, nil) }
        },
        // ssh compares the key of the address only with a host whose key has changed.
        TranscriptRow("The {type} host key for {host} has changed,", "sshconnect.c: the address's key differs; 6.6–10") { _, _ in
            .direct(.telling, .hostKeyChanged, .likely) { changed($0, nil, nil) }
        },
        TranscriptRow("The fingerprint for the {type} key sent by the remote host is", "sshconnect.c; 6.6–10") { found, facts in
            facts.presentedType = found["type"]
            return nil
        },
        TranscriptRow("SHA256:{fingerprint}", "sshkey.c; 7.0–10") { found, facts in
            facts.fingerprint = "SHA256:" + (found["fingerprint"] ?? "").trimming(". ")
            return nil
        },
        TranscriptRow("Offending {type} key in {place}", "sshconnect.c; 6.6–10") { found, facts in
            guard facts.hostKeyChanged else { return nil }
            let place = found["place"] ?? ""
            let fingerprint = facts.fingerprint
            // ssh names the last known key of any type. It prefers the known types in key exchange. So the server presents a key
            // of another type only if it no longer offers any of the known types.
            let order = ["ED25519", "ECDSA", "RSA"]
            if let presented = facts.presentedType.flatMap({ order.firstIndex(of: $0) }),
                let known = found["type"].flatMap({ order.firstIndex(of: $0) }), presented != known
            {
                if presented < known {
                    return .direct(.telling, .hostKeyChanged, .guess, alternatives: ["it is known by its other key only"]) {
                        changed($0, fingerprint, place)
                    }
                }
                return otherType(found["type"] ?? "", facts.presentedType ?? "", place, fingerprint)
            }
            return .direct(.telling, .hostKeyChanged) { changed($0, fingerprint, place) }
        },
        TranscriptRow("{type} host key for {host} was revoked and you have requested strict checking", "sshconnect.c; 6.6–10") {
            _, _ in revoked(nil)
        },
        TranscriptRow("…WARNING: REVOKED HOST KEY DETECTED!", "sshconnect.c; 6.6–10") { _, _ in revoked(nil) },
        TranscriptRow("No {type} host key is known for {host} and you have requested strict checking.", "sshconnect.c; 6.6–10") {
            _, facts in facts.otherTypesKnown.map(known) ?? .hostKeyUnknown(.exact)
        },
        TranscriptRow("…No host key is known for {host} and you have requested strict checking.", "sshconnect.c; 6.6") { _, _ in
            .hostKeyUnknown(.exact)
        },
        TranscriptRow(
            "…the {type} host key for '{host}' differs from the key for the IP address '{address}'", "sshconnect.c; 6.6–10"),
        TranscriptRow("Exiting, you have requested strict checking.", "sshconnect.c: the address's key differs; 6.6–10") { _, _ in
            .hostKeyChanged()
        },
        TranscriptRow("…authenticity of host '{host}' can't be established", "sshconnect.c; 6.6–10") { found, facts in
            facts.host = String(facts.host.prefix { $0 != " " })
            return facts.otherTypesKnown.map(known) ?? .hostKeyUnknown(.likely)
        },
        TranscriptRow("but keys of different type are already known for this host.", "sshconnect.c; 6.6–10") { _, facts in
            known(facts.otherTypesKnown ?? "")
        },
        .noting("Warning: Permanently added '", "sshconnect.c: the question was answered; 6.6–10") { _, facts in
            facts.passed = [.hostKey]
        },
        .noting("…continue connecting (yes/no{x})? yes", "sshconnect.c: confirm; 6.6–10, with the answer") { _, facts in
            facts.passed = [.hostKey]
        },
        .noting("…100%{size}B/s   00:0", "progressmeter.c: a file was copied, so the login succeeded; 6.6–10") { _, facts in
            facts.passed = [.key, .hostKey, .authentication]
        },
        .noting("? (Y/N) Y", "train: transports/ssh.rb") { _, facts in facts.passed = [.hostKey] },
        .noting("? (Y/N) y", "train: transports/ssh.rb, behind `continue connecting`, with the answer") { _, facts in
            facts.passed = [.hostKey]
        },
        TranscriptRow("WARNING: {type} key found for host {host}", "sshconnect.c: show_other_keys; 6.6–10") { found, facts in
            facts.otherTypesKnown = found["type"]
            return nil
        },
        TranscriptRow("…Host key verification failed.", "sshconnect2.c; 6.6–10, also behind an unanswered question", ends: true) {
            _, _ in unverified()
        },
        TranscriptRow("{before}Host key verification failed{rest}", "sshconnect2.c, without its full stop, as programs repeat it")
        {
            found, facts in
            // A sentence that only quotes the message continues after it.
            let before = found["before"] ?? ""
            let opens = TranscriptTemplate.endsPrefix(before[...]) || before.last.map { !"\"'`".contains($0) } ?? true
            let rest = found["rest"] ?? ""
            // libvirt adds the error of its pipe: `: Connection reset by peer`.
            let ends = rest.trimming("\"'`,;!]}) ").isEmpty || rest.hasPrefix(": Connection reset by peer")
            return opens && ends ? unverified() : facts.decline()
        },
    ]

    private static func unverified() -> TranscriptReading {
        TranscriptReading.hostKeyUnknown(
            .guess, alternatives: ["the host key has changed, or is revoked (the lines before say so)"]
        ).ranked(.plain)
    }

    /// Keys of other types are known for the server, but none of the presented type.
    private static func known(_ types: String) -> TranscriptReading {
        .direct(.telling, .hostKeyOtherTypeKnown, .likely) {
            let type = types.isEmpty ? "another" : "its \(types.oneLine(20))"
            return VerdictText(
                "\($0.endpoint) is known by \(type) key, but shows one of a type that is not known.",
                hint: "Compare the fingerprint with the server's own before adding it to known_hosts.",
                alternatives: ["the server got a key of another type", "another machine answers in the server's place"])
        }
    }

    static func otherType(_ known: [String], shown: String) -> TranscriptReading {
        .direct(.telling, .hostKeyOtherTypeKnown) {
            VerdictText(
                "\($0.endpoint) is known by \(known.map { $0.oneLine(40) }.listed()), but shows a key of type \(shown.oneLine(40)).",
                hint: "Compare the fingerprint with the server's own before adding it to known_hosts.",
                alternatives: ["the server got a key of another type", "another machine answers in the server's place"])
        }
    }

    private static func otherType(_ known: String, _ presented: String, _ place: String, _ fingerprint: String?)
        -> TranscriptReading
    {
        .direct(.telling, .hostKeyOtherTypeKnown, .guess, alternatives: ["the key of the shown type has changed too"]) {
            VerdictText(
                "\($0.endpoint) is known by its \(known.oneLine(20)) key (\(place.oneLine())), but shows its "
                    + "\(presented.oneLine(20)) key\(fingerprint.map { ", \($0.oneLine(80))" } ?? "").",
                hint: "Compare the fingerprint with the server's own before adding it to known_hosts.",
                alternatives: ["the server got a key of another type", "another machine answers in the server's place"])
        }
    }

    static func changed(to fingerprint: String, known place: String) -> TranscriptReading {
        .direct(.telling, .hostKeyChanged) { changed($0, fingerprint, place) }
    }

    private static func changed(_ evidence: SSHEvidence, _ fingerprint: String?, _ place: String?) -> VerdictText {
        let file = place.map { String($0.prefix { $0 != ":" }) }
        let option = file.map { " -f \($0.oneLine().shellWord)" } ?? ""
        return VerdictText(
            "The host key of \(evidence.endpoint) has changed\(fingerprint.map { ": it is now \($0.oneLine(80))" } ?? "")"
                + "\(place.map { "; another is known in \($0.oneLine())" } ?? "").",
            hint: """
                Another machine may be answering in its place. Only if its administrator confirms the new fingerprint, remove the old \
                key: \(run: "ssh-keygen -R \(evidence.knownHostsName.oneLine().shellWord)\(option)", .mayBeWrong, isQuoted: false)
                """,
            alternatives: ["the server was reinstalled", "another machine answers in the server's place"])
    }

    static func revoked(_ place: String?) -> TranscriptReading {
        .direct(.telling, .hostKeyRevoked) {
            VerdictText(
                "The host key of \($0.endpoint) is marked as revoked\(place.map { " in \($0.oneLine())" } ?? "").",
                hint: "Do not log in: the holder of this key may not be the server. Ask its administrator for the new key.")
        }
    }

    private static let keys: [TranscriptRow] = [
        TranscriptRow("Bad server host key: {reason}", "sshconnect.c; 9.1–10: RequiredRSASize", ends: true) { _, _ in
            .known(.kexNoCommonHostKeyAlgorithm, .guess, or: ["the server's RSA key is shorter than the client accepts"])
        },
        .says("Server host key {type} not in HostKeyAlgorithms", "sshconnect2.c; 9–10", .known(.kexNoCommonHostKeyAlgorithm)),
        .says("host key {type} not permitted by HostkeyAlgorithms", "sshconnect.c; 8.9–10", .known(.kexNoCommonHostKeyAlgorithm)),
        .says(
            "Error: forwarding disabled due to host key check failure", "sshconnect.c", .known(.hostKeyChanged, .guess, .plain)),
        TranscriptRow("Warning: Identity file {path} not accessible: {reason}", "ssh.c; 6.6–10") { found, _ in
            let reason = found["reason"] ?? ""
            return .key(reason.contains("No such file") ? .notFound : .unreadable, found["path"], reason)
        },
        TranscriptRow("no such identity: {path}: {reason}", "sshconnect2.c; 6.6–10") { found, _ in
            .key(
                found["reason"]?.contains("No such file") == true ? .notFound : .unreadable, found["path"], found["reason"] ?? "")
        },
        TranscriptRow("Load key \"{path}\": {reason}", "sshconnect2.c; 7.4–10") { found, _ in unloaded(found) },
        TranscriptRow("Load key \\\"{path}\\\": {reason}", "the same in JSON") { found, _ in unloaded(found) },
        TranscriptRow("…WARNING: UNPROTECTED PRIVATE KEY FILE!", "authfile.c; 6.6–10") { _, _ in
            .key(.permissionsTooOpen, nil, "")
        },
        TranscriptRow("Permissions {mode} for '{path}' are too open.", "authfile.c; 6.6–10") { found, _ in
            .key(.permissionsTooOpen, found["path"], "its mode is \(found["mode"] ?? "")")
        },
        TranscriptRow("Permissions for '{path}' are too open.", "authfile.c: OpenSSH for Windows; 7.7–9.5") { found, _ in
            .key(.permissionsTooOpen, found["path"])
        },
        TranscriptRow("bad permissions: ignore key: {path}", "authfile.c; 6.6") { found, _ in
            .key(.permissionsTooOpen, found["path"])
        },
        TranscriptRow("private key {path} contents do not match public", "sshconnect2.c; 7.9–10") { found, _ in
            .key(.publicKeyMismatch, found["path"])
        },
    ]

    private static func unloaded(_ found: [String: String]) -> TranscriptReading {
        let reason = found["reason"] ?? ""
        let lower = reason.lowercased()
        let kind: SSHKeyProblem.Reason =
            if lower.contains("libcrypto") || lower.contains("invalid format") {
                found["path"]?.hasSuffix(".pub") == true ? .isPublicKey : .formatInvalid
            } else if lower.contains("incorrect passphrase") {
                .passphraseWrong
            } else if lower.contains("bad permissions") {
                .permissionsTooOpen
            } else if lower.contains("no such file") {
                .notFound
            } else if lower.contains("permission denied") || lower.contains("is a directory") {
                .unreadable
            } else if lower.contains("cipher") {
                .cipherUnsupported
            } else if found["path"]?.hasSuffix(".pub") == true {
                .isPublicKey
            } else if lower.contains("unknown or unsupported key type") || lower.contains("key type") {
                .typeUnsupported
            } else { .formatInvalid }
        return .key(kind, found["path"], reason)
    }

    private static let agents: [TranscriptRow] = [
        TranscriptRow("sign_and_send_pubkey: no mutual signature supported", "sshconnect2.c; 7.9–10") { _, _ in .sha1() },
        TranscriptRow("…send_pubkey_test: no mutual signature algorithm", "sshconnect2.c; 8.2–10") { _, _ in .sha1() },
        TranscriptRow("debug1: send_pubkey_test: no mutual signature algorithm", "sshconnect2.c; 8.2–10") { _, facts in
            facts.trace.login.withdraw()
            return .sha1()
        },
        // ssh signs with a key only after the server has accepted it.
        TranscriptRow("…signing failed for {key}: agent refused operation", "sshconnect2.c; 8.4–10") { _, _ in
            TranscriptReading.agent(.refused, "it refused the operation").ranked(.decisive)
        },
        TranscriptRow("…signing failed: agent refused operation", "sshconnect2.c; 7.4–8.3") { _, _ in
            TranscriptReading.agent(.refused, "it refused the operation").ranked(.decisive)
        },
        TranscriptRow("…signing failed for {key}: {reason}", "sshconnect2.c; 8.2–10") { found, facts in
            guard ["-SK ", "_SK "].contains(where: { found["key"]?.mentions($0) == true }) else { return facts.decline() }
            let reason = found["reason"] ?? ""
            let others = ["it is not plugged in", "it was not touched in time"]
            return .direct(.decisive, .agentRefused, .guess, alternatives: others) {
                VerdictText(
                    "\($0.endpoint) accepted a security key, but the key did not sign: \"\(reason.oneLine(80))\".",
                    hint: "Plug in the security key, and touch it when it blinks.")
            }
        },
        TranscriptRow("…refusing PKCS#11 add of {path}: provider not allowed", "ssh-agent.c, its own log; 7.4–10") { _, _ in
            .agent(.refused, "the provider is none of those that it allows")
        },
        TranscriptRow("…communication with agent failed", "authfd.c, ssherr.c; 7.4–10") { _, _ in
            .agent(.unavailable, "communication with it failed")
        },
        TranscriptRow("Could not open a connection to your authentication agent.", "ssh-add.c; 6.6–10", ends: true) { _, _ in
            .agent(.unavailable, "there is none")
        },
        TranscriptRow("Error connecting to agent: {reason}", "ssh-add.c; 7.9–10", ends: true) { found, _ in
            .agent(.unavailable, found["reason"] ?? "")
        },
        TranscriptRow("Agent admitted failure to sign using the key.", "ssh-agent.c, authfd.c; 6.6") { _, _ in
            .agent(.refused, "it failed to sign")
        },
    ]
}
