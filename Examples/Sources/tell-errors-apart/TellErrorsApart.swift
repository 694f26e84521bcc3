import BridgeSSH
import Foundation

/// A failure of the connection, a failure of the command, and text on standard error are three different things.
@main
enum TellErrorsApart {
    static func main() async {
        guard let host = CommandLine.arguments.dropFirst().first else { return print("usage: tell-errors-apart [user@]host") }
        do {
            try await SSHClient.withConnection(to: host, configuration: .standard(home: NSHomeDirectory())) { connection in
                // A non-zero exit is a value until an error is asked for.
                let result = try await connection.run("ls /nonexistent")
                print("ended: \(result.termination); it wrote: \(result.standardErrorText)")
                try await connection.run("systemctl is-active nginx", check: true)
            }
        } catch SSHError.hostKeyChanged {
            print("another key than the known one: another machine may be answering")
        } catch let error as SSHError {
            print("\(error.code): \(error.message)")
            if !error.hint.isEmpty { print("what to do: \(error.hint)") }
            print("may the command have run: \(error.commandMayHaveRun); try again: \(error.retry)")
        } catch {
            print(error)
        }
    }
}
