import ArgumentParser
import BridgeSSH

/// The name of a file, a directory or a socket.
package enum FileName {
    /// Parses a value for an option's `transform`. No file has an empty name; a script's unset variable gives one.
    package static func parse(_ argument: String) throws -> String {
        guard !argument.isEmpty else { throw ValidationError("The name is empty; name a file, or leave the option out.") }
        return argument
    }
}
