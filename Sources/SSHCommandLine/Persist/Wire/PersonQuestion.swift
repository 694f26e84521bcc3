package import BridgeSSH

/// A helper's question to the person at the run's terminal.
struct PersonQuestion: FieldCoded {
    enum Kind: String {
        case hostKey
        case passphrase
        case password
        case prompts
    }
    var kind = Kind.password
    /// The hop that the question is about: 0 is the destination, 1 the nearest jump host.
    var hop = 0
    var user = ""
    var host = ""
    // A host key.
    var hostKey: SSHHostKeyQuestion?
    // A passphrase.
    var path = ""
    // A passphrase or a password.
    var isRetry = false
    // Prompts.
    var request = SSHPromptRequest(name: "", instruction: "", prompts: [])

    static var blank: PersonQuestion { PersonQuestion() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(name: &kind)
        try coder.code(&hop)
        try coder.code(&user)
        try coder.code(&host)
        try coder.code(&hostKey)
        try coder.code(&path)
        try coder.code(&isRetry)
        try coder.code(&request.name)
        try coder.code(&request.instruction)
        try coder.code(&request.prompts)
        try coder.code(&request.isRetry)
    }
}

/// The person's answer. The secrets follow, one frame each.
struct PersonAnswer: FieldCoded {
    /// The answer about a host key.
    var accepts: Bool?
    /// How many secrets follow; nil without an answer.
    var secrets: Int?
    /// Whether the prompt was cancelled or failed, so that no answer comes.
    var isCancelled = false

    /// The maximum number of secrets. Servers ask one to three questions at once; libssh2 accepts at most 100.
    private static let maximumSecrets = 100

    static var blank: PersonAnswer { PersonAnswer() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&accepts)
        try coder.code(&secrets)
        guard secrets ?? 0 <= Self.maximumSecrets else { throw .outOfRange }
        try coder.code(&isCancelled)
    }
}

extension SSHConnectionConfiguration {
    /// The interaction of a hop, numbered as in ``PersonQuestion/hop``; nil if it has none.
    func interaction(atHop hop: Int) -> (any SSHInteraction)? {
        if hop == 0 { return interaction }
        return jumpHosts.indices.contains(hop - 1) ? jumpHosts[hop - 1].configuration.interaction : nil
    }
}

extension SSHPromptRequest.Prompt: FieldCoded {
    package static var blank: Self { Self(text: "", echo: false) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&text)
        try coder.code(&echo)
    }
}

extension SSHHostKeyQuestion: FieldCoded {
    package static var blank: Self { Self(host: "", port: 0, keyType: "", fingerprint: "") }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var (host, port, keyType, fingerprint) = (host, port, keyType, fingerprint)
        var (otherNames, authority, skipped) = (otherNames, certificateAuthority, skippedLines)
        try coder.code(&host)
        try coder.code(&port, in: 0...65535)
        try coder.code(&keyType)
        try coder.code(&fingerprint)
        try coder.code(&otherNames)
        try coder.code(&authority)
        try coder.code(&skipped)
        self = SSHHostKeyQuestion(
            host: host, port: port, keyType: keyType, fingerprint: fingerprint, otherNames: otherNames,
            certificateAuthority: authority, skippedLines: skipped)
    }
}

extension SSHKnownHostsLocation: FieldCoded {
    package static var blank: Self { Self(file: "", line: 0) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var (file, line) = (file, line)
        try coder.code(&file)
        try coder.code(&line)
        self = Self(file: file, line: line)
    }
}
