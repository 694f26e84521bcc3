internal import CLibSSH2
internal import NIOCore

/// How a channel ended.
package struct ChannelEnd: Sendable, Hashable {
    package var exitStatus: Int?
    package var exitSignal: ExitSignal?
    package var endOfOutput: Bool
    package var isClosed: Bool
    /// The tail of each stream's output, whether or not it was read.
    package var standardOutputTail: [UInt8] = []
    package var standardErrorTail: [UInt8] = []
    /// The fault of the session, if that is what ended it.
    package var fault: Fault?

    package init(
        exitStatus: Int? = nil, exitSignal: ExitSignal? = nil, endOfOutput: Bool, isClosed: Bool,
        standardOutputTail: [UInt8] = [], standardErrorTail: [UInt8] = [], fault: Fault? = nil
    ) {
        self.exitStatus = exitStatus
        self.exitSignal = exitSignal
        self.endOfOutput = endOfOutput
        self.isClosed = isClosed
        self.standardOutputTail = standardOutputTail
        self.standardErrorTail = standardErrorTail
        self.fault = fault
    }
}

/// The size of a terminal, in characters and pixels (RFC 4254 section 6.2).
package struct WindowSize: Sendable, Hashable {
    package var columns: Int32
    package var rows: Int32
    var widthPixels: Int32 = 0
    var heightPixels: Int32 = 0

    /// A number that no terminal has (ioctl_tty(2): 16 bits) becomes the nearest that one may have.
    package init(columns: Int, rows: Int) {
        self.columns = Int32(UInt16(clamping: columns))
        self.rows = Int32(UInt16(clamping: rows))
    }
}

extension Session {
    /// Opens a session channel (RFC 4254 section 6.1) with packets of 32 KiB, and a window that is 2 MiB at first: see
    /// ``ReceiveWindow``.
    ///
    /// - Parameter id: the number that was reserved for it.
    package func openChannel(_ id: ChannelID? = nil) async throws(Fault) -> ChannelID {
        let raw = raw
        return try await openChannel(id ?? reserveChannel(), "libssh2_channel_open_ex") {
            libssh2_channel_open_ex(raw, "session", 7, 2 << 20, 32768, nil, 0)
        }
    }

    /// Asks the server to connect to a host that it resolves itself, and to carry the bytes (RFC 4254 section 7.2).
    ///
    /// The window is libssh2's default, 2 MiB, at first: see ``ReceiveWindow``.
    ///
    /// - Parameter id: the number that was reserved for it.
    package func openTunnel(to host: String, port: Int, _ id: ChannelID? = nil) async throws(Fault) -> ChannelID {
        let raw = raw
        // No accepted connection is forwarded, so there is no originator address: these are the values that ssh(1) sends for -W.
        let id = try await openChannel(id ?? reserveChannel(), "libssh2_channel_direct_tcpip_ex") {
            libssh2_channel_direct_tcpip_ex(raw, host, Int32(port), "127.0.0.1", 65535)
        }
        enter(.session)
        return id
    }

    private func openChannel(
        _ id: ChannelID, _ function: StaticString, _ call: @escaping () -> OpaquePointer?
    ) async throws(Fault) -> ChannelID {
        defer { refusals[id] = nil }
        var asked: ContinuousClock.Instant?
        do {
            _ = try await perform(function, opening: id, exclusive: true, discard: { self.closeChannel(id) }) {
                asked = asked ?? .now
                return self.open(id, since: asked, call)
            }
            return id
        } catch let fault {
            guard case .failure(_, let reason, let description)? = refusals[id], self.fault == nil else { throw fault }
            throw Fault(.channelRefused(reason: reason, description: description), stage: .channel, library: fault.library)
        }
    }

    /// The call, and the registration of its result before any other message can be seen.
    private func open(_ id: ChannelID, since asked: ContinuousClock.Instant?, _ call: () -> OpaquePointer?) -> Int {
        lastOpened = nil
        let channel = call()
        let code = channel == nil ? Int(libssh2_session_last_errno(raw)) : 0
        if code == Int(LIBSSH2_ERROR_EAGAIN) { return code }
        collectObserved()
        if let channel, case .success(let number)? = lastOpened {
            let now = ContinuousClock.now
            channels[id] = SessionChannel(raw: channel, number: number, roundTrip: (asked ?? now).duration(to: now))
        } else {
            refusals[id] = lastOpened
        }
        return code
    }

    func channel(_ id: ChannelID) throws(Fault) -> SessionChannel {
        // A channel that is being closed may be freed during a call that waits: start no new call on it.
        if let channel = channels[id], !channel.isClosing, !channel.closesWhenIdle { return channel }
        throw faultIfLost ?? Fault(.closed(problem: "the command had ended, and its channel is closed"), stage: .local)
    }

