import ArgumentParser
package import SSHRun

/// Whether a failed run is retried.
struct RetryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Try again up to this often, after growing waits, where that can help and the command cannot have run (0).",
            valueName: "number"),
        transform: RetryCount.parse)
    var retries: RetryCount?
    @Flag(help: "The command may run twice: with --retries, try again also where it may have run.")
    var idempotent = false
    @OptionGroup var waiting: WaitOptions

    var plan: RetryPlan {
        RetryPlan(retries: retries?.value ?? 0, isIdempotent: idempotent, wait: waiting.wait)
    }
}

/// Whether a host that lets nobody in yet is waited for.
package struct WaitOptions: ParsableArguments {
    @Option(
        name: .customLong("wait"),
        help: ArgumentHelp(
            """
            Wait up to this long until the host lets us in, where the cause may pass: it boots, is busy, refuses connections, does not \
            answer. A wrong key or a changed host key ends it at once.
            """, valueName: "time"),
        transform: Seconds.parse)
    var time: Seconds?
    @Flag(name: .customLong("wait-for-name"), help: "With --wait: wait also where the name is not found yet.")
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
    static let table: [PlainOption<Self>] =
        [
            .value("--retries") { $0.retries = $1 },
            .flag("--idempotent") { $0.idempotent = $1 },
        ] + PlainOption<Self>.group(\.waiting) { $0.waiting = $1 }
}

/// How many times a run is retried.
struct RetryCount: RuledValue, Equatable {
    let value: Int
    static let rule = "Retries are a whole number from 0 to 1000."

    init?(argument: String) {
        guard argument.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let value = Int(argument), (0...1000).contains(value)
        else { return nil }
        self.value = value
    }
}
