extension SSHConfigSettings {
    /// The KnownHostsCommand; nil where there is none.
    ///
    /// - Throws: ``SSHConfigProblem`` for one without an absolute path, or with a token that means nothing there.
    public func knownHostsCommand() throws(SSHConfigProblem) -> SSHKnownHostsCommand? {
        guard let text = value("knownhostscommand") else { return nil }
        guard let words = ConfigurationLine.split(Array(text.utf8)[...], endingAtComment: false) else {
            throw problem(with: "knownhostscommand", "a quote is opened and not closed; close it")
        }
        guard let path = words.first, path.hasPrefix("/") else {
            throw problem(with: "knownhostscommand", "KnownHostsCommand \(text) does not begin with an absolute path; write one")
        }
        let values = TokenValues(
            host: hostName, originalHost: host, keyAlias: value("hostkeyalias") ?? host, port: port, user: user, context: context)
        var command = SSHKnownHostsCommand(words, environment: context.environment)
        command.tokens = values.all
        // Report now what would otherwise fail only when the command is called.
        do {
            try values.checkHosts()
            _ = try command.words(lookingUp: host, for: nil)
        } catch {
            throw problem(with: "knownhostscommand", error.text)
        }
        return command
    }
}
