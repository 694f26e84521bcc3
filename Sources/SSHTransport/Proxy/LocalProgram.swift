internal import CProcessGuard

#if canImport(Darwin)
    package import Darwin
#elseif canImport(Musl)
    package import Musl
#else
    package import Glibc
#endif

/// A local program that is to be started, with its streams and signals. The caller waits for its end.
///
/// Starting never keeps a ^Z from stopping this process: see `bridge_start_program`.
package struct LocalProgram: Sendable {
    /// Why a program could not be started.
    package struct StartFailure: Error {
        package let errno: Int32
        package var text: String { String(cString: strerror(errno)) }
    }

    /// The variables that it has.
    package enum Environment: Sendable {
        /// This process's, without one of that name.
        case inherited(without: String?)
        /// These, as `NAME=value`.
        case variables([String])
    }

    private let path: String
    private let arguments: [String]
    /// Whether a name without a slash is looked for in PATH.
    package var searchesPath = false
    /// The name that it is called by; nil for its path.
    package var name: String?
    package var environment = Environment.inherited(without: nil)
    /// Its standard input and output; nil for /dev/null.
    package var input: Int32?
    package var output: Int32?
    /// Its standard error; nil for this process's own.
    package var errors: Int32?
    /// Signals that it does not ignore even if this process does.
    package var defaultSignals: [Int32] = []
    /// Signals that are blocked in it; no others are.
    package var blockedSignals: [Int32] = []
    /// Whether it has a process group of its own, whose number is its own. It cannot read from the terminal then.
    package var hasOwnGroup = false

    package init(_ path: String, _ arguments: [String]) {
        self.path = path
        self.arguments = arguments
    }

    /// Starts it. It is in the caller's hands then: to be signalled only while it exists, and to be reaped once.
    ///
    /// - Returns: its number.
    package func start() throws(StartFailure) -> pid_t {
        var process: pid_t = 0
        let number = Self.withWords([name ?? path] + arguments) { words in
            withEnvironment { environment in
                path.withCString { path in
                    var description = bridge_program(
                        path: path, searches_path: searchesPath ? 1 : 0, arguments: words, environment: environment,
                        input: input ?? -1, output: output ?? -1, errors: errors ?? -1,
                        default_signals: Self.set(defaultSignals), blocked_signals: Self.set(blockedSignals),
                        own_group: hasOwnGroup ? 1 : 0)
                    return bridge_start_program(&description, &process)
                }
            }
        }
        guard number == 0 else { throw StartFailure(errno: number) }
        return process
    }

    private typealias Words = UnsafePointer<UnsafeMutablePointer<CChar>?>

    private static func set(_ signals: [Int32]) -> UInt64 { signals.reduce(0) { $0 | 1 << UInt64($1) } }

    private static func withWords<Result>(_ words: [String], _ body: (Words?) -> Result) -> Result {
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return (copies + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
    }

    private func withEnvironment<Result>(_ body: (Words?) -> Result) -> Result {
        switch environment {
        case .variables(let variables): return Self.withWords(variables, body)
        case .inherited(without: nil): return body(bridge_environment())
        case .inherited(without: let name?):
            guard var next = bridge_environment() else { return body(nil) }
            var kept: [UnsafeMutablePointer<CChar>?] = []
            while let entry = next.pointee {
                if strncmp(entry, name + "=", name.utf8.count + 1) != 0 { kept.append(entry) }
                next += 1
            }
            return (kept + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
        }
    }
}
