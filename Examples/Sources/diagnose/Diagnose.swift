import BridgeSSH
import Foundation

/// The steps on the way to a host, and what each shows: `diagnose deploy@web1`.
@main
enum Diagnose {
    static func main() async throws {
        guard let host = CommandLine.arguments.dropFirst().first else { return print("usage: diagnose user@host") }
        let diagnosis = try await SSHClient.diagnose(
            try SSHEndpoint(parsing: host), configuration: .standard(home: NSHomeDirectory()))
        for finding in diagnosis.findings where finding.level != .notReached {
            print("\(finding.step) \(finding.level.rawValue): \(finding.text)")
            if !finding.advice.isEmpty { print("    \(finding.advice)") }
        }
        if let error = diagnosis.error { print("it fails: \(error.code)") }
    }
}
