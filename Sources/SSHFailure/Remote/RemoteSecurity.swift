import ErrorCore

/// TLS's own words, as OpenSSL, GnuTLS, Go, Java, Python, Node, curl and wget have them.
enum RemoteSecurity {
    static func cause(of line: String) -> SSHRemoteCause? {
        let lower = line.lowercased()
        guard texts.contains(where: { lower.contains($0) }) else { return nil }
        return SSHRemoteCause(
            "tls-failed", .sslError(description: line.oneLine()), "TLS failed on the remote side: \(line.oneLine())", .likely)
    }

    private static let texts = [
        "ssl certificate problem", "certificate verify failed", "certificate verification failed",
        "certificate verification error",
        "self-signed certificate", "self signed certificate", "certificate has expired", "certificate is not yet valid",
        "unable to get local issuer certificate", "unable to verify the first certificate", "unable to locally verify the issuer",
        "tls handshake", "ssl handshake", "sslhandshakeexception", "tls: handshake failure", "tls connect error",
        "handshake failure", "alert internal error", "alert protocol version", "wrong version number",
        "pkix path building failed",
        "x509: certificate", "x509: cannot", "x509: failed to", "server certificate verification failed",
        "no alternative certificate subject name", "err_tls_cert_altname_invalid", "certificate is not trusted",
        "the certificate of ", "gnutls_handshake()", "gnutls: handshake", "ssl_connect", "ssl_error_syscall", "ssl connect error",
        "first record does not look like a tls handshake", "ssl: wrong_version_number", "error setting certificate",
    ]
}
