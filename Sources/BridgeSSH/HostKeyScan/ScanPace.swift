internal import Synchronization

/// Paces connections that do not log in.
///
/// OpenSSH 9.8 and later add one second of penalty for each such connection (sshd_config(5), PerSourcePenalties, `noauth:1s`),
/// and refuse an address at 15 seconds. The first eight connections may start at once, which leaves unauthenticated slots for
/// other clients. After that, each waits for a second to pass.
struct ScanPace: Sendable {
    /// The state for all servers, shared by the whole process.
    private static let turns = Mutex(ScanTurns())
    /// How long to wait before the next connection to a server that refuses. It adds no penalty while it refuses.
    private static let pause = Duration.seconds(3)

    private let server: String
    private let timeLimit: Duration
    private let timeline: Timeline

    init(of endpoint: SSHEndpoint, timeLimit: Duration, _ timeline: Timeline) {
        server = "\(endpoint.host) \(endpoint.port)"
        self.timeLimit = timeLimit
        self.timeline = timeline
    }

    /// Records the server's software.
    func note(_ software: String) { Self.turns.withLock { $0.note(server, penalizes: Self.penalizes(software)) } }

    /// Whether a server with this software refuses an address for a while after connections without a login.
    static func penalizes(_ software: String) -> Bool {
        OpenSSHRelease(in: software).map { $0 >= OpenSSHRelease(9, 8) } ?? false
    }

    /// Waits until a connection may start.
    ///
    /// - Parameter deadline: a deadline that does not count the wait.
    func turn(_ deadline: PausableDeadline? = nil) async throws {
        let wait = Self.turns.withLock { $0.next(server, at: .now) }
        guard wait > .zero else { return }
        deadline?.pause()
        defer { deadline?.resume() }
        try await Task.sleep(for: wait)
    }

    /// Connects when the pace allows it, and again while the server refuses this address.
    ///
    /// - Parameters:
    ///   - deadline: a deadline that does not count the wait.
    ///   - connect: receives the number of the attempt.
    func perform<Value>(
        _ deadline: PausableDeadline? = nil, _ connect: (Int) async throws -> Value
    ) async throws -> Value {
        let start = MonotonicInstant.now
        var attempt = 1
        while true {
            try await turn(deadline)
            do {
                return try await connect(attempt)
            } catch let error as SSHError where error.code == .bannerSourcePenalised {
                Self.turns.withLock { $0.note(server, penalizes: true) }
                guard start.duration(to: .now) + Self.pause < timeLimit else { throw error }
                if attempt == 1 { timeline.notice("The server refuses this address for a while; waiting until it does not.") }
                try await Task.sleep(for: Self.pause)
                attempt += 1
            }
        }
    }
}

/// Computes the waits for connections to servers. It has no clock.
struct ScanTurns: Sendable {
    private struct Server {
        /// The time at which the penalties of all connections will have expired; nil before the first connection.
        var penaltiesEnd: MonotonicInstant?
        var penalizes = false
    }

    /// The penalty of one connection: a second, plus a margin for clock differences.
    static let penalty = Duration.milliseconds(1100)
    /// The sum of penalties that needs no wait.
    static let penaltyLimit = penalty * 7
    private static let maximumServers = 4096

    private var servers: [String: Server] = [:]

    init() {}

    /// The number of known servers.
    var count: Int { servers.count }

    /// How long the next connection must wait. It counts as made.
    mutating func next(_ name: String, at now: MonotonicInstant) -> Duration {
        if servers.count >= Self.maximumServers { servers = servers.filter { $0.value.penaltiesEnd.map { now < $0 } ?? false } }
        var server = servers[name] ?? Server()
        let penaltiesEnd = max(server.penaltiesEnd ?? now, now)
        let owed = now.duration(to: penaltiesEnd)
        server.penaltiesEnd = penaltiesEnd.advanced(by: Self.penalty)
        servers[name] = server
        return server.penalizes && owed > Self.penaltyLimit ? owed - Self.penaltyLimit : .zero
    }

    mutating func note(_ name: String, penalizes: Bool) { servers[name, default: Server()].penalizes = penalizes }
}
