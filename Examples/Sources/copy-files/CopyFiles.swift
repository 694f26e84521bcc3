import BridgeSSH
import Foundation

/// Copies a directory to a host: `copy-files ./site deploy@web1 /srv/www`.
@main
enum CopyFiles {
    static func main() async throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count == 3 else { return print("usage: copy-files directory [user@]host target") }
        var options = SFTPCopyOptions()
        options.isRecursive = true
        options.preservesAttributes = true
        let chosen = options
        try await SSHClient.withConnection(to: arguments[1], configuration: .standard(home: NSHomeDirectory())) { connection in
            let result = try await connection.withSFTP { client in
                try await client.upload([arguments[0]], to: arguments[2], options: chosen)
            }
            print("\(result.files) files, \(result.bytes) bytes")
        }
    }
}
