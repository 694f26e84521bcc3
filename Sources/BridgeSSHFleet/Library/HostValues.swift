internal import Synchronization

/// What bodies returned for each host.
final class HostValues<Value: Sendable>: Sendable {
    private let results = Mutex<[String: Result<Value, any Error>]>([:])

    func set(_ result: Result<Value, any Error>, of host: String) { results.withLock { $0[host] = result } }
    func result(of host: String) -> Result<Value, any Error>? { results.withLock { $0[host] } }
}
