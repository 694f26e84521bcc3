internal import Synchronization

/// When connections to a server begin that never log in.
///
/// OpenSSH 9.8 and later count a second of penalty for each (sshd_config(5), PerSourcePenalties, `noauth:1s`), and refuse an
/// address with 15 of them or more. Eight at once leave room for others; after that, each waits for a second to pass.
struct ScanPace: Sendable {
    /// Turns at all servers of this process.
    private static let turns = Mutex(ScanTurns())
    /// How long a server that refuses this address is left alone: it counts nothing while it refuses.
    private static let pause = Duration.seconds(3)

    private let server: String
    private let patience: Duration
    private let timeline: Timeline

    init(of endpoint: SSHEndpoint, patience: Duration, _ timeline: Timeline) {
        server = "\(endpoint.host) \(endpoint.port)"
        self.patience = patience
        self.timeline = timeline
    }

    /// The server has told its software.
    func note(_ software: String) {
        let punishes = OpenSSHRelease(in: software).map { $0 >= OpenSSHRelease(9, 8) } ?? false
        Self.turns.withLock { $0.note(server, punishes: punishes) }
    }

    /// Waits until a connection may begin.
    func turn() async throws {
        let wait = Self.turns.withLock { $0.next(server, at: .now) }
        if wait > .zero { try await Task.sleep(for: wait) }
    }

    /// Makes a connection when it is its turn, and once more while the server refuses this address.
    ///
    /// - Parameters:
    ///   - hasTurn: whether the first attempt's turn has come.
    ///   - connect: gets the number of the attempt.
    func perform<Value>(hasTurn: Bool = false, _ connect: (Int) async throws -> Value) async throws -> Value {
        let start = MonotonicInstant.now
        var attempt = 1
        while true {
            if attempt > 1 || !hasTurn { try await turn() }
            do {
                return try await connect(attempt)
            } catch let error as SSHError where error.code == .bannerSourcePenalised {
                Self.turns.withLock { $0.note(server, punishes: true) }
                guard start.duration(to: .now) + Self.pause < patience else { throw error }
                if attempt == 1 { timeline.notice("The server refuses this address for a while; waiting until it does not.") }
                try await Task.sleep(for: Self.pause)
                attempt += 1
            }
        }
    }
}

/// Turns for connections to servers. Without a clock.
struct ScanTurns: Sendable {
    private struct Server {
        /// When as many seconds have passed as connections were made.
        var settled: MonotonicInstant
        var punishes = false
    }

    /// What one connection costs: a second, and a little for the clocks.
    static let cost = Duration.milliseconds(1100)
    /// How much may be owed.
    static let most = cost * 7
    private static let mostServers = 4096

    private var servers: [String: Server] = [:]

    init() {}

    /// How many servers are remembered.
    var count: Int { servers.count }

    /// How long the next connection has to wait; it counts from now on.
    mutating func next(_ name: String, at now: MonotonicInstant) -> Duration {
        if servers.count >= Self.mostServers { servers = servers.filter { now < $0.value.settled } }
        var server = servers[name] ?? Server(settled: now)
        if server.settled < now { server.settled = now }
        let owed = now.duration(to: server.settled)
        server.settled = server.settled.advanced(by: Self.cost)
        servers[name] = server
        return server.punishes && owed > Self.most ? owed - Self.most : .zero
    }

    mutating func note(_ name: String, punishes: Bool) { servers[name]?.punishes = punishes }
}
