/// The one command that a diagnosis runs: the time and PATH, between marks that show what else the login shell writes.
///
/// It is a simple command with one word in single quotes, which sh, csh, fish and their kin read alike, and changes nothing. The
/// marks are made by the shell that runs it: a server that only repeats the command (`SSH_ORIGINAL_COMMAND`) does not write them.
struct ShellProbe: Sendable {
    let nonce: String

    init(nonce: String = String(UInt64.random(in: 0 ... .max), radix: 36)) {
        self.nonce = nonce
    }

    var command: String {
        let script =
            #"m="$0:$1"; echo "$m:begin"; date +%s 2>/dev/null; echo "$m:path"; printf "%s\n" "$PATH"; echo "$m:end""#
        return "sh -c '\(script)' bridge-ssh \(nonce)"
    }

    private func mark(_ name: String) -> [UInt8] { Array("bridge-ssh:\(nonce):\(name)\n".utf8) }

    /// The probe's result, read from all of its output.
    func reading(standardOutput: [UInt8], standardError: [UInt8]) -> ShellReading {
        var reading = ShellReading(noise: standardOutput, errorNoise: standardError)
        guard let begin = standardOutput.firstRange(of: mark("begin")),
            let path = standardOutput[begin.upperBound...].firstRange(of: mark("path")),
            let end = standardOutput[path.upperBound...].firstRange(of: mark("end"))
        else { return reading }
        reading.isComplete = true
        reading.noise = Array(standardOutput[..<begin.lowerBound] + standardOutput[end.upperBound...])
        reading.serverTime = Self.number(standardOutput[begin.upperBound..<path.lowerBound])
        let text = standardOutput[path.upperBound..<end.lowerBound]
        reading.path = String(decoding: text.last == UInt8(ascii: "\n") ? text.dropLast() : text, as: UTF8.self)
        return reading
    }

    /// Whether the time has been written by now. Only the end is looked at, which is where it comes from.
    func hasTime(_ standardOutput: [UInt8]) -> Bool { standardOutput.suffix(1 << 16).firstRange(of: mark("path")) != nil }

    private static func number(_ line: ArraySlice<UInt8>) -> Int? {
        Int(String(decoding: line.filter { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
    }
}

/// The login shell's handling of the probe.
struct ShellReading: Sendable, Hashable {
    /// Whether the probe ran to its end.
    var isComplete = false
    /// Any other text on standard output.
    var noise: [UInt8] = []
    /// All of standard error: the probe writes nothing there.
    var errorNoise: [UInt8] = []
    /// `date +%s`, where the server has it.
    var serverTime: Int?
    /// PATH.
    var path: String?
    var clock: ClockComparison?
}

/// The server's clock compared with the local one.
struct ClockComparison: Sendable, Hashable {
    /// How far the server's clock is ahead, in seconds; negative if it is behind.
    var skew: Double
    /// The error of that, either way: half the time between request and answer, and half the second to which the server's answer
    /// is truncated.
    var uncertainty: Double

    /// - Parameters:
    ///   - serverTime: whole seconds since 1970, truncated.
    ///   - asked: the local clock when the command was sent.
    ///   - seconds: from then until the answer came.
    init(serverTime: Int, asked: Double, seconds: Double) {
        skew = Double(serverTime) + 0.5 - (asked + seconds / 2)
        uncertainty = seconds / 2 + 0.5
    }

    /// The least by which the clocks differ.
    var certain: Double { max(0, skew.magnitude - uncertainty) }
}
