/// The lines of a stack trace, as Java, Node, Ruby and .NET print them after an exception.
enum StackLines {
    static func contains(_ quoted: String) -> Bool {
        // A mail or a forum quotes lines with an angle bracket.
        let line = quoted.hasPrefix(">") ? quoted.trimming("> \t") : quoted
        if line.hasPrefix("at ") || line.hasPrefix("... ") || line.hasPrefix("from ") || line.hasPrefix("Caused by: ") {
            return true
        }
        // Lines that cargo adds between the causes of an error.
        if line == "Caused by:" || line.hasPrefix("* attempted ") || line.hasPrefix("if the git CLI") { return true }
        if line.hasPrefix("attempted ssh-agent") || line.hasPrefix("https://doc.rust-lang.org/") { return true }
        if line.hasPrefix("level: '") || line.hasPrefix("Emitted 'error' event") || line == "}" { return true }
        // WinSCP's exception has the lines of the login after its reason.
        if line.hasPrefix("Authentication log (see session log") { return true }
        // The output of a command, as SSHKit adds it.
        if line.mentions(" stdout: ") || line.mentions(" stderr: ") { return true }
        return line.mentions(".rb:") && line.mentions(":in ")
    }
}
