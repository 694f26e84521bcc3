/// Lends SFTP clients: an ``SSHConnection``, the connections of a pool (``SSHConnectionPool/commands(on:configuration:)``), or in a
/// test the `InMemoryFiles` of `BridgeSSHTesting`.
///
/// Code that takes `some SFTPProviding` can be tested without a server.
public protocol SFTPProviding: Sendable {
    /// Lends a client to `body`, and ends it, whatever happens.
    ///
    /// - Throws: ``SSHError``, as ``SSHConnection/withSFTP(isolation:_:)``; what `body` throws.
    func withSFTP<Value>(
        isolation: isolated (any Actor)?, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value
}

extension SFTPProviding {
    /// Lends a client to `body`, and ends it, whatever happens.
    ///
    /// - Throws: ``SSHError``, as ``SSHConnection/withSFTP(isolation:_:)``; what `body` throws.
    public nonisolated(nonsending) func withSFTP<Value>(_ body: (SFTPClient) async throws -> Value) async throws -> Value {
        try await withSFTP(isolation: #isolation, body)
    }
}

extension SSHConnection: SFTPProviding {}
