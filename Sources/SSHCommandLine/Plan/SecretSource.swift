import BridgeSSH
import SSHRun

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Where a password or passphrase comes from: never from an argument or a variable, which other processes can see.
struct SecretSource {
    enum Place: Equatable {
        case file(String)
        case terminal
    }

    let place: Place
    /// The option, for messages.
    let option: String
    /// No password is this long; a wrong file may be.
    private static let longest = 64 << 10

    /// - Parameter path: the option's value, `-` for the terminal; nil gives nil.
    /// - Throws: `UsageProblem` if there is no terminal to ask on.
    init?(_ path: String?, option: String, mayAsk: Bool) throws {
        guard let path else { return nil }
        self.option = option
        guard path == "-" else {
            place = .file(path)
            return
        }
        guard mayAsk else {
            throw UsageProblem(
                field: option, problem: "- asks on the terminal, but there is none, or --batch forbids it; name a file instead")
        }
        place = .terminal
    }

    /// Reads the file; one line end at its end does not count.
    ///
    /// - Throws: `UsageProblem` if it cannot be read, or others can read it.
    func read(_ path: String) throws -> SSHSecret {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw problem(path, "cannot be opened: \(String(cString: strerror(errno)))") }
        defer { close(descriptor) }
        try checkPermissions(descriptor, path)
        return try withUnsafeTemporaryAllocation(byteCount: Self.longest + 1, alignment: 1) { buffer in
            defer { Secrecy.wipe(buffer) }
            var count = 0
            while count < buffer.count {
                let got = readBytes(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { throw problem(path, "cannot be read: \(String(cString: strerror(errno)))") }
                if got == 0 { break }
                count += got
            }
            guard count <= Self.longest else {
                throw problem(path, "is longer than 64 KiB, which no secret is; name another file")
            }
            let length = Self.lengthWithoutLineEnd(buffer[..<count])
            guard length > 0 else { throw problem(path, "is empty; write the secret into it as its only line") }
            return SSHSecret(bytes: buffer[..<length])
        }
    }

    /// Without one LF or CR LF at the end.
    static func lengthWithoutLineEnd(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        var rest = bytes[...]
        if rest.last == UInt8(ascii: "\n") {
            rest.removeLast()
            if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        }
        return rest.count
    }

    private func checkPermissions(_ descriptor: Int32, _ path: String) throws {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            throw problem(path, "cannot be examined: \(String(cString: strerror(errno)))")
        }
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw problem(path, "is a directory; name a file") }
        // A pipe, as of the shell's <(…), is not visible to other users.
        guard kind == S_IFREG else { return }
        guard status.st_mode & 0o077 == 0 else {
            throw problem(path, "can be read by others; make it yours alone: `chmod 600 \(path.shellWord)`")
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw problem(path, "belongs to another user, who can read it; make a copy of your own")
        }
    }

    private func problem(_ path: String, _ what: String) -> UsageProblem {
        UsageProblem(field: option, problem: "\(path) \(what)")
    }
}

extension SecretSource {
    /// Asks for a secret, without an echo.
    ///
    /// - Parameters:
    ///   - path: a file with the secret; nil or `-` asks the person.
    ///   - option: the option, for messages.
    /// - Throws: `UsageProblem`; `CancellationError`.
    static func secret(_ path: String?, prompt: String, option: String, mayAsk: Bool) async throws -> SSHSecret {
        guard let source = try SecretSource(path ?? "-", option: option, mayAsk: mayAsk) else {
            throw UsageProblem(field: option, problem: "no secret was named")
        }
        if case .file(let path) = source.place { return try source.read(path) }
        guard let secret = try await QuestionerChoice.ofThisProcess.questioner?.ask(prompt, after: "", echo: false),
            !secret.isEmpty
        else { throw UsageProblem(field: option, problem: "nothing was typed") }
        return secret
    }
}
