import ErrorCore

/// TLS's own words, as OpenSSL, GnuTLS, Go, Java, Python, Node, curl and wget have them.
enum RemoteSecurity {
    static func cause(of line: String) -> RemoteCause? {
        let lower = line.lowercased()
        guard texts.contains(where: { lower.contains($0) }) else { return nil }
        return RemoteCause(
            "tls-failed", .sslError(description: line.oneLine()), "TLS failed on the remote side: \(line.oneLine())", .likely)
    }

    private static let texts = [
        "ssl certificate problem", "certificate verify failed", "certificate verification failed", "certificate verification error",
        "self-signed certificate", "self signed certificate", "certificate has expired", "certificate is not yet valid",
        "unable to get local issuer certificate", "unable to verify the first certificate", "unable to locally verify the issuer",
        "tls handshake", "ssl handshake", "sslhandshakeexception", "tls: handshake failure", "tls connect error",
        "handshake failure", "alert internal error", "alert protocol version", "wrong version number", "pkix path building failed",
        "x509: certificate", "x509: cannot", "x509: failed to", "server certificate verification failed",
        "no alternative certificate subject name", "err_tls_cert_altname_invalid", "certificate is not trusted",
        "the certificate of ", "gnutls_handshake()", "gnutls: handshake", "ssl_connect", "ssl_error_syscall", "ssl connect error",
        "first record does not look like a tls handshake", "ssl: wrong_version_number", "error setting certificate",
    ]
}

/// Programs that say that only root, or another account, may do what they were asked to.
enum RemotePrivilege {
    static func cause(of line: RemoteLine, _ text: String) -> RemoteCause? {
        let lower = text.lowercased()
        guard texts.contains(where: { lower.contains($0) }), let program = program(of: line) else { return nil }
        return RemoteCause(
            "privilege-required", .permissionDenied(tool: program),
            "\(program) may only be used by root, or by another account, on the server: \(text.oneLine())", .likely)
    }

    /// The program that says so, behind the prompt that it left on the line.
    private static func program(of line: RemoteLine) -> String? {
        let names = line.segments(in: 0..<line.characters.count).dropLast().map { RemoteProgram.base(line.text($0)) }
        let prompts: Set<String> = ["Password", "PAM", "error", "Passwort", "Mot de passe", "Contraseña", "パスワード", "密码", "密碼"]
        return names.first { !prompts.contains($0) && !$0.contains(where: \.isWhitespace) }
    }

    private static let texts = [
        "must be superuser", "requires superuser privilege", "are you root?", "you must be root", "must be run as root",
        "you need to be root", "must be root to", "needs to be run as root", "only root can", "only root may", "requires root",
        "root privileges", "run under the root user", "please run as root", "interactive authentication required",
        "authentication failure", "superuser-rechte", "droits du superutilisateur", "root-rechte", "derechos de superusuario",
        "privilegios de superusuario", "スーパーユーザ", "超级用户", "超級使用者", "root 用户运行",
    ]
}

/// Lines that name a file that could not be opened, and keep the reason.
enum RemoteUnopened {
    static func cause(of line: RemoteLine, _ text: String) -> RemoteCause? {
        let lower = String(line.lower)
        for phrase in phrases {
            guard let range = lower.firstRange(of: phrase.text) else { continue }
            let start = lower.distance(from: lower.startIndex, to: range.upperBound)
            guard let path = object(of: line, from: start) else { continue }
            let reason = text.oneLine()
            return RemoteCause(
                "cannot-open", phrase.writes ? .fileWriteError(path: path, reason: reason) : .fileReadError(path: path, reason: reason),
                "The server could not open \(path): \(reason)", .likely)
        }
        return nil
    }

    private static let phrases: [(text: String, writes: Bool)] = {
        let attempts = ["cannot ", "can't ", "can not ", "could not ", "couldn't ", "unable to ", "failed to "]
        let verbs: [(String, Bool)] = [
            ("find or open ", false), ("open input file", false), ("open database ", false), ("open file", false), ("open ", false),
            ("access ", false), ("read file", false), ("read ", false), ("cd to ", false), ("chdir to ", false), ("stat ", false),
            ("locate ", false), ("create file", true), ("create ", true), ("write to ", true), ("write ", true),
        ]
        return attempts.flatMap { attempt in verbs.map { (attempt + $0.0, $0.1) } }
    }()

    /// A quoted name or a path right after the phrase.
    private static func object(of line: RemoteLine, from start: Int) -> String? {
        var start = start
        while start < line.characters.count, line.characters[start].isWhitespace || line.characters[start] == ":" { start += 1 }
        if let quote = line.quotes.first(where: { $0.range.lowerBound == start }) {
            return quote.content.contains("://") ? nil : quote.content
        }
        let end = line.characters[start...].firstIndex { $0.isWhitespace || $0 == "," || $0 == "!" } ?? line.characters.count
        var word = line.text(start..<end)
        while let last = word.last, ".:;".contains(last) { word.removeLast() }
        let isMarked = start > 0 && line.characters[..<start].suffix(2).elementsEqual(": ")
        return RemotePath.isPath(word) || isMarked && word.contains(".") ? word : nil
    }
}
