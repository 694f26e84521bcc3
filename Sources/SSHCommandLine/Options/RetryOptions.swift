import ArgumentParser

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
}

extension RetryOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--retries") { $0.retries = $1 },
        .flag("--idempotent") { $0.idempotent = $1 },
    ]
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
