package import NIOCore
internal import NIOPosix

/// Opens a TCP connection to a host, trying all its addresses as RFC 8305 orders them.
package struct Connector: Sendable {
    package let family: SSHAddressFamily
    /// Where connections start from; nil for the system's choice.
    private let localAddress: SocketAddress?
    /// For the name, in seconds.
    package let resolveTimeout: Double
    /// The chain's.
    package let deadline: PausableDeadline
    /// Called on the event loop when the name has been resolved and connecting begins.
    package let resolved: @Sendable ([String]) -> Void
    /// Called on the event loop with the outcome of each address that was tried.
    package let tried: @Sendable (AddressOutcome) -> Void
    /// Starts the deadlines, when the name is resolved, and says what to do when one has passed.
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

    /// - Returns: a channel that reads only on request.
    package func connect(host: String, port: Int) async throws(ConnectFailure) -> ChannelCarrier {
        let eventLoop = deadline.eventLoop
        let race = eventLoop.makePromise(of: ChannelCarrier.self)
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
                    // At once, where the bootstrap would wait for one after the other.
                    guard let options = channel.syncOptions else { throw ChannelError.operationUnsupported }
                    try options.setOption(.autoRead, value: false)
                    try options.setOption(.socketOption(.so_keepalive), value: 1)
                    try options.setOption(.tcpOption(.tcp_nodelay), value: 1)
                    try options.setOption(.recvAllocator, value: ReceiveRoom())
                    try options.setOption(.maxMessagesPerRead, value: 1)
                    let handler = SessionHandler(tried: tried)
                    // A channel that has closed by the time we hear that it is connected has let its handler go.
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
                        ChannelCarrier(channel: channel, handler: handler.map { NIOLoopBound($0, eventLoop: eventLoop) }))
                    // It came too late: the promise had failed before.
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
    /// A deadline passed first, if it is known which; with the outcomes of the addresses by then.
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
                    ResolutionFailure(code: 0, message: "the name has no address of the family that was asked for"))
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