    /// Sends a channel request that is answered (RFC 4254 section 5.4), one at a time in a session.
    private func request(
        _ kind: Evidence.ChannelRequest, _ function: StaticString, on id: ChannelID, nextStage: Stage? = nil,
        _ call: @escaping () -> Int
    ) async throws(Fault) {
        do {
            let channel = try channel(id)
            _ = try await perform(function, on: id, exclusive: true, nextStage: { nextStage }) {
                let code = call()
                // libssh2 would wait for ever for the answer on a closed channel.
                let isMoot = code == ReturnCode.eagain.rawValue && channel.hasReceivedClose
                return isMoot ? Int(LIBSSH2_ERROR_CHANNEL_CLOSED) : code
            }
        } catch let fault {
            // Closed instead of an answer: whether a command has run is unknown; any other request was refused.
            let refusals = kind == .exec ? ["CHANNEL_REQUEST_DENIED"] : ["CHANNEL_REQUEST_DENIED", "CHANNEL_CLOSED"]
            guard let name = fault.library?.name, fault.event == .libraryFailed else { throw fault }
            if name == "INVAL" { throw Self.tooLong(kind) }
            guard refusals.contains(name) else { throw fault }
            throw Fault(.requestRefused(kind), stage: .channel, library: fault.library)
        }
    }

    /// What libssh2 sends in one packet is shorter than this (transport.c: MAX_SSH_PACKET_LEN less 256).
    private static let longestPayload = 34744

    /// What libssh2 does not send, being too long: a request goes out in one packet, and a terminal's name and modes have 256
    /// bytes together (channel.c: channel_request_pty). Nothing has been sent then.
    private static func tooLong(_ kind: Evidence.ChannelRequest) -> Fault {
        let (field, advice) =
            switch kind {
            case .exec, .shell, .subsystem: ("command", "give a long script on standard input instead: sh -s < script")
            case .env: ("environment", "put long values into a file")
            case .pty: ("terminal", "TERM must be the name of a terminal")
            }
        return Fault(.usage(field: field, problem: "it is longer than libssh2 can send; \(advice)"), stage: .local)
    }

    /// Requests a pseudo-terminal (RFC 4254 section 6.2) with no terminal modes set.
    package func requestPTY(_ id: ChannelID, terminal: String, size: WindowSize, modes: [UInt8]) async throws(Fault) {
        let raw = try channel(id).raw
        try await request(.pty, "libssh2_channel_request_pty_ex", on: id) {
            terminal.withCString { name in
                modes.withUnsafeBytes { modes in
                    Int(
                        libssh2_channel_request_pty_ex(
                            raw, name, UInt32(terminal.utf8.count), modes.baseAddress?.assumingMemoryBound(to: CChar.self),
                            UInt32(modes.count), size.columns, size.rows, size.widthPixels, size.heightPixels))
                }
            }
        }
    }

    /// Requests an environment variable (RFC 4254 section 6.4).
    ///
    /// - Returns: whether the server accepted it.
    package func setEnvironment(_ id: ChannelID, name: String, value: String) async throws(Fault) -> Bool {
        let raw = try channel(id).raw
        // Here libssh2 reports a socket failure when it means that the request is too long.
        guard name.utf8.count + value.utf8.count + 21 < Self.longestPayload else { throw Self.tooLong(.env) }
        do {
            try await request(.env, "libssh2_channel_setenv_ex", on: id) {
                Int(libssh2_channel_setenv_ex(raw, name, UInt32(name.utf8.count), value, UInt32(value.utf8.count)))
            }
            return true
        } catch let fault {
            guard case .requestRefused = fault.event else { throw fault }
            return false
        }
    }

    /// Starts a command (RFC 4254 section 6.5).
    ///
    /// - Parameter sent: called right before the request is sent.
    package func execute(_ id: ChannelID, _ command: String, sent: @escaping @Sendable () -> Void) async throws(Fault) {
        try await start(id, .exec, command, sent: sent)
    }

    /// Starts a subsystem (RFC 4254 section 6.5), such as `sftp`.
    ///
    /// - Parameter sent: called right before the request is sent.
    package func startSubsystem(
        _ id: ChannelID, _ name: String, sent: @escaping @Sendable () -> Void = {}
    ) async throws(Fault) {
        try await start(id, .subsystem, name, sent: sent)
    }

    private func start(
        _ id: ChannelID, _ kind: Evidence.ChannelRequest, _ argument: String, sent: @escaping @Sendable () -> Void
    ) async throws(Fault) {
        let raw = try channel(id).raw
        let type = kind.rawValue
        let bytes = Array(argument.utf8)
        try await request(kind, "libssh2_channel_process_startup", on: id, nextStage: .session) {
            sent()
            return bytes.withUnsafeBytes { bytes in
                Int(
                    libssh2_channel_process_startup(
                        raw, type, UInt32(type.utf8.count), bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                        UInt32(bytes.count)))
            }
        }
        hasStartedProgram = true
    }

