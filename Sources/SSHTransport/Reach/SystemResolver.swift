internal import NIOConcurrencyHelpers
internal import NIOCore
internal import NIOPosix

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Threads that wait for name servers, one for each lookup at a time.
///
/// NIO's pool has as many threads as the machine has processors: a few names whose servers do not answer would delay all other
/// names, and the reading of files.
enum LookupThreads {
    private static let maximum = 64

    private struct State {
        var idle: [NIOThreadPool] = []
        var count = 0
    }

    private static let state = NIOLockedValueBox(State())

    /// Runs a lookup on an idle thread or a new one; if there are too many, on NIO's pool.
    static func run<Result: Sendable>(
        on eventLoop: any EventLoop, _ lookup: @escaping @Sendable () throws -> Result
    ) -> EventLoopFuture<Result> {
        let (thread, isNew) = state.withLockedValue { state -> (NIOThreadPool?, Bool) in
            if let idle = state.idle.popLast() { return (idle, false) }
            guard state.count < maximum else { return (nil, false) }
            state.count += 1
            return (NIOThreadPool(numberOfThreads: 1), true)
        }
        guard let thread else { return NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop, lookup) }
        if isNew { thread.start() }
        return thread.runIfActive(eventLoop: eventLoop) {
            defer { state.withLockedValue { $0.idle.append(thread) } }
            return try lookup()
        }
    }
}

/// `getaddrinfo(3)` for NIO's happy eyeballs, keeping the reason of a failure, which NIO's own resolver drops.
final class SystemResolver: Resolver, Sendable {
    private let eventLoop: any EventLoop
    private let ipv4: EventLoopPromise<[SocketAddress]>
    private let ipv6: EventLoopPromise<[SocketAddress]>
    private let family: SSHAddressFamily
    private let timeout: TimeAmount
    private let resolved: @Sendable ([SocketAddress]) -> Void
    private let found = NIOLockedValueBox<[SocketAddress]>([])

    /// The addresses that were found.
    var addresses: [SocketAddress] { found.withLockedValue { $0 } }

    init(
        on eventLoop: any EventLoop, family: SSHAddressFamily, timeout: TimeAmount,
        resolved: @escaping @Sendable ([SocketAddress]) -> Void
    ) {
        self.eventLoop = eventLoop
        self.family = family
        self.timeout = timeout
        self.resolved = resolved
        ipv4 = eventLoop.makePromise()
        ipv6 = eventLoop.makePromise()
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        ipv4.futureResult
    }

    /// One call asks for both address families, so that the system's own order and its hosts file apply.
    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        let deadline = eventLoop.scheduleTask(in: timeout) { [self] in
            fail(ResolutionFailure(code: EAI_AGAIN, message: "the resolver did not answer in time"))
        }
        lookUp(host: host, port: port).whenComplete { [self] result in
            deadline.cancel()
            switch result {
            case .success(let addresses):
                found.withLockedValue { $0 = addresses }
                resolved(addresses)
                // An answer that comes after the deadline finds the promises already failed.
                ipv4.succeed(addresses.filter { $0.protocol == .inet })
                ipv6.succeed(addresses.filter { $0.protocol == .inet6 })
            case .failure(let error): fail(error)
            }
        }
        return ipv6.futureResult
    }

    func cancelQueries() {
        fail(ResolutionFailure(code: EAI_AGAIN, message: "the resolver did not answer in time"))
    }

    private func fail(_ error: any Error) {
        ipv4.fail(error)
        ipv6.fail(error)
    }

    /// An address needs no resolving. Only a name may block, which must not happen on the event loop.
    private func lookUp(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
        if let addresses = try? Self.resolve(host: host, port: port, family: family, flags: AI_NUMERICHOST) {
            return eventLoop.makeSucceededFuture(addresses)
        }
        return LookupThreads.run(on: eventLoop) { [family] in
            do {
                return try Self.resolve(host: host, port: port, family: family)
            } catch let failure as ResolutionFailure where failure.kind == .notFound && family != .any {
                // glibc returns EAI_NONAME also for a name that has addresses of the other family only.
                guard (try? Self.resolve(host: host, port: port, family: .any)) != nil else { throw failure }
                throw ResolutionFailure(code: EAI_FAMILY, message: "no address of this family")
            }
        }
    }

    private static func resolve(host: String, port: Int, family: SSHAddressFamily, flags: Int32 = 0) throws -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_flags = flags
        hints.ai_family =
            switch family {
            case .any: AF_UNSPEC
            case .ipv4: AF_INET
            case .ipv6: AF_INET6
            }
        #if canImport(Glibc)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, "\(port)", &hints, &list)
        guard code == 0 else {
            throw ResolutionFailure(code: code, message: String(cString: gai_strerror(code)))
        }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var next = list
        while let info = next?.pointee {
            if let address = info.ai_addr {
                switch info.ai_family {
                case AF_INET: address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { addresses.append(.init($0.pointee)) }
                case AF_INET6:
                    address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { addresses.append(.init($0.pointee)) }
                default: break
                }
            }
            next = info.ai_next
        }
        return addresses
    }
}

/// Why a name has no address.
package struct ResolutionFailure: Error, Sendable, Hashable {
    /// The EAI code of `getaddrinfo`.
    package var code: Int32
    package var message: String

    /// The kind of failure, which decides the remedy.
    package var kind: SSHEvidence.ResolverFailure {
        #if canImport(Glibc)
            // EAI_NODATA and EAI_ADDRFAMILY need _GNU_SOURCE.
            if code == -5 { return .notFound }
            if code == -9 { return .noAddressOfFamily }
        #endif
        switch code {
        case EAI_NONAME: return .notFound
        case EAI_AGAIN: return .temporary
        case EAI_FAMILY: return .noAddressOfFamily
        default: return .other
        }
    }
}
