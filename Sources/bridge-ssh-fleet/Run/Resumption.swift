internal import SSHCommandLine

/// A run that goes on.
struct Resumption {
    let path: String
    let hosts: [NamedHost]
    /// The hosts to run, read again once no other process can change them.
    let begin: () throws -> [String]
}
