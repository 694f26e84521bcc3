import ArgumentParser
package import SSHRun

/// The options for retrying a failed run.
package struct RetryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Retry at most this many times, after growing waits, if that can help and the command cannot have run (0).",
            valueName: "number"),
        transform: RetryCount.parse)
    var retries: RetryCount?
    @Flag(help: "The command may run twice: with --retries, retry even if it may have run.")
    var idempotent = false

    package init() {}
}

extension RetryPlan {
    init(_ retry: RetryOptions, _ waiting: WaitOptions) {
        self.init(retries: retry.retries?.value ?? 0, isIdempotent: retry.idempotent, wait: waiting.wait)
    }
}

/// The options for waiting until a host accepts logins.
package struct WaitOptions: ParsableArguments {
    @Option(
        name: .customLong("wait"),
        help: ArgumentHelp(
            """
            Wait up to this long until the host accepts the login, if the cause may pass: it boots, is busy, refuses connections, does \
            not answer. A wrong key or a changed host key ends the wait at once.
            """, valueName: "time"),
        transform: Seconds.parse)
    var time: Seconds?
    @Flag(name: .customLong("wait-for-name"), help: "With --wait: wait also if the name is not found yet.")
    var awaitsName = false

    package init() {}

    package var wait: LoginWait? { time.map { LoginWait($0.duration, awaitsName: awaitsName) } }
}

extension WaitOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--wait") { $0.time = $1 },
        .flag("--wait-for-name") { $0.awaitsName = $1 },
    ]
}

extension RetryOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--retries") { $0.retries = $1 },
        .flag("--idempotent") { $0.idempotent = $1 },
    ]
}

/// How many times a run is retried.
struct RetryCount: ValidatedValue, Equatable {
    let value: Int
    static let rule = "Retries are a whole number from 0 to 1000."

    init?(argument: String) {
        guard argument.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = Int(argument), (0...1000).contains(value)
        else { return nil }
        self.value = value
    }
}

/// The option that keeps the connection for later runs and copies.
struct PersistOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep the connection open in the background until it has been idle for this long; later runs and copies with this "
                + "option to the same destination use it at once.",
            valueName: "time"),
        transform: KeepTime.parse)
    var persist: KeepTime?
}

extension PersistOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--persist") { $0.persist = $1 }
    ]
}

/// How long an idle connection is kept: a time, from a second to a year.
struct KeepTime: ValidatedValue, Equatable {
    let seconds: Double

    static let rule = "A connection is kept from 1 second to 365 days: 90, 90s, 10m, 2h or 1d."
    private static let range = 1.0...365 * 86_400

    init?(argument: String) {
        guard let seconds = Seconds(argument: argument)?.value, Self.range.contains(seconds) else { return nil }
        self.seconds = seconds
    }
}
