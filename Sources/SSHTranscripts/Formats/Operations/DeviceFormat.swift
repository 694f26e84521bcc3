/// ssh clients of network devices. Sources: MikroTik's and Huawei's manuals, and posts that quote the messages; Cisco's guide of
/// IOS' secure shell.
enum DeviceFormat {
    static let all = [
        TranscriptFormat("routeros", routerOS), TranscriptFormat("huawei vrp", vrp), TranscriptFormat("cisco ios", ios),
        TranscriptFormat("rancid", rancid),
    ]

    private static let routerOS: [TranscriptRow] = [
        .noting("…/system ssh", "the command") { _, facts in facts.dialog = .router },
        .noting("…> system ssh", "the prompt and the command") { _, facts in facts.dialog = .router },
        .library("connectHandler: {reason}", "/system ssh") { found, facts in
            facts.dialog == .router ? CommonReasons.reading(of: found["reason"] ?? "") ?? facts.decline() : facts.decline()
        },
    ]

    /// clogin and its likes reach devices by ssh or telnet, and wait for prompts.
    private static let rancid: [TranscriptRow] = [
        .noting("…: End of run not found", "rancid") { _, facts in facts.dialog = .expectTimeout },
        .library("Error: TIMEOUT reached", "clogin") { _, facts in
            facts.dialog == .expectTimeout
                ? .commandTimedOut(.guess, alternatives: ["the host was not reached", "the prompt is unknown"]) : facts.decline()
        },
    ]

    private static let vrp: [TranscriptRow] = [
        .noting("…stelnet ", "the command") { _, facts in facts.dialog = .router },
        .says(
            "…Error: Failed to verify the server's public key", "stelnet",
            .hostKeyUnknown(.guess, alternatives: ["the host key has changed"])),
        .library("Error: Failed to connect to the remote host", "stelnet") { _, facts in
            facts.dialog == .router ? .notReached(.guess, .plain) : facts.decline()
        },
    ]

    private static let ios: [TranscriptRow] = [
        .library("…%SEC_LOGIN-4-LOGIN_FAILED: Login failed [user: {user}] [Source: {peer}] [localport: 22]", "IOS: its log") {
            _, _ in .refused("password", .guess, alternatives: SharedAlternatives.login)
        },
        .noting("…#ssh -", "the prompt and the command") { _, facts in facts.dialog = .router },
        .noting("…>ssh -", "the prompt and the command") { _, facts in facts.dialog = .router },
        .library("% Connection {reason} by remote host", "ssh") { found, facts in
            facts.dialog == .router && found["reason"] == "refused"
                ? .unconnected("connection refused", .guess) : facts.decline()
        },
        .library("% Connection timed out; remote host not responding", "ssh") { _, facts in
            facts.dialog == .router ? .timedOut(.connect, .guess) : facts.decline()
        },
        .library("% Destination unreachable; gateway or host down", "ssh") { _, facts in
            facts.dialog == .router ? .unconnected("no route to host", .guess) : facts.decline()
        },
        // A cut list of the server's is usual: the message has a greatest length.
        .library("…-3-NO_MATCH: No matching {kind} found: client {own} server {others}", "a device's log, client or server") {
            found, _ in
            let kind = found["kind"] ?? ""
            return .noCommon(TranscriptReading.algorithmCode(kind), kind, .likely)
        },
        // The device's log may give the reason below it.
        TranscriptRow("[Connection to {host} aborted: error status 0]", "ssh") { _, facts in
            facts.dialog == .router
                ? .notReached(.guess, .plain, or: ["the two share no algorithm", "the login was refused"]).ranked(.ending)
                : facts.decline()
        },
    ]
}
