import ArgumentParser
import BridgeSSH

/// Output and exit status.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Write one JSON object on standard output instead of anything else.")
    var json = false

    @Option(
        help: ArgumentHelp("The most of each output that --json collects (64M).", valueName: "bytes"), transform: ByteCount.parse)
    var outputLimit: ByteCount?

    @Option(
        help: ArgumentHelp(
            "Exit statuses of failures that are not the command's: 193–199, or 255 as ssh.", valueName: "bridge|ssh"))
    var exitCodes: ExitCodes?

    @Flag(name: .shortAndLong, help: "Report each stage with its time, and notices; twice: the evidence of a failure too.")
    var verbose: Int

    @Flag(name: .shortAndLong, help: "Suppress bridge-ssh's own messages.")
    var quiet = false

    var convention: ExitStatus.Convention { exitCodes?.convention ?? .bridge }

    var style: OutputStyle { OutputStyle(json: json, quiet: quiet, verbosity: verbose, convention: convention) }
}

/// The conventions by name.
enum ExitCodes: String, ExpressibleByArgument, CaseIterable {
    case bridge
    case ssh

    var convention: ExitStatus.Convention {
        switch self {
        case .bridge: .bridge
        case .ssh: .ssh
        }
    }
}

extension OutputOptions: PlainOptions {
    static var unset: Self {
        var options = Self()
        options.json = false
        options.outputLimit = nil
        options.exitCodes = nil
        options.verbose = 0
        options.quiet = false
        return options
    }

    mutating func take(flag: String) -> Bool {
        switch flag {
        case "--json": json = true
        case "-v", "--verbose": verbose += 1
        case "-q", "--quiet": quiet = true
        default: return false
        }
        return true
    }

    mutating func take(_ name: String, value: String) -> Bool {
        switch name {
        case "--output-limit": Self.set(&outputLimit, ByteCount(argument: value))
        case "--exit-codes": Self.set(&exitCodes, ExitCodes(rawValue: value))
        default: false
        }
    }
}
