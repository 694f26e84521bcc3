import BridgeSSH
package import SSHRun

/// The source of a password or passphrase: never an argument or a variable, which other processes can see.
struct SecretSource {
    enum Place: Equatable {
        case file(String)
        case terminal
    }

    let place: Place
    /// The option's name for messages.
    let option: String
    /// The maximum length in bytes. A longer file is not a password file.
    private static let maximumLength = 64 << 10

    /// - Parameter path: the option's value, `-` for the terminal; if it is nil the result is nil.
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

    /// Reads the file, without one line end at its end.
    ///
    /// - Throws: `UsageProblem` if the file cannot be read, or if other users can read it.
    func read(_ path: String) throws -> SSHSecret {
        let descriptor = try opened(path)
        defer { close(descriptor) }
        return try withUnsafeTemporaryAllocation(byteCount: Self.maximumLength + 1, alignment: 1) { buffer in
            defer { SecretMemory.wipe(buffer) }
            var count = 0
            while count < buffer.count {
                let got = readBytes(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
                if got < 0, errno == EINTR { continue }
                guard got >= 0 else { throw problem(path, "cannot be read: \(String(cString: strerror(errno)))") }
                if got == 0 { break }
                count += got
            }
            guard count <= Self.maximumLength else {
                throw problem(path, "is longer than 64 KiB, the limit for a secret; name another file")
            }
            let length = Self.lengthWithoutLineEnd(buffer[..<count])
            guard length > 0 else { throw problem(path, "is empty; write the secret into it as its only line") }
            return SSHSecret(bytes: buffer[..<length])
        }
    }

    /// The length without one LF or CR LF at the end.
    static func lengthWithoutLineEnd(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        var rest = bytes[...]
        if rest.last == UInt8(ascii: "\n") {
            rest.removeLast()
            if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        }
        return rest.count
    }

    private func opened(_ path: String) throws -> Int32 {
        let file: (descriptor: Int32, status: stat)
        do throws(WholeFile.Failure) { file = try WholeFile.opened(path) } catch {
            guard error.errno == WholeFile.irregular else {
                throw problem(path, "cannot be opened: \(String(cString: strerror(error.errno)))")
            }
            throw problem(path, "is not a regular file; name one, or write <(…) in the shell, whose pipe is read to its end")
        }
        do { try check(file.status, path) } catch {
            close(file.descriptor)
            throw error
        }
        return file.descriptor
    }

    private func check(_ status: stat, _ path: String) throws {
        let kind = status.st_mode & S_IFMT
        guard kind != S_IFDIR else { throw problem(path, "is a directory; name a file") }
        // Other users cannot see a pipe, such as one from the shell's <(…).
        guard kind == S_IFREG else { return }
        guard status.st_mode & 0o077 == 0 else {
            throw problem(path, "can be read by other users; remove their access: `chmod 600 \(path.shellWord)`")
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
    /// Reads a secret from a file, or asks for it without an echo.
    ///
    /// - Parameters:
    ///   - path: a file with the secret; nil or `-` asks the person.
    ///   - option: the option's name for messages.
    /// - Throws: `UsageProblem`; `CancellationError`.
    static func secret(_ path: String?, prompt: String, option: String, mayAsk: Bool) async throws -> SSHSecret {
        guard let source = try SecretSource(path ?? "-", option: option, mayAsk: mayAsk) else {
            throw UsageProblem(field: option, problem: "no file with the secret was given")
        }
        if case .file(let path) = source.place { return try source.read(path) }
        guard let secret = try await QuestionerChoice.ofThisProcess.questioner?.ask(prompt, after: "", echo: false),
            !secret.isEmpty
        else { throw UsageProblem(field: option, problem: "nothing was typed") }
        return secret
    }
}

extension SudoOptions {
    private static let option = "--sudo-password-file"

    /// The password for all hosts of a fleet: read from a file, or asked for when the first host needs one; nil without sudo.
    /// Many hosts need none (NOPASSWD, sudoers(5)).
    ///
    /// - Throws: `UsageProblem`, `CancellationError`.
    package func password(mayAsk: Bool) async throws -> SudoPassword? {
        if let sudoPasswordFile {
            return SudoPassword(
                try await SecretSource.secret(sudoPasswordFile, prompt: Self.prompt, option: Self.option, mayAsk: mayAsk))
        }
        guard sudo else { return nil }
        guard mayAsk else { return SudoPassword(asking: nil) }
        return SudoPassword(asking: {
            try await SecretSource.secret("-", prompt: Self.prompt, option: Self.option, mayAsk: true)
        })
    }

    private static let prompt = "Password for sudo, on all hosts: "

    /// The password for one host: read from its file at once, or asked for when the host needs it; nil without sudo.
    ///
    /// - Parameter person: asks the person; nil if no person can be asked.
    /// - Throws: `UsageProblem`.
    func password(for host: String, asking person: (any Questioner)?) throws -> SudoPassword? {
        guard isAskedFor else { return nil }
        let source = try SecretSource(sudoPasswordFile, option: Self.option, mayAsk: person != nil)
        if let source, case .file(let path) = source.place { return SudoPassword(try source.read(path)) }
        guard let person else { return SudoPassword(asking: nil) }
        return SudoPassword(asking: { try await person.ask("Password for sudo on \(host): ", after: "", echo: false) })
    }
}
