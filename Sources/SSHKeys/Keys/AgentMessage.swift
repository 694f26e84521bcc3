/// The messages of the agent protocol that a signing client needs (RFC draft-ietf-sshm-ssh-agent; OpenSSH PROTOCOL.agent).
package enum AgentMessage: Equatable, Sendable {
    case failure
    case requestIdentities
    case identitiesAnswer([Identity])
    case signRequest(key: [UInt8], data: [UInt8], flags: UInt32)
    case signResponse(signature: [UInt8])
    case extensionFailure

    package struct Identity: Equatable, Sendable {
        package var key: [UInt8]
        package var comment: String
    }

    /// The largest message, in bytes: the limit of OpenSSH's agent and client (AGENT_MAX_LEN).
    package static let maximumLength = 256 * 1024

    /// The flags of a sign request with an RSA key; 0 means SHA-1.
    package static func flags(for algorithm: String) -> UInt32 {
        switch algorithm {
        case PublicKeyAlgorithm.rsaSHA256: 2
        case PublicKeyAlgorithm.rsaSHA512: 4
        default: 0
        }
    }

    private enum Kind {
        static let failure: UInt8 = 5
        static let requestIdentities: UInt8 = 11
        static let identitiesAnswer: UInt8 = 12
        static let signRequest: UInt8 = 13
        static let signResponse: UInt8 = 14
        static let extensionFailure: UInt8 = 28
    }
}

/// Why bytes could not be read or written as an agent message.
package enum AgentCodecError: Error, Equatable {
    case tooLong(Int)
    case unknownType(UInt8)
    case malformed(SSHWireError)
}

extension AgentMessage {
    /// The message, preceded by its length.
    ///
    /// - Throws: ``AgentCodecError/tooLong(_:)``.
    package func encoded() throws(AgentCodecError) -> [UInt8] {
        var body = SSHWireWriter()
        switch self {
        case .failure: body.byte(Kind.failure)
        case .requestIdentities: body.byte(Kind.requestIdentities)
        case .extensionFailure: body.byte(Kind.extensionFailure)
        case .identitiesAnswer(let identities):
            body.byte(Kind.identitiesAnswer)
            body.uint32(UInt32(identities.count))
            for identity in identities {
                body.string(identity.key)
                body.string(identity.comment)
            }
        case .signRequest(let key, let data, let flags):
            body.byte(Kind.signRequest)
            body.string(key)
            body.string(data)
            body.uint32(flags)
        case .signResponse(let signature):
            body.byte(Kind.signResponse)
            body.string(signature)
        }
        guard body.bytes.count <= Self.maximumLength else { throw .tooLong(body.bytes.count) }
        var frame = SSHWireWriter()
        frame.string(body.bytes)
        return frame.bytes
    }

    /// Reads a message without its length.
    package init(body: [UInt8]) throws(AgentCodecError) {
        guard body.count <= Self.maximumLength else { throw .tooLong(body.count) }
        var reader = SSHWireReader(body)
        let kind: UInt8
        do {
            kind = try reader.byte()
            switch kind {
            case Kind.failure: self = .failure
            case Kind.requestIdentities: self = .requestIdentities
            case Kind.extensionFailure: self = .extensionFailure
            case Kind.identitiesAnswer: self = .identitiesAnswer(try Self.identities(&reader))
            case Kind.signRequest:
                self = .signRequest(
                    key: Array(try reader.string()), data: Array(try reader.string()), flags: try reader.uint32())
            case Kind.signResponse: self = .signResponse(signature: Array(try reader.string()))
            default: throw AgentCodecError.unknownType(kind)
            }
            try reader.expectEnd()
        } catch let error as AgentCodecError {
            throw error
        } catch let error as SSHWireError {
            throw .malformed(error)
        } catch {
            throw .malformed(.invalidText)
        }
    }

    private static func identities(_ reader: inout SSHWireReader) throws(SSHWireError) -> [Identity] {
        let count = try reader.uint32()
        // Each identity takes at least eight bytes for its lengths. Reject a larger count instead of looping.
        guard Int(count) <= reader.remaining.count / 8 else {
            throw .truncated(needed: Int(count) * 8, available: reader.remaining.count)
        }
        var identities: [Identity] = []
        for _ in 0..<count {
            let key = Array(try reader.string())
            identities.append(Identity(key: key, comment: String(decoding: try reader.string(), as: UTF8.self)))
        }
        return identities
    }
}
