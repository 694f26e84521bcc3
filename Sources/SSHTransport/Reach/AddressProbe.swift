internal import NIOCore
internal import NIOPosix

/// Opens a TCP connection to one address and closes it again, without a word.
package enum AddressProbe {
    /// What comes of connecting to each of `addresses`, all at once, in their order.
    ///
    /// - Parameters:
    ///   - addresses: as ``ConnectionFacts/addresses`` has them.
    ///   - seconds: how long to wait for an answer.
    package static func outcomes(of addresses: [String], within seconds: Double) async -> [AddressOutcome] {
        await withTaskGroup(of: (Int, AddressOutcome).self) { group in
            for (index, address) in addresses.enumerated() {
                group.addTask { (index, await outcome(of: address, within: seconds)) }
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
            // On cancellation NIO goes on connecting; don't wait for it.
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
