internal import NIOCore

extension Session {
    /// A number for a channel that will be opened.
    package func reserveChannel() -> ChannelID { channels.reserve() }

    /// Opens a session channel (RFC 4254 section 6.1) with packets of 32 KiB, and a window that is 2 MiB at first: see
    /// ``ReceiveWindow``.
    ///
    /// - Parameter id: the number that was reserved for it.
    package func openChannel(_ id: ChannelID? = nil) async throws(Fault) -> ChannelID {
        let (library, windows) = (library, channels.windows)
        return try await openChannel(id ?? channels.reserve(), windows) {
            library.openSessionChannel(window: windows.first, $0)
        }
    }

    /// Sets the windows of the session channels that are opened from now on.
    package func limitWindows(_ limits: ReceiveWindow.Limits) { channels.windows = limits }

    /// Asks the server to connect to a host that it resolves itself, and to carry the bytes (RFC 4254 section 7.2).
    ///
    /// The window is libssh2's default, 2 MiB, at first: see ``ReceiveWindow``.
    ///
    /// - Parameter id: the number that was reserved for it.
    package func openTunnel(to host: String, port: Int, _ id: ChannelID? = nil) async throws(Fault) -> ChannelID {
        let library = library
        let id = try await openChannel(id ?? channels.reserve(), .standard) { library.openTunnel(to: host, port: port, $0) }
        enter(.session)
        return id
    }

    private func openChannel(
        _ id: ChannelID, _ windows: ReceiveWindow.Limits, _ call: @escaping ((LibraryChannel) -> Void) -> LibraryResult
    ) async throws(Fault) -> ChannelID {
        defer { _ = channels.takeRefusal(of: id) }
        var asked: MonotonicInstant?
        do {
            _ = try await perform(opening: id, exclusive: true, discard: { self.closeChannel(id) }) {
                asked = asked ?? .now
                return self.open(id, windows, since: asked, call)
            }
            return id
        } catch let fault {
            guard case .failure(_, let reason, let description)? = channels.takeRefusal(of: id), self.fault == nil else {
                throw fault
            }
            throw Fault(.channelRefused(reason: reason, description: description), stage: .channel, library: fault.library)
        }
    }

    /// Makes the call, and registers its result before any other message can be seen.
    private func open(
        _ id: ChannelID, _ windows: ReceiveWindow.Limits, since asked: MonotonicInstant?,
        _ call: ((LibraryChannel) -> Void) -> LibraryResult
    ) -> LibraryResult {
        channels.beginOpening()
        var channel: LibraryChannel?
        let result = call { channel = $0 }
        if case .again = result { return result }
        collectObserved()
        let now = MonotonicInstant.now
        if !channels.endOpening(id, channel, roundTrip: (asked ?? now).duration(to: now), windows) {
            fail(Fault(.protocolViolated(.unexpectedMessage(91)), stage: .channel))
        }
        return result
    }

    func channel(_ id: ChannelID) throws(Fault) -> SessionChannel {
        if let channel = channels.usable(id) { return channel }
        throw faultIfLost ?? Fault(.closed(problem: "the command had ended, and its channel is closed"), stage: .local)
    }

    /// Closes a channel and frees it (RFC 4254 section 5.3) without waiting for the server's answer.
    ///
    /// A server may answer only when the command has ended. Every wait for the channel ends now; a request that is under way on
    /// it is completed first.
    package func closeChannel(_ id: ChannelID) {
        guard let channel = channels[id], !isDead, channel.isOpen else { return }
        slots.leave(id)
        channel.discardOutput()
        guard calls.abandonAll(on: id) else { return channel.closeWhenIdle() }
        channel.beginClosing()
        let library = channel.library
        makeUnawaited(on: id, flushes: false, succeeded: { self.forget(id) }) { library.free() }
        // A caller that waited for the command may start another at once: then both go into one TCP segment.
        if wire.hasOutbound { executor.flushLater(self) }
    }

    private func forget(_ id: ChannelID) {
        guard let channel = channels.remove(id) else { return }
        slots.free(id)
        library.discarded.forget(channel.number)
    }

    // MARK: Requests

