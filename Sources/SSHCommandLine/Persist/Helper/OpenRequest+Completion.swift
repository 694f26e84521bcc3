import BridgeSSH

extension OpenRequest {
    /// The configuration with all that does not travel in a frame of its own put back.
    func complete(password: SSHSecret, passphrase: SSHSecret, asking person: RelayedPerson) -> SSHConnectionConfiguration {
        var complete = configuration
        complete.observer = person
        complete.interaction = mayAsk ? person.interaction(atHop: 0) : nil
        complete.credentials.password = password.isEmpty ? nil : password
        complete.credentials.passphrase = passphrase.isEmpty ? nil : passphrase
        for (index, mayAsk) in zip(complete.jumpHosts.indices, mayAskAbout) {
            complete.jumpHosts[index].configuration.interaction = mayAsk ? person.interaction(atHop: index + 1) : nil
            complete.jumpHosts[index].configuration.credentials.passphrase = complete.credentials.passphrase
        }
        return complete
    }
}
