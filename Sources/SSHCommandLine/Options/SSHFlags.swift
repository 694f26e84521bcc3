/// The options of ssh(1) that bridge-ssh does not take, and what to write in their place.
enum SSHFlags {
    /// What to do instead; nil for an argument that begins with none of them.
    ///
    /// - Parameter argument: as it was typed: one letter, several, or a letter with its value.
    static func substitute(for argument: String) -> String? {
        guard argument.hasPrefix("-"), !argument.hasPrefix("--") else { return nil }
        let first = argument.dropFirst().first { !harmless.contains($0) }
        return first.flatMap { substitutes[$0] }
    }

    /// The letters whose substitutes only `run` has.
    static let ofRun: Set<Character> = ["E", "M", "O", "S", "f", "s", "y"]

    private static let harmless: Set<Character> = ["4", "6", "T", "a", "k", "n", "q", "t", "v", "x", "C"]

    private static let forwards = "ports and sockets are not forwarded; use ssh for that"
    private static let keeps =
        "write `--persist TIME` to keep the connection; `bridge-ssh persist --help` shows and ends such connections"

    private static let substitutes: [Character: String] = [
        "A": "the agent is not forwarded; use ssh for that, or reach the next host with -J",
        "B": "no interface can be chosen; name its address: `-o BindAddress=ADDRESS`",
        "b": "write `-o BindAddress=ADDRESS`",
        "c": "write `-o Ciphers=LIST`",
        "D": forwards,
        "E": "write `--log-file FILE`",
        "e": "write `-o EscapeChar=CHARACTER`",
        "f": "write `--persist TIME` to keep the connection for later runs, or end the line with & to go on at once",
        "G": "write `bridge-ssh config HOST`",
        "g": forwards,
        "I": "load the token into the agent: `ssh-add -s LIBRARY`",
        "K": "GSSAPI is not offered; use ssh for that",
        "L": forwards,
        "M": keeps,
        "m": "write `-o MACs=LIST`",
        "N": forwards,
        "O": keeps,
        "P": "the port is given with -p",
        "Q": "`bridge-ssh doctor HOST` shows what a server and this client agree on",
        "R": forwards,
        "S": keeps,
        "s": "of the subsystems there is SFTP only: `bridge-ssh copy --help`; use ssh for others",
        "V": "write `bridge-ssh --version`",
        "W": "standard input and output are not forwarded; -J goes through a host, and for the rest use ssh",
        "w": "no tunnel devices are forwarded; use ssh for that",
        "X": "X11 is not forwarded; use ssh for that",
        "Y": "X11 is not forwarded; use ssh for that",
        "y": "write `--log-file FILE`",
    ]
}