    /// Sends a channel request that is answered (RFC 4254 section 5.4), one at a time in a session.
    private func request(
        _ kind: SSHEvidence.ChannelRequest, on id: ChannelID, nextStage: SSHStage? = nil,
        _ call: @escaping (LibraryChannel) -> LibraryResult
    ) async throws(Fault) {
        do {
            let channel = try channel(id)
            let startsProgram = kind != .env && kind != .pty
            _ = try await perform(
                on: id, exclusive: true, nextStage: { nextStage }, isSettled: { startsProgram && channel.provesRunning }
            ) {
                let result = call(channel.library)
                // libssh2 would wait forever for the answer on a closed channel.
                guard case .again(let function) = result, channel.progress.hasReceivedClose else { return result }
                if startsProgram, channel.provesRunning { return result }
                return .failure(LibraryFailure(.channelClosed, of: function))
            }
        } catch let fault {
            // The server closed the channel instead of answering. A command may have run; any other request counts as refused.
            guard let error = fault.library?.error, fault.event == .libraryFailed else { throw fault }
            if error == .invalidArgument { throw Self.tooLong(kind) }
            guard error == .channelRequestDenied || error == .channelClosed && kind != .exec else { throw fault }
            throw Fault(.requestRefused(kind), stage: .channel, library: fault.library)
        }
    }

    /// libssh2 sends less than this many bytes in one packet (transport.c: MAX_SSH_PACKET_LEN less 256).
    private static let maximumPayloadLength = 34744

    /// The most bytes of a command. It follows 18 bytes of its request (channel.c: libssh2_channel_process_startup).
    package static let maximumCommandLength = maximumPayloadLength - 1 - 18

    /// The fault of a request that is too long for libssh2: a request goes out in one packet, and a terminal's name and modes
    /// share 256 bytes (channel.c: channel_request_pty). Nothing was sent.
    private static func tooLong(_ kind: SSHEvidence.ChannelRequest) -> Fault {
        let (field, advice) =
            switch kind {
            case .exec, .shell, .subsystem: ("command", "run sh -s instead, and give it a long script on standard input")
            case .env: ("environment", "put long values into a file")
            case .pty: ("terminal", "TERM must be the name of a terminal")
            }
        return Fault(.usage(field: field, problem: "it is longer than libssh2 can send; \(advice)"), stage: .local)
    }

    /// Requests a pseudo-terminal (RFC 4254 section 6.2).
    ///
    /// - Parameter modes: encoded terminal modes; empty for the server's own.
    package func requestPTY(_ id: ChannelID, terminal: String, size: WindowSize, modes: [UInt8]) async throws(Fault) {
        // A list without modes still ends with TTY_OP_END (section 8): PuTTY's and lsh's servers refuse a list without it.
        let modes = modes.isEmpty ? [0] : modes
        try await request(.pty, on: id) { $0.requestPTY(terminal, size: size, modes: modes) }
    }

