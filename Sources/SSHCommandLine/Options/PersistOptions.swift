import ArgumentParser

/// Whether the connection is kept for later runs and copies.
struct PersistOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep the connection in the background until nothing has used it for this long; later runs and copies to the same "
                + "destination, with this option, use it at once.",
            valueName: "time"),
        transform: KeepTime.parse)
    var persist: KeepTime?
}

extension PersistOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [
        .value("--persist") { $0.persist = $1 }
    ]
}

/// How long a connection is kept: a time as every other option takes it, from a second to a year.
struct KeepTime: RuledValue, Equatable {
    let seconds: Double

    static let rule = "A connection is kept from 1 second to 365 days: 90, 90s, 10m, 2h or 1d."
    private static let range = 1.0...365 * 86_400

    init?(argument: String) {
        guard let seconds = Seconds(argument: argument)?.value, Self.range.contains(seconds) else { return nil }
        self.seconds = seconds
    }
}
