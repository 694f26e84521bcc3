import ArgumentParser
import Foundation

/// `ssh-sandbox fault NAME`.
struct FaultCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fault",
        abstract:
            "Make one fault, print the parameters to reproduce it, and remove it when standard input ends or a signal comes.",
        discussion: """
            Prints one JSON object: host, port, user, identity, password, passphrase, agent (a socket), knownHosts, command,
            connectTimeout, commandTimeout and keepalive (seconds); absent values are left out. `ssh-sandbox faults` lists the names.
            """)

    @Argument(help: "The fault's name.")
    var name: String

    @Flag(help: "Run until a signal comes, and ignore standard input.")
    var untilSignalled = false

    func run() async throws {
        guard let fault = Fault.all.first(where: { $0.name == name }) else {
            throw ValidationError("There is no fault \(name); `ssh-sandbox faults` lists them.")
        }
        let stopRequest = StopRequest(watchingInput: !untilSignalled)
        try await fault.make { target in
            print(try JSONLine.text(of: target))
            Report.flush()
            await stopRequest.wait()
        }
    }
}

/// `ssh-sandbox faults`.
struct FaultsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults",
        abstract: "List the faults: name, code of docs/FAILURES.md (- for a control, which must succeed), description.")

    @Flag(help: "Print one JSON object per line.")
    var json = false

    private struct Row: Encodable {
        let name: String
        let code: String?
        let summary: String
    }

    func run() throws {
        for fault in Fault.all {
            print(
                json
                    ? try JSONLine.text(of: Row(name: fault.name, code: fault.code, summary: fault.summary))
                    : "\(fault.name)\t\(fault.code ?? "-")\t\(fault.summary)")
        }
    }
}
