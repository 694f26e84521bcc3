/// A libssh2 call that failed: the function, its return code, and its error message.
public struct SSHLibraryCall: Sendable, Hashable, Codable {
    /// The C function.
    public var function: String
    /// Its return code: negative, one of libssh2.h's LIBSSH2_ERROR values.
    public var code: Int32
    /// The symbolic name of the code without LIBSSH2_ERROR_, such as `SOCKET_RECV`.
    public var name: String
    /// The text of `libssh2_session_last_error`, if it belongs to this code; else empty.
    public var message: String

    /// A failed call.
    public init(function: String, code: Int32, name: String, message: String) {
        self.function = function
        self.code = code
        self.name = name
        self.message = message
    }

    private static let errors = Dictionary(uniqueKeysWithValues: LibraryError.allCases.map { ($0.rawValue, $0) })

    /// The error; nil for one that this version does not know.
    package var error: LibraryError? { Self.errors[name] }
}

/// libssh2's error codes by their names in libssh2.h without LIBSSH2_ERROR_, in the order of the codes: 0, -1, -2 and so on. Those
/// after -49 are from 1.11 and later.
package enum LibraryError: String, Sendable, Hashable, CaseIterable {
    case noError = "NONE"
    case socketNone = "SOCKET_NONE"
    case bannerReceive = "BANNER_RECV"
    case bannerSend = "BANNER_SEND"
    case invalidMAC = "INVALID_MAC"
    case kexFailure = "KEX_FAILURE"
    case allocation = "ALLOC"
    case socketSend = "SOCKET_SEND"
    case keyExchangeFailure = "KEY_EXCHANGE_FAILURE"
    case timeout = "TIMEOUT"
    case hostKeyInit = "HOSTKEY_INIT"
    case hostKeySign = "HOSTKEY_SIGN"
    case decrypt = "DECRYPT"
    case socketDisconnect = "SOCKET_DISCONNECT"
    case proto = "PROTO"
    case passwordExpired = "PASSWORD_EXPIRED"
    case file = "FILE"
    case methodNone = "METHOD_NONE"
    case authenticationFailed = "AUTHENTICATION_FAILED"
    case publicKeyUnverified = "PUBLICKEY_UNVERIFIED"
    case channelOutOfOrder = "CHANNEL_OUTOFORDER"
    case channelFailure = "CHANNEL_FAILURE"
    case channelRequestDenied = "CHANNEL_REQUEST_DENIED"
    case channelUnknown = "CHANNEL_UNKNOWN"
    case channelWindowExceeded = "CHANNEL_WINDOW_EXCEEDED"
    case channelPacketExceeded = "CHANNEL_PACKET_EXCEEDED"
    case channelClosed = "CHANNEL_CLOSED"
    case channelEOFSent = "CHANNEL_EOF_SENT"
    case scpProtocol = "SCP_PROTOCOL"
    case zlib = "ZLIB"
    case socketTimeout = "SOCKET_TIMEOUT"
    case sftpProtocol = "SFTP_PROTOCOL"
    case requestDenied = "REQUEST_DENIED"
    case methodNotSupported = "METHOD_NOT_SUPPORTED"
    case invalidArgument = "INVAL"
    case invalidPollType = "INVALID_POLL_TYPE"
    case publicKeyProtocol = "PUBLICKEY_PROTOCOL"
    case again = "EAGAIN"
    case bufferTooSmall = "BUFFER_TOO_SMALL"
    case badUse = "BAD_USE"
    case compress = "COMPRESS"
    case outOfBoundary = "OUT_OF_BOUNDARY"
    case agentProtocol = "AGENT_PROTOCOL"
    case socketReceive = "SOCKET_RECV"
    case encrypt = "ENCRYPT"
    case badSocket = "BAD_SOCKET"
    case knownHosts = "KNOWN_HOSTS"
    case channelWindowFull = "CHANNEL_WINDOW_FULL"
    case keyFileAuthenticationFailed = "KEYFILE_AUTH_FAILED"
    case random = "RANDGEN"
    case missingUserAuthBanner = "MISSING_USERAUTH_BANNER"
    case algorithmUnsupported = "ALGO_UNSUPPORTED"
    case macFailure = "MAC_FAILURE"
    case hashInit = "HASH_INIT"
    case hashCalculation = "HASH_CALC"
    case storeOverflow = "STORE_OVERFLOW"

    /// The error with this code; nil for one that this version does not know.
    package init?(code: Int32) {
        guard code <= 0, code > -Int32(Self.allCases.count) else { return nil }
        self = Self.allCases[-Int(code)]
    }
}

extension Set<LibraryError> {
    /// Packets that differ from what the server sent.
    static let corruption: Self = [
        .invalidMAC, .macFailure, .decrypt, .proto, .bufferTooSmall, .outOfBoundary, .zlib, .compress, .hostKeyInit,
        .hashCalculation,
    ]

    /// A lack of local resources, or a wrong call.
    static let misuse: Self = [.allocation, .invalidArgument, .badUse, .badSocket, .random, .encrypt, .hashInit]

    /// The connection broke, or its bytes make no sense where they come.
    static let socket: Self = [.socketNone, .socketSend, .socketDisconnect, .socketTimeout, .socketReceive]

    /// The identification line could not be read or sent.
    static let banner: Self = [.bannerReceive, .bannerSend]
}

extension SSHEvidence {
    /// The error of the call that failed; nil if none did.
    var libraryError: LibraryError? { library?.error }

    /// Whether a call failed with one of these errors.
    func libraryFailed(_ errors: Set<LibraryError>) -> Bool { libraryError.map(errors.contains) ?? false }
}