    /// Requests an environment variable (RFC 4254 section 6.4).
    ///
    /// - Returns: whether the server accepted it.
    package func setEnvironment(_ id: ChannelID, name: String, value: String) async throws(Fault) -> Bool {
        _ = try channel(id)
        // libssh2 reports a socket failure for this request when it is too long.
        guard name.utf8.count + value.utf8.count + 21 < Self.maximumPayloadLength else { throw Self.tooLong(.env) }
        do {
            try await request(.env, on: id) { $0.setEnvironment(name, value) }
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
    package func startSubsystem(_ id: ChannelID, _ name: String) async throws(Fault) {
        try await start(id, .subsystem, name, sent: {})
    }

    /// Starts a command or a subsystem (RFC 4254 section 6.5).
    ///
    /// - Parameter sent: called right before the request is sent.
    package func start(
        _ id: ChannelID, _ kind: SSHEvidence.ChannelRequest, _ argument: String, sent: @escaping @Sendable () -> Void
    ) async throws(Fault) {
        let bytes = Array(argument.utf8)
        try await request(kind, on: id, nextStage: .session) {
            sent()
            return $0.start(kind.rawValue, bytes)
        }
        programStarted()
    }

    /// The stream's next bytes, once there are any; nil at its end.
    ///
    /// - Throws: the session's fault, after all earlier bytes were returned; or a cancellation.
    package func read(_ id: ChannelID, stream: Int) async throws(Fault) -> SSHOutputChunk? {
        while true {
            // Check this first: a fast server always has more bytes.
            if Task.isCancelled { throw .cancelled }
            guard let channel = channels[id], !channel.progress.isClosing else { return nil }
            if let chunk = channel.takeChunk(stream) {
                madeSpace(in: channel)
                return SSHOutputChunk(chunk.bytes, stream: chunk.stream)
            }
            if channel.awaitsSpace {
                pump()
                if let chunk = channel.takeChunk(stream) { return SSHOutputChunk(chunk.bytes, stream: chunk.stream) }
            }
            if channel.progress.isLost, let fault = channel.progress.fault, !channel.progress.endOfOutput { throw fault }
            if channel.progress.outputHasEnded { return nil }
            let reader = channel.makeReader()
            await suspended {
                channel.wait(stream, reader: reader, $0, self)
            } onCancel: {
                $0.channels[id]?.cancelWait(stream, reader: reader)
            }
        }
    }

    /// Ends the command's standard input (RFC 4254 section 5.3).
    package func sendEOF(_ id: ChannelID) async throws(Fault) {
        let library = try channel(id).library
        _ = try await perform(on: id) { library.sendEOF() }
    }

    /// Like ``sendEOF(_:)``, but without waiting until it is sent.
    package func submitEOF(_ id: ChannelID) {
        guard !isDead, let library = channels.usable(id)?.library else { return }
        makeUnawaited(on: id) { library.sendEOF() }
    }

    /// Sends the server a changed window size (RFC 4254 section 6.7).
    package func resize(_ id: ChannelID, to size: WindowSize) async throws(Fault) {
        let library = try channel(id).library
        _ = try await perform(on: id) { library.resize(to: size) }
    }

    /// Sends a signal to the command (RFC 4254 section 6.9).
    ///
    /// - Parameter sent: called right before the request is sent.
    /// - Returns: false if libssh2 cannot send signals (before 1.11).
    package func signal(_ id: ChannelID, _ name: String, sent: @escaping @Sendable () -> Void) async throws(Fault) -> Bool {
        guard LibraryChannel.canSignal else { return false }
        let library = try channel(id).library
        _ = try await perform(on: id, exclusive: true) {
            sent()
            return library.signal(name)
        }
        return true
    }

    /// Whether the channel has ended: see ``waitForEnd(of:)``.
    package func hasEnded(_ id: ChannelID) -> Bool { channels[id]?.progress.isFinished ?? true }

    /// Waits until the channel's exit and the end of its output are known, the channel is closed or lost, or the task is
    /// cancelled.
    package func waitForEnd(of id: ChannelID) async {
        while let channel = channels[id], !channel.progress.isFinished, !Task.isCancelled {
            await suspended({ channel.waitForEnd($0, self) }, onCancel: { $0.channels[id]?.wakeWaiters() })
        }
    }

    /// Waits for the end of a channel, for at most `timeLimit`.
    package func waitForEnd(of id: ChannelID, atMost timeLimit: Duration) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.waitForEnd(of: id) }
            group.addTask { try? await Task.sleep(for: timeLimit) }
            await group.next()
            group.cancelAll()
        }
    }

    /// Waits for the exit status or signal, or until none can come.
    package func exit(of id: ChannelID) async -> ChannelEnd? {
        while let channel = channels[id], !channel.progress.exitIsSettled, !Task.isCancelled {
            await suspended({ channel.waitForExit($0, self) }, onCancel: { $0.channels[id]?.wakeWaiters() })
        }
        return state(of: id)
    }

    /// The known facts about a channel's end; nil once the channel is freed.
    package func state(of id: ChannelID) -> ChannelEnd? { channels[id]?.end }

    package var channelCount: Int { channels.count }

    /// The channel's receive window, in bytes.
    package func receiveWindow(of id: ChannelID) -> Int? { channels[id]?.window.size }

    /// Reads every channel up to its read-ahead limit.
    func serveChannels() {
        // The first read takes in all arrived bytes, for every channel. The others are read only if something came for them.
        var hasRead = false
        var windows = 0
        defer { updateBudget(windows: windows) }
        for channel in channels.all {
            defer { windows += channel.window.size }
            if hasRead, wire.inboundCount == 0, channel.hasNothingNew { continue }
            hasRead = hasRead || channel.hasSpace
            guard let failure = channel.serve(library) else { continue }
            concludeIfViolated()
            failIfProtocolViolated(by: failure)
            guard !isDead else { return }
            collectObserved(after: .failure(failure))
            fail(Fault(.libraryFailed, library: failure.call))
            return
        }
    }
}
