package import BridgeSSH

/// A question that a helper has for the person at the run's terminal.
struct PersonQuestion: FieldCoded {
    enum Kind: String {
        case hostKey
        case passphrase
        case password
        case prompts
    }
    var kind = Kind.password
    var user = ""
    var host = ""
    // A host key.
    var hostKey: HostKeyQuestion?
    // A passphrase.
    var path = ""
    var isRetry = false
    // Prompts.
    var request = PromptRequest(name: "", instruction: "", prompts: [])

    static var blank: PersonQuestion { PersonQuestion() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(name: &kind)
        try coder.code(&user)
        try coder.code(&host)
        try coder.code(&hostKey)
        try coder.code(&path)
        try coder.code(&isRetry)
        try coder.code(&request.name)
        try coder.code(&request.instruction)
        try coder.code(&request.prompts)
    }
}

/// What the person said; the secrets follow, one frame each.
struct PersonAnswer: FieldCoded {
    /// About a host key.
    var accepts: Bool?
    /// How many secrets follow; nil where nobody answered.
    var secrets: Int?
    /// Whether asking was given up, or failed: then there is no answer to wait for.
    var isCancelled = false

    static var blank: PersonAnswer { PersonAnswer() }

    mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&accepts)
        try coder.code(&secrets)
        try coder.code(&isCancelled)
    }
}

extension PromptRequest.Prompt: FieldCoded {
    package static var blank: Self { Self(text: "", echo: false) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        try coder.code(&text)
        try coder.code(&echo)
    }
}

extension HostKeyQuestion: FieldCoded {
    package static var blank: Self { Self(host: "", port: 0, keyType: "", fingerprint: "") }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var (host, port, keyType, fingerprint) = (host, port, keyType, fingerprint)
        var (otherNames, authority, skipped) = (otherNames, certificateAuthority, skippedLines)
        try coder.code(&host)
        try coder.code(&port)
        try coder.code(&keyType)
        try coder.code(&fingerprint)
        try coder.code(&otherNames)
        try coder.code(&authority)
        try coder.code(&skipped)
        self = HostKeyQuestion(
            host: host, port: port, keyType: keyType, fingerprint: fingerprint, otherNames: otherNames,
            certificateAuthority: authority, skippedLines: skipped)
    }
}

extension KnownHostsLocation: FieldCoded {
    package static var blank: Self { Self(file: "", line: 0) }

    package mutating func code(_ coder: inout FieldCoder) throws(SSHWireError) {
        var (file, line) = (file, line)
        try coder.code(&file)
        try coder.code(&line)
        self = Self(file: file, line: line)
    }
}
