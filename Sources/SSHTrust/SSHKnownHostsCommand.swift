/// A program whose standard output is read as additional known_hosts lines (KnownHostsCommand of ssh_config(5)).
///
/// It is started without a shell, once before key exchange, to know which types to ask for, and again for the key that the server
/// presents. If it fails, the connection ends: its output could have revoked the key.
public struct SSHKnownHostsCommand: Sendable, Hashable {
    /// The path of the program, absolute, and its arguments. Tokens are replaced at each call: `%H` is the name that is looked
    /// up, and `%I` the reason for the call (`ORDER` or `HOSTNAME`). `%t`, `%f` and `%K` are the type, the fingerprint and the
    /// base64 of the server's key, all three `NONE` before there is one; `%%` is a percent sign.
    public var words: [String]
    /// Its whole environment, each `NAME=value`.
    public var environment: [String]
    /// The values of the other tokens, by their letter.
    package var tokens: [UInt8: String] = [:]

    /// A program of this path with these arguments; without `environment` it has none, not even PATH.
    public init(_ words: [String], environment: [String] = []) {
        self.words = words
        self.environment = environment
    }

    /// The arguments for one call.
    ///
    /// - Parameter key: the server's key; nil before it is known.
    package func words(lookingUp name: String, for key: SSHHostKey?) throws(LineProblem) -> [String] {
        var tokens = tokens
        tokens[UInt8(ascii: "H")] = name
        tokens[UInt8(ascii: "I")] = key == nil ? "ORDER" : "HOSTNAME"
        tokens[UInt8(ascii: "t")] = key?.algorithm ?? "NONE"
        tokens[UInt8(ascii: "f")] = key?.fingerprint ?? "NONE"
        tokens[UInt8(ascii: "K")] = key.map { Base64.encode($0.blob) } ?? "NONE"
        let expansion = TokenExpansion(tokens: tokens)
        var result: [String] = []
        for word in words { result.append(try expansion.expand(word)) }
        return result
    }
}
