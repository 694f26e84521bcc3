extension SSHConnectionConfiguration {
    /// - Throws: ``SSHError``, `ssh.local.usage`, for what cannot be meant: nothing is connected to then.
    package func check() throws(SSHError) {
        guard let problem else { return }
        throw SSHFailureClassifier.classify(SSHEvidence(local: .usage(field: problem.field, problem: problem.text)))
    }

    private var problem: (field: String, text: String)? {
        if let keepalive {
            guard keepalive.interval > .zero else { return ("keepalive", "its interval must be more than zero") }
            guard keepalive.countMax > 0 else {
                return ("keepalive", "its countMax is \(keepalive.countMax); it must be at least 1")
            }
        }
        guard credentials.passwordPrompts >= 0 else {
            return ("passwordPrompts", "\(credentials.passwordPrompts) prompts are less than none; give 0 or more")
        }
        if let localAddress, localAddress.utf8.contains(0) || !Connector.isAddress(localAddress) {
            return ("localAddress", "“\(localAddress)” is no address; write a numeric one, IPv4 or IPv6")
        }
        let lists = [
            ("keyExchange", algorithms.keyExchange), ("hostKey", algorithms.hostKey), ("ciphers", algorithms.ciphers),
            ("macs", algorithms.macs),
        ]
        if let (name, _) = lists.first(where: { $0.1.isEmpty }) {
            return ("algorithms.\(name)", "the list is empty; leave what it was, or name at least one")
        }
        if let index = trustedHostKeys.firstIndex(where: { (try? SSHPublicKey(blob: $0.blob))?.algorithm != $0.algorithm }) {
            return ("trustedHostKeys", "number \(index + 1) is no public key of the type \(trustedHostKeys[index].algorithm)")
        }
        let hops = hopCount
        guard hops <= SSHConfigFile.mostJumpHosts else {
            return ("jumpHosts", "there are \(hops), and \(SSHConfigFile.mostJumpHosts) are the most")
        }
        if let field = fieldWithNUL { return (field, "it holds a NUL character, which would cut it short; remove it") }
        return jumpHosts.lazy.compactMap(\.configuration.problem).first
    }

    /// The first one's own are passed too.
    private var hopCount: Int { jumpHosts.count + (jumpHosts.first?.configuration.hopCount ?? 0) }

    private var fieldWithNUL: String? {
        func holdsNUL(_ texts: [String]) -> Bool { texts.contains { $0.utf8.contains(0) } }
        if let proxyCommand, holdsNUL([proxyCommand.command, proxyCommand.shell] + proxyCommand.environment) {
            return "proxyCommand"
        }
        if let knownHostsCommand, holdsNUL(knownHostsCommand.words + knownHostsCommand.environment) { return "knownHostsCommand" }
        if holdsNUL(knownHosts.user + knownHosts.system + knownHosts.revoked) { return "knownHosts" }
        if holdsNUL([knownHosts.creatableDirectory ?? ""]) { return "knownHosts.creatableDirectory" }
        if holdsNUL([hostKeyAlias ?? ""]) { return "hostKeyAlias" }
        if holdsNUL(credentials.identities.lazy.filter { $0.signer == nil }.map(\.path)) { return "credentials.identities" }
        if holdsNUL(credentials.certificates) { return "credentials.certificates" }
        if holdsNUL([credentials.agentSocket ?? ""]) { return "credentials.agentSocket" }
        return nil
    }
}
