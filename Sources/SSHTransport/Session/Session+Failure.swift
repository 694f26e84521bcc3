internal import CLibSSH2

/// The outcome of a libssh2 return code.
extension Session {
    /// The first fault, unless it is only that this side has closed the connection.
    package var faultIfLost: Fault? {
        guard let fault else { return nil }
        if case .cancelled = fault.event { return nil }
        return fault
    }

    /// A failed call with libssh2's own error message, which the next call would overwrite.
    func failure(of function: StaticString, _ code: Int) -> LibraryCall {
        let code = library.hasMetWrongMAC ? LIBSSH2_ERROR_INVALID_MAC : Int32(truncatingIfNeeded: code)
        return LibraryCall(of: function, code: code, in: raw)
    }

    /// The fault of a failed call, which is the session's too where libssh2's state cannot be trusted after it.
    func noteFailure(of function: StaticString, _ result: Int) -> Fault {
        concludeIfViolated()
        concludeIfMisled(by: result)
        if let fault { return fault }
        var fault = Fault.library(failure(of: function, result))
        fault.stage = stage
        if stage == .keyExchange {
            hostKeyReceived = !library.presentedHostKey.isEmpty
        }
        if stage == .banner || stage == .keyExchange || wire.disconnect != nil
            || Self.fatalCodes.contains(fault.library?.code ?? 0)
        {
            fail(fault)
        }
        return self.fault ?? fault
    }

    /// Ends the session for the allocator's refusal, whatever libssh2 made of that.
    func concludeIfViolated() {
        guard library.isViolated, !isDead, let violation = library.violation else { return }
        fail(Fault(.protocolViolated(violation)))
    }

    /// Ends the session where a packet has led libssh2 to a code that hides what is wrong with it.
    func concludeIfMisled(by result: Int) {
        guard !isDead else { return }
        let asksForTooMuch = isAuthenticated && result == Int(LIBSSH2_ERROR_ALLOC) && !library.isExhausted
        if asksForTooMuch || library.hasMetEndlessPacket { fail(Fault(.protocolViolated(.malformedPacket))) }
    }

    /// After these nothing that the transport says can be believed, or nothing can be said any more.
    private static let fatalCodes: Set<Int32> = [
        LIBSSH2_ERROR_SOCKET_NONE, LIBSSH2_ERROR_INVALID_MAC, LIBSSH2_ERROR_KEX_FAILURE, LIBSSH2_ERROR_SOCKET_SEND,
        LIBSSH2_ERROR_KEY_EXCHANGE_FAILURE, LIBSSH2_ERROR_DECRYPT, LIBSSH2_ERROR_SOCKET_DISCONNECT,
        LIBSSH2_ERROR_SOCKET_RECV, LIBSSH2_ERROR_ENCRYPT, LIBSSH2_ERROR_BAD_SOCKET, LIBSSH2_ERROR_ZLIB,
        LIBSSH2_ERROR_COMPRESS,
    ]
}
