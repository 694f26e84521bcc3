import BridgeSSH
import ErrorCore
import SSHRun

/// What a check came to, as the "Monitoring Plugins Development Guidelines" want it: one line, performance data, and a status.
struct CheckResult: Sendable {
    enum State: Int32, Sendable {
        case ok, warning, critical, unknown

        var name: String {
            switch self {
            case .ok: "OK"
            case .warning: "WARNING"
            case .critical: "CRITICAL"
            case .unknown: "UNKNOWN"
            }
        }
    }

    struct Limits: Sendable {
        /// In seconds.
        var warning: Double?
        /// In seconds.
        var critical: Double?
        var certificateDays = 7
    }

    private let destination: String
    private let error: SSHError?
    private let timings: SSHStageTimings
    /// In seconds; nil if nothing was tried.
    private let total: Double?
    /// Days until a certificate ends; negative where it has.
    private let certificateDays: Double?

    /// - Parameters:
    ///   - error: nil where the login succeeded.
    ///   - total: in seconds; nil if nothing was tried.
    ///   - certificateEnd: in seconds since 1970.
    ///   - now: the same.
    init(
        _ destination: String, _ error: SSHError?, _ timings: SSHStageTimings = SSHStageTimings(), total: Double? = nil,
        certificateEnd: UInt64? = nil, now: Double = Double(time(nil))
    ) {
        self.destination = destination
        self.error = error
        self.timings = timings
        self.total = total
        certificateDays = certificateEnd.map { (Double($0) - now) / 86_400 }
    }

    func state(_ limits: Limits) -> State {
        if let error { return error.exitStatus == .localFailure || error.code == .localCancelled ? .unknown : .critical }
        if let critical = limits.critical, let total, total > critical { return .critical }
        if let warning = limits.warning, let total, total > warning { return .warning }
        if let certificateDays, certificateDays < Double(limits.certificateDays) { return .warning }
        return .ok
    }

    /// `SSH OK - web1: logged in in 0.123 s | time=0.123s;2;10;0 …`, without a line feed.
    func line(_ limits: Limits) -> String {
        // A bar would end the text.
        let text = TerminalText.inert(
            destination.isEmpty ? problemText(limits) : "\(destination): \(problemText(limits))", limit: 2000
        )
        .replacing("|", with: "/")
        return "SSH \(state(limits).name) - \(text)" + (total.map { " | \(performance($0, limits))" } ?? "")
    }

    private func problemText(_ limits: Limits) -> String {
        if let error {
            // A plugin that is called wrongly has no help beside it: its line is all that a monitoring system shows.
            return "[\(error.code.rawValue)] \(error.message)" + (error.code == .localUsage ? " \(error.remedy)" : "")
        }
        let time = "logged in in \(Self.decimal(total ?? 0)) s"
        guard let certificateDays, certificateDays < Double(limits.certificateDays) else { return time }
        return "\(time); a certificate \(certificateDays < 0 ? "has ended" : "ends in \(Int(certificateDays)) days")"
    }

    /// Stages that were not reached took no time, and are left out.
    private func performance(_ total: Double, _ limits: Limits) -> String {
        func limit(_ seconds: Double?) -> String { seconds.map(Self.decimal) ?? "" }
        let stages = [
            ("resolve", timings.seconds.resolve), ("connect", timings.seconds.connect), ("banner", timings.seconds.banner),
            ("key_exchange", timings.seconds.keyExchange), ("authentication", timings.seconds.authentication),
        ]
        var parts = ["time=\(Self.decimal(total))s;\(limit(limits.warning));\(limit(limits.critical));0"]
        parts += stages.filter { $0.1 > 0 }.map { "\($0.0)=\(Self.decimal($0.1))s;;;0" }
        if let certificateDays { parts.append("certificate_days=\(Self.decimal(certificateDays));\(limits.certificateDays):") }
        return parts.joined(separator: " ")
    }

    private static func decimal(_ value: Double) -> String {
        let count = Int((min(max(-1e9, value), 1e9) * 1000).rounded())
        let rest = String(abs(count) % 1000)
        return "\(count < 0 ? "-" : "")\(abs(count) / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
    }

    func publish(_ limits: Limits = Limits()) -> SSHExitStatus {
        Console.standardOutput(line(limits) + "\n")
        return SSHExitStatus(rawValue: state(limits).rawValue)
    }
}
