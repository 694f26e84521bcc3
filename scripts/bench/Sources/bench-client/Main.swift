import BridgeSSH
import CUsage
import Dispatch

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The scenarios of `scripts/bench/run` by the library's public API; `plain-c` and `peers.py` do the same.
@main
enum Main {
    // Not `async`: the main thread would end, which valgrind does not survive.
    static func main() {
        let end = DispatchSemaphore(value: 0)
        // Detached: a task on the main actor would wait for the main thread, which waits for that task.
        Task.detached {
            do {
                try await Scenario(CommandLine.arguments.dropFirst()).run()
            } catch {
                let message = Array("bench-client: \(error)\n".utf8)
                _ = write(STDERR_FILENO, message, message.count)
                exit(1)
            }
            end.signal()
        }
        end.wait()
    }
}

struct Scenario {
    let name: String
    let numbers: [Int]
    let target: Target

    init(_ arguments: ArraySlice<String>) throws {
        name = arguments.first ?? ""
        numbers = arguments.dropFirst().compactMap { Int($0) }
        target = try Target()
    }

    func run() async throws {
        switch (name, numbers.count) {
        case ("command", 0): try await command()
        case ("sequence", 1): try await onConnection { try await sequence(on: $0, numbers[0]) }
        case ("parallel", 2): try await onConnection { try await parallel(on: $0, numbers[0], width: numbers[1]) }
        case ("read", 1): try await onConnection { try await read(on: $0, numbers[0]) }
        case ("write", 2): try await onConnection(onLoop: false) { try await write(on: $0, numbers[0], piece: numbers[1]) }
        case ("connections", 1): try await connections(numbers[0], command: "true")
        case ("reconnections", 1): try await reconnections(numbers[0])
        case ("idle", 1): try await connections(numbers[0], command: nil)
        default: throw Problem("usage: command|sequence N|parallel N WIDTH|read N|write N PIECE|connections N|reconnections N|idle N")
        }
    }

    private func command() async throws {
        let start = usage_now()
        try await target.connected { _ = try await $0.run("true", check: true) }
        usage_report(start, "")
    }

    /// The measurement begins when the connection is established.
    ///
    /// - Parameter onLoop: whether it runs on the connection's loop, as plain C runs on its one thread; never with
    ///   BENCH_OFF_LOOP. Not for input in small pieces: off the loop, more pieces are already waiting when the
    ///   first is sent.
    private func onConnection(onLoop: Bool = true, _ body: (SSHConnection) async throws -> Void) async throws {
        try await target.connected { connection in
            let start = usage_now()
            let executor = onLoop && getenv("BENCH_OFF_LOOP") == nil ? connection.executor : nil
            try await withTaskExecutorPreference(executor) { try await body(connection) }
            usage_report(start, "")
        }
    }

    private func sequence(on connection: SSHConnection, _ count: Int) async throws {
        for _ in 0..<count { try await connection.run("true", check: true) }
    }

    private func parallel(on connection: SSHConnection, _ count: Int, width: Int) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<count {
                if index >= width { try await group.next() }
                group.addTask { try await connection.run("true", check: true) }
            }
            try await group.waitForAll()
        }
    }

    private func read(on connection: SSHConnection, _ count: Int) async throws {
        let received = try await connection.execute("head -c \(count) /dev/zero") { execution in
            var received = 0
            for try await chunk in execution.standardOutput { received += chunk.count }
            return received
        }.checked()
        guard received == count else { throw Problem("\(received) bytes came") }
    }

    private func write(on connection: SSHConnection, _ count: Int, piece: Int) async throws {
        let source = Source(count: count, piece: piece)
        try await connection.run("cat >/dev/null", standardInput: .pieces { await source.next() }, check: true)
    }

    /// One connection after another, a command on each.
    private func reconnections(_ count: Int) async throws {
        let start = usage_now()
        for _ in 0..<count { try await target.connected { _ = try await $0.run("true", check: true) } }
        usage_report(start, "")
    }

    private func connections(_ count: Int, command: String?) async throws {
        let start = usage_now()
        let (before, ownBefore) = (usage_resident_kib(), usage_own_kib())
        let opened = try await withThrowingTaskGroup(of: SSHConnection.self) { group in
            for _ in 0..<count {
                group.addTask {
                    let connection = try await target.connect()
                    if let command { try await connection.run(command, check: true) }
                    return connection
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        func each(_ growth: Int) -> Double { (Double(growth) / Double(count) * 10).rounded() / 10 }
        let memory =
            ", \"perConnectionKiB\": \(each(usage_resident_kib() - before)), \"ownPerConnectionKiB\": \(each(usage_own_kib() - ownBefore))"
        if command != nil { for connection in opened { await connection.close() } }
        usage_report(start, memory)
        if command == nil { for connection in opened { await connection.close() } }
    }
}

/// Zeros in pieces.
actor Source {
    private var rest: Int
    private let piece: [UInt8]

    init(count: Int, piece: Int) {
        rest = count
        self.piece = Array(repeating: 0, count: piece)
    }

    func next() -> [UInt8]? {
        guard rest > 0 else { return nil }
        defer { rest -= min(rest, piece.count) }
        return rest >= piece.count ? piece : Array(piece[..<rest])
    }
}

struct Problem: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
