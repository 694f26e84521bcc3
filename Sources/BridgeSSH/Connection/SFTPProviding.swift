/// Lends SFTP clients. Conforming types are ``SSHConnection``, the connections of a pool
/// (``SSHConnectionPool/commands(on:configuration:)``), and for tests `InMemoryFiles` in `BridgeSSHTesting`.
///
/// Code that takes `some SFTPProviding` can be tested without a server.
public protocol SFTPProviding: Sendable {
    /// Lends a client to `body`, and ends it, even after an error.
    ///
    /// - Throws: ``SSHError``, as ``SSHConnection/withSFTP(isolation:_:)``; errors of `body`.
    func withSFTP<Value>(
        isolation: isolated (any Actor)?, _ body: (SFTPClient) async throws -> Value
    ) async throws -> Value
}

extension SFTPProviding {
    /// Lends a client to `body`, and ends it, even after an error.
    ///
    /// - Throws: ``SSHError``, as ``SSHConnection/withSFTP(isolation:_:)``; errors of `body`.
    public nonisolated(nonsending) func withSFTP<Value>(_ body: (SFTPClient) async throws -> Value) async throws -> Value {
        try await withSFTP(isolation: #isolation, body)
    }
}

extension SSHConnection: SFTPProviding {}
