package import NIOCore
internal import NIOPosix

/// Opens a TCP connection to a host, trying all its addresses as RFC 8305 orders them.
package struct Connector: Sendable {
    package let family: SSHAddressFamily
    /// The local address of connections; nil for the system's choice.
    private let localAddress: SocketAddress?
    /// The time limit for resolving the name, in seconds.
    package let resolveTimeout: Double
    /// The chain's.
    package let deadline: PausableDeadline
    /// Called on the event loop when the name has been resolved and connecting begins.
    package let resolved: @Sendable ([String]) -> Void
    /// Called on the event loop with the outcome of each address that was tried.
    package let tried: @Sendable (AddressOutcome) -> Void
    /// Starts the deadlines when the name is resolved. The closure runs when one has passed.
    package let watch: @Sendable (@escaping @Sendable (SSHDeadline) -> Void) -> Void

    package init(
        family: SSHAddressFamily, localAddress: String? = nil, resolveTimeout: Double, deadline: PausableDeadline,
        resolved: @escaping @Sendable ([String]) -> Void, tried: @escaping @Sendable (AddressOutcome) -> Void,
        watch: @escaping @Sendable (@escaping @Sendable (SSHDeadline) -> Void) -> Void
    ) {
        self.localAddress = localAddress.flatMap { try? SocketAddress(ipAddress: $0, port: 0) }
        // An address of the other family cannot be reached from it.
        self.family =
            switch self.localAddress?.protocol {
            case .inet: .ipv4
            case .inet6: .ipv6
            default: family
            }
        self.resolveTimeout = resolveTimeout
        self.deadline = deadline
        self.resolved = resolved
        self.tried = tried
        self.watch = watch
    }

    /// Whether a text is an address, and no name.
    package static func isAddress(_ text: String) -> Bool { (try? SocketAddress(ipAddress: text, port: 0)) != nil }

    /// Whether the sockets of a group are those that connections use.
    package static func canConnect(on group: any EventLoopGroup) -> Bool { ClientBootstrap(validatingGroup: group) != nil }

    /// - Returns: a channel that reads only on request.
    package func connect(host: String, port: Int) async throws(ConnectFailure) -> ChannelTransport {
        let eventLoop = deadline.eventLoop
        let race = eventLoop.makePromise(of: ChannelTransport.self)
        let resolver = SystemResolver(on: eventLoop, family: family, timeout: .seconds(resolveTimeout)) {
            [watch, resolved] addresses in
            resolved(addresses.map(\.endpoint))
            watch { race.fail(ConnectFailure.timedOut($0, [])) }
        }
        let handlers = NIOLoopBoundBox.makeBoxSendingValue([ObjectIdentifier: SessionHandler](), eventLoop: eventLoop)
        let bootstrap = ClientBootstrap(group: eventLoop)
        (localAddress.map { bootstrap.bind(to: $0) } ?? bootstrap)
            .resolver(resolver)
            .channelInitializer { [tried] channel in
                channel.eventLoop.makeCompletedFuture {
                    // Resolves both at once; the bootstrap would wait for one after the other.
                    guard let options = channel.syncOptions else { throw ChannelError.operationUnsupported }
                    try options.setOption(.autoRead, value: false)
                    try options.setOption(.socketOption(.so_keepalive), value: 1)
                    try options.setOption(.tcpOption(.tcp_nodelay), value: 1)
                    try options.setOption(.recvAllocator, value: ReceiveBufferAllocator())
                    try options.setOption(.maxMessagesPerRead, value: 1)
                    let handler = SessionHandler(tried: tried)
                    // A channel that was closed before its connection was reported has no handler.
                    handlers.value[ObjectIdentifier(channel)] = handler
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connectTimeout(.seconds(resolveTimeout + deadline.seconds))
            .connect(host: host, port: port)
            .whenComplete { result in
                switch result {
                case .success(let channel):
                    let handler = handlers.value[ObjectIdentifier(channel)]
                    race.succeed(
                        ChannelTransport(channel: channel, handler: handler.map { NIOLoopBound($0, eventLoop: eventLoop) }))
                    // The connection came too late: the promise had already failed.
                    race.futureResult.whenFailure { _ in channel.close(promise: nil) }
                case .failure(let error): race.fail(error)
                }
            }
        do {
            return try await withTaskCancellationHandler {
                try await race.futureResult.get()
            } onCancel: {
                race.fail(CancellationError())
            }
        } catch {
            throw ConnectFailure(error, tried: resolver.addresses)
        }
    }
}

extension TimeAmount {
    package static func seconds(_ seconds: Double) -> TimeAmount { .nanoseconds(Int64(seconds * 1e9)) }
}

/// Why there is no connection.
package enum ConnectFailure: Error, Sendable {
    case resolution(ResolutionFailure)
    /// The outcome of each address.
    case addresses([SSHAddressFailure])
    /// A deadline passed first, if known which one; with the outcomes of the addresses so far.
    case timedOut(SSHDeadline?, [SSHAddressFailure])
    case cancelled

    init(_ error: any Error, tried: [SocketAddress]) {
        switch error {
        case let error as NIOConnectionError:
            if let failure = (error.dnsAError ?? error.dnsAAAAError) as? ResolutionFailure {
                self = .resolution(failure)
                return
            }
            if error.connectionErrors.isEmpty {
                self = .resolution(
                    ResolutionFailure(code: 0, message: "the name has no address of the requested family"))
                return
            }
            let failures = error.connectionErrors.map { SSHAddressFailure($0) }
            self = failures.allSatisfy { $0.systemError == nil } ? .timedOut(nil, failures) : .addresses(failures)
        case ConnectFailure.timedOut(let limit, _):
            self = .timedOut(limit, tried.map { SSHAddressFailure($0, systemError: nil) })
        case ChannelError.connectTimeout:
            self = .timedOut(nil, tried.map { SSHAddressFailure($0, systemError: nil) })
        case let error as IOError:
            self = .addresses([SSHAddressFailure(address: "", systemError: error.errnoCode)])
        case is CancellationError:
            self = .cancelled
        default:
            self = .addresses([])
        }
    }
}

extension SSHAddressFailure {
    fileprivate init(_ failure: SingleConnectionFailure) {
        self.init(failure.target, systemError: (failure.error as? IOError)?.errnoCode)
    }

    fileprivate init(_ address: SocketAddress, systemError: Int32?) {
        self.init(address: address.endpoint, systemError: systemError)
    }
}

extension AddressOutcome {
    /// An end without an errno is a cancellation by this client: another address was faster, or the time was over.
    init(_ address: String, _ result: Result<Void, any Error>, since start: ContinuousClock.Instant) {
        let ending: ConnectResult =
            switch result {
            case .success: .open
            case .failure(let error as IOError): .failed(systemError: error.errnoCode)
            case .failure: .unanswered
            }
        self.init(address: address, result: ending, seconds: start.duration(to: .now).seconds)
    }
}

extension SocketAddress {
    /// `192.0.2.1:22`, `[2001:db8::1]:22`.
    var endpoint: String {
        let host = ipAddress ?? "?"
        return `protocol` == .inet6 ? "[\(host)]:\(port ?? 0)" : "\(host):\(port ?? 0)"
    }
}

/// Opens a TCP connection to one address and closes it again, without sending anything.
package enum AddressProbe {
    /// The addresses of a host, in the resolver's order; empty if it does not answer in time.
    package static func addresses(
        of host: String, port: Int, _ family: SSHAddressFamily, within seconds: Double
    ) async -> [String] {
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let found = eventLoop.makePromise(of: [String].self)
        let resolver = SystemResolver(on: eventLoop, family: family, timeout: .seconds(seconds)) {
            found.succeed($0.map(\.endpoint))
        }
        eventLoop.execute {
            resolver.initiateAAAAQuery(host: host, port: port).whenFailure { found.fail($0) }
        }
        return (try? await found.futureResult.get()) ?? []
    }

    /// The outcome of connecting to each of `addresses`, all at once, in their order.
    ///
    /// - Parameters:
    ///   - addresses: as ``ConnectionFacts/addresses`` has them.
    ///   - seconds: how long to wait for an answer.
    ///   - turn: returns when a connection may begin.
    package static func outcomes(
        of addresses: [String], within seconds: Double, turn: @escaping @Sendable () async -> Void = {}
    ) async -> [AddressOutcome] {
        await withTaskGroup(of: (Int, AddressOutcome).self) { group in
            for (index, address) in addresses.enumerated() {
                group.addTask {
                    await turn()
                    return (index, await outcome(of: address, within: seconds))
                }
            }
            var outcomes = [AddressOutcome?](repeating: nil, count: addresses.count)
            for await (index, outcome) in group { outcomes[index] = outcome }
            return outcomes.compactMap { $0 }
        }
    }

    private static func outcome(of address: String, within seconds: Double) async -> AddressOutcome {
        let start = ContinuousClock.now
        let eventLoop = MultiThreadedEventLoopGroup.singleton.next()
        let answer = eventLoop.makePromise(of: Void.self)
        do {
            let target = try SocketAddress(endpoint: address)
            let connecting = ClientBootstrap(group: eventLoop).connectTimeout(.seconds(seconds)).connect(to: target)
            connecting.whenSuccess { $0.close(promise: nil) }
            connecting.map { _ in }.cascade(to: answer)
            // On cancellation NIO continues to connect; don't wait for it.
            try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                answer.fail(CancellationError())
            }
            return AddressOutcome(address, .success(()), since: start)
        } catch {
            answer.fail(error)
            return AddressOutcome(address, .failure(error), since: start)
        }
    }
}

extension SocketAddress {
    /// Reads what `endpoint` has written.
    fileprivate init(endpoint: String) throws {
        let colon = endpoint.lastIndex(of: ":") ?? endpoint.endIndex
        let host = endpoint[..<colon].filter { $0 != "[" && $0 != "]" }
        try self.init(ipAddress: host, port: Int(endpoint[colon...].dropFirst()) ?? 0)
    }
}
