/// Copies a file to a target that is written in order and never replaced: a pipe, a device, standard output.
struct StreamCopy: Sendable {
    let tally: CopyTally
    let from: any SourcePlace
    let to: any StreamPlace

    func run() async throws {
        tally.began(from.path)
        let source = try await from.open()
        do {
            let stream = try await to.open()
            do {
                try await pass(source, to: stream)
                try await stream.close()
            } catch {
                await stream.abandon()
                throw error
            }
            try await source.close()
        } catch {
            await source.abandon()
            throw error
        }
        if tally.options.verifiesChecksums {
            tally.unverified("\(to.path) is not verified: it is a stream, which cannot be read again.")
        }
        tally.completed()
    }

    private func pass(_ source: any FileSource, to stream: any ByteStream) async throws {
        let memory = tally.options.memory ?? Int.max
        let part = tally.rate.part(min(source.part, stream.part, memory))
        // The end of a file without a size is unknown, and each part may be the last.
        let window = source.isUnsized ? 1 : min(tally.options.window, memory)
        let content = ReadAhead(source, 0..<(source.isUnsized ? UInt64.max : source.size), part: part, window: window)
        var count: UInt64 = 0
        while let bytes = try await content.next() {
            try await tally.rate.wait(for: bytes.count)
            try await stream.write(bytes, at: count)
            tally.noteMoved(bytes.count)
            count += UInt64(bytes.count)
        }
        guard source.isUnsized || count == source.size else {
            if try await source.hasFalseSize(source.size) { return }
            throw await source.shortened()
        }
    }
}

/// A pipe, a device or standard output, before it is opened.
protocol StreamPlace: Sendable {
    var path: String { get }
    func open() async throws -> any ByteStream
}

/// An open pipe, device or standard output.
protocol ByteStream: Sendable {
    /// The most bytes of one call.
    var part: Int { get }
    /// - Parameter offset: the number of bytes written before.
    func write(_ bytes: FileBytes, at offset: UInt64) async throws
    func close() async throws
    /// Closes it after a failure. A further failure is ignored.
    func abandon() async
}

/// A local stream target.
struct LocalStreamPlace: StreamPlace {
    let client: SFTPClient
    let path: String

    /// Waits for a named pipe's reader, as every program does that writes to one.
    func open() async throws -> any ByteStream {
        while true {
            let stream = try await client.onDisk { [path] in
                do throws(LocalFault) {
                    return try LocalStream(path) as LocalStream?
                } catch {
                    guard error.lacksReader, (try? LocalPath.status(path))?.isPipe == true else { throw error }
                    return nil
                }
            }
            if let stream { return OpenLocalStream(client: client, stream: stream) }
            try await Task.sleep(for: .milliseconds(50))
        }
    }
}

private struct OpenLocalStream: ByteStream {
    let client: SFTPClient
    let stream: LocalStream

    var part: Int { Int.max }

    /// Writes in calls that return soon, so that a stopped reader does not delay a cancellation.
    func write(_ bytes: FileBytes, at offset: UInt64) async throws {
        var done = 0
        while done < bytes.count {
            try Task.checkCancellation()
            done += try await client.onDisk { [done] in
                var start = done
                repeat {
                    let count = try stream.write(bytes, from: start)
                    if count == 0 { break }
                    start += count
                } while start < bytes.count
                return start - done
            }
        }
    }

    func close() {}
    func abandon() {}
}

/// A stream target on a server.
struct RemoteStreamPlace: StreamPlace {
    let client: SFTPClient
    let path: String

    func open() async throws -> any ByteStream {
        // OpenSSH's server seeks before each write that does not append, which a pipe does not allow.
        let bytes = try await client.handle(.open(path, [.write, .append]))
        return OpenRemoteStream(client: client, handle: RemoteHandle(client, bytes, path: path))
    }
}

private struct OpenRemoteStream: ByteStream {
    let client: SFTPClient
    let handle: RemoteHandle

    var part: Int { client.limits.write }

    func write(_ bytes: FileBytes, at offset: UInt64) async throws {
        try await client.done(.write(handle.bytes, at: offset, bytes, path: handle.path))
    }

    func close() async throws { try await handle.close() }
    func abandon() async { await handle.abandon() }
}
