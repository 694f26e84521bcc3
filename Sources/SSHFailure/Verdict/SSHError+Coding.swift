internal import ErrorCore

extension SSHError {
    /// Encodes it without what looks like a secret: of the command, of what a server or a proxy said.
    public func encode(to encoder: any Encoder) throws {
        let mask = Redactor.standard.text
        var evidence = evidence
        evidence.change(MaskedTexts())
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(stage, forKey: .stage)
        try container.encode(mask(message), forKey: .message)
        try container.encode(mask(remedy), forKey: .remedy)
        try container.encode(confidence, forKey: .confidence)
        try container.encode(alternatives.map(mask), forKey: .alternatives)
        try container.encode(retry, forKey: .retry)
        try container.encode(commandMayHaveRun, forKey: .commandMayHaveRun)
        try container.encodeIfPresent(cause, forKey: .cause)
        try container.encode(evidence, forKey: .seen)
        try container.encodeIfPresent(result?.masked, forKey: .result)
    }
}

extension SSHCommandResult {
    fileprivate var masked: SSHCommandResult {
        var origin = origin
        origin?.change(MaskedTexts())
        return SSHCommandResult(
            command: Redactor.standard.text(command), termination: termination, standardOutput: standardOutput,
            standardError: standardError, durationSeconds: durationSeconds, origin: origin)
    }
}

/// Names, such as those of algorithms, are no secrets.
private struct MaskedTexts: EvidenceTexts {
    func peer(_ text: inout String, _ extent: TextExtent) { own(&text, extent) }
    func own(_ text: inout String, _ extent: TextExtent) {
        if extent != .name { text = Redactor.standard.text(text) }
    }
}