    /// What a stream has, once it has something; nil at its end.
    ///
    /// - Throws: the session's fault once everything that had come before it has been returned, or a cancellation.
    package func read(_ id: ChannelID, stream: Int) async throws(Fault) -> OutputChunk? {
        while true {
            guard let channel = channels[id], !channel.isClosing else { return nil }
            if let chunk = channel.takeChunk(stream) {
                // There is room again.
                if !channel.isDrained { pump() }
                return OutputChunk(chunk.bytes, stream: chunk.stream)
            }
            if !channel.isDrained {
                pump()
                if let chunk = channel.takeChunk(stream) { return OutputChunk(chunk.bytes, stream: chunk.stream) }
            }
            if let fault = channel.fault, !channel.endOfOutput { throw fault }
            if channel.outputHasEnded { return nil }
            if Task.isCancelled { throw .cancelled }
            nextWaiter += 1
            let waiter = nextWaiter
            await suspended {
                channel.wait(stream, id: waiter, $0, self)
            } onCancel: {
                $0.channels[id]?.cancelWait(stream, id: waiter)
            }
        }
    }

    /// Ends the command's standard input (RFC 4254 section 5.3).
    package func sendEOF(_ id: ChannelID) async throws(Fault) {
        let raw = try channel(id).raw
        _ = try await perform("libssh2_channel_send_eof", on: id) { Int(libssh2_channel_send_eof(raw)) }
    }

    /// The same, without a caller waiting for it to be sent.
    package func submitEOF(_ id: ChannelID) {
        guard !isDead, let raw = try? channel(id).raw else { return }
        makeUnawaited("libssh2_channel_send_eof", on: id) { Int(libssh2_channel_send_eof(raw)) }
    }

    /// Sends the server a changed window size (RFC 4254 section 6.7).
    package func resize(_ id: ChannelID, to size: WindowSize) async throws(Fault) {
        let raw = try channel(id).raw
        _ = try await perform("libssh2_channel_request_pty_size_ex", on: id) {
            Int(
                libssh2_channel_request_pty_size_ex(raw, size.columns, size.rows, size.widthPixels, size.heightPixels))
        }
    }

    /// Sends a signal to the command (RFC 4254 section 6.9).
    ///
    /// - Parameter sent: called right before the request is sent.
    /// - Returns: false where libssh2 cannot (before 1.11).
    package func signal(_ id: ChannelID, _ name: String, sent: @escaping @Sendable () -> Void) async throws(Fault) -> Bool {
        guard let function = bridge_signal_function() else { return false }
        let raw = try channel(id).raw
        _ = try await perform("libssh2_channel_signal_ex", on: id, exclusive: true) {
            sent()
            return Int(function(raw, name, name.utf8.count))
        }
        return true
    }

    /// Waits until nothing more can be learnt from the channel (its exit and the end of its output are known, or it is closed or
    /// lost), or the task is cancelled.
    package func waitForEnd(of id: ChannelID) async {
        while let channel = channels[id], !channel.isFinished, !Task.isCancelled {
            await suspended({ channel.waitForEnd($0, self) }, onCancel: { $0.channels[id]?.wakeWaiters() })
        }
    }

    /// Waits for the end of a channel, but not for ever.
    package func waitForEnd(of id: ChannelID, atMost patience: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.waitForEnd(of: id) }
            group.addTask { try? await Task.sleep(for: patience) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Waits for the exit status or signal, or until none can come any more.
    package func exit(of id: ChannelID) async -> ChannelEnd? {
        while let channel = channels[id], !channel.exitIsSettled, !Task.isCancelled {
            await suspended({ channel.waitForExit($0, self) }, onCancel: { $0.channels[id]?.wakeWaiters() })
        }
        return state(of: id)
    }

    /// What is known of a channel's end now; nil once the channel is freed.
    package func state(of id: ChannelID) -> ChannelEnd? {
        channels[id].map { channel in
            ChannelEnd(
                exitStatus: channel.exitStatus, exitSignal: channel.exitSignal, endOfOutput: channel.endOfOutput,
                isClosed: channel.isClosed, standardOutputTail: channel.tail(of: .standardOutput),
                standardErrorTail: channel.tail(of: .standardError),
                fault: channel.fault)
        }
    }

    package var channelCount: Int { channels.count }

    /// How far the server may be ahead of us on a channel, in bytes.
    package func receiveWindow(of id: ChannelID) -> Int? { channels[id]?.window.size }

    /// Reads every channel as far as there is room.
    func serveChannels() {
        // The first read takes in all that has arrived, for every channel; the others only look where something came.
        var hasRead = false
        var windows = 0
        defer { updateBudget(windows: windows) }
        for channel in channels.values {
            defer { windows += channel.window.size }
            if hasRead, wire.inboundCount == 0, channel.hasNothingNew { continue }
            hasRead = hasRead || channel.hasRoom
            guard let failed = channel.serve(wire) else { continue }
            concludeIfViolated()
            concludeIfMisled(by: failed.code)
            guard !isDead else { return }
            let fault = Fault.library(failure(of: failed.function, failed.code))
            collectObserved(after: failed.code)
            fail(fault)
            return
        }
    }
}
