import ArgumentParser

/// Whether the connection is kept for later runs.
struct PersistOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Keep the connection in the background until no command has used it for this long; later runs to the same "
                + "destination use it at once.",
            valueName: "time"),
        transform: KeepTime.parse)
    var persist: KeepTime?
}

extension PersistOptions: PlainOptions {
    static var unset: Self {
        var options = Self()
        options.persist = nil
        return options
    }

    mutating func take(_ name: String, value: String) -> Bool {
        name == "--persist" && Self.set(&persist, KeepTime(argument: value))
    }
}

/// How long a connection is kept: `90`, `90s`, `10m`, `2h` or `1d`, as ssh_config(5) writes times; at most a year.
struct KeepTime: RuledValue, Equatable {
    let seconds: Double

    static let rule = "A time is a whole number from 1 with s, m, h or d behind it, such as 90s, 10m or 2h; at most 365d."
    private static let longest = 365 * 86_400

    init?(argument: String) {
        var digits = Substring(argument)
        let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        var unit = 1
        if let last = digits.last, let known = units[Character(last.lowercased())] {
            unit = known
            digits.removeLast()
        }
        guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let number = Int(digits),
            (1...Self.longest / unit).contains(number)
        else { return nil }
        seconds = Double(number * unit)
    }
}
