internal import Synchronization

/// Copies one file between any two sides. It gets a temporary name, and its final name when it is complete. It is written in
/// place if that was requested or nothing else is possible.
struct FileCopy: Sendable {
    let tally: CopyTally
    let budget: ByteBudget
    /// Whether an existing file is overwritten in place; nil to follow the options.
    var isInPlace: Bool?
    let from: any SourcePlace
    let to: any TargetPlace

    private var options: SFTPCopyOptions { tally.options }

    func run() async throws {
        tally.began(from.path)
        // A file that was changed or removed there since is copied again.
        if let size = options.finished?.size(of: from.path), try await to.fileSize() == size {
            tally.resumed(size)
            return tally.completed()
        }
        do {
            try await copy(isInPlace: isInPlace ?? options.writesInPlace)
        } catch let refusal as DirectoryRefusal {
            guard try await to.hasFile() else { throw refusal.error }
            do {
                let path = try await copy(isInPlace: true)
                tally.notice("\(path) was written in place: its directory does not let this user replace it.")
            } catch SSHError.sftpPermissionDenied, SSHError.sftpLocalPermissionDenied {
                throw refusal.error
            }
        }
        tally.completed()
    }

    /// - Returns: the target's path.
    @discardableResult
    private func copy(isInPlace: Bool) async throws -> String {
        let source = try await from.open()
        do {
            let target = try await to.open(for: source, isInPlace: isInPlace, tally)
            do {
                try await fill(target, from: source)
                try await source.close()
                if options.verifiesChecksums { try await verify(target, source) }
                try await target.publish(tally)
            } catch {
                await target.abandon()
                if isInPlace {
                    tally.notice("\(target.path) was being written in place, and may not be complete now.")
                } else if !options.resumes || error is DirectoryRefusal, await target.remove() {
                    tally.endedPartial(target.temporary)
                }
                throw error
            }
            tally.endedPartial(target.temporary)
            options.finished?.add(from.path, size: source.size)
            return target.path
        } catch {
            await source.abandon()
            throw error
        }
    }

    // MARK: Content

    private func fill(_ target: any FileTarget, from source: any FileSource) async throws {
        let part = tally.rate.part(min(source.part, target.part, options.memory ?? Int.max))
        let resumes = options.resumes && !target.isInPlace
        let end: UInt64
        if source.isUnsized {
            // Whether an earlier partial copy has the same content is unknown.
            if resumes { try await target.truncate(to: 0) }
            end = try await fillToEnd(target, from: source, part)
        } else if source.size <= UInt64(part), !resumes, !target.isInPlace {
            if try await fillAtOnce(target, from: source) { return }
            end = source.size
        } else {
            let start = resumes ? try await resumption(of: target, from: source, part) : 0
            end = try await fillParts(start..<source.size, part, target, from: source)
        }
        // Extend over zeros that were left out at the end, or cut off remains of the old content.
        if target.isInPlace || options.isSparse || end < source.size { try await target.truncate(to: end) }
        try await target.close(setting: finalAttributes(of: source))
    }

    /// Copies a small file in one go.
    ///
    /// - Returns: whether the target is already closed.
    private func fillAtOnce(_ target: any FileTarget, from source: any FileSource) async throws -> Bool {
        let size = source.size
        let bytes = try await budget.lending(Int(size)) {
            try await tally.rate.wait(for: Int(size))
            let bytes = size == 0 ? FileBytes() : try await source.readWhole(size)
            guard bytes.count == size else { return bytes }
            try await target.writeWhole(bytes, setting: finalAttributes(of: source))
            tally.noteMoved(bytes.count)
            return bytes
        }
        if bytes.count == size { return true }
        try await source.reopen()
        if bytes.count > 0 {
            try await target.write(bytes, at: 0)
            tally.noteMoved(bytes.count)
        }
        let end = try await fillParts(UInt64(bytes.count)..<size, Int(size), target, from: source)
        if end < size { try await target.truncate(to: end) }
        try await target.close(setting: finalAttributes(of: source))
        return true
    }

    /// The offset at which a resumed copy continues.
    private func resumption(of target: any FileTarget, from source: any FileSource, _ part: Int) async throws -> UInt64 {
        let found = try await target.size()
        let start = PartialName.resumption(found: found, size: source.size, window: options.window, part: part)
        if found > source.size { try await target.truncate(to: 0) }
        if start > 0 { tally.resumed(start) }
        return start
    }

    /// - Returns: the end of the content.
    private func fillParts(
        _ range: Range<UInt64>, _ part: Int, _ target: any FileTarget, from source: any FileSource
    ) async throws -> UInt64 {
        let end = Mutex(range.upperBound)
        let leavesHoles = options.isSparse && !target.isInPlace
        var window = TransferWindow(range, part: part, limit: options.window)
        try await window.run(reach: { options.reach(budget) }) { range in
            try await budget.lending(range.count) {
                try await tally.rate.wait(for: range.count)
                let bytes = try await source.read(range)
                if bytes.count == 0 {
                    guard try await source.hasFalseSize(source.size) else { throw await source.shortened() }
                    end.withLock { $0 = min($0, range.lowerBound) }
                    return range.count
                }
                if !leavesHoles || !bytes.isZero { try await target.write(bytes, at: range.lowerBound) }
                tally.noteMoved(bytes.count)
                return bytes.count
            }
        }
        return end.withLock { $0 }
    }

    /// - Returns: the end of the content.
    private func fillToEnd(_ target: any FileTarget, from source: any FileSource, _ part: Int) async throws -> UInt64 {
        let part = UInt64(min(part, 1 << 18))
        var offset: UInt64 = 0
        while true {
            try await tally.rate.wait(for: Int(part))
            let bytes = try await source.read(offset..<offset + part)
            if bytes.count == 0 { return offset }
            try await target.write(bytes, at: offset)
            tally.noteMoved(bytes.count)
            offset += UInt64(bytes.count)
        }
    }

    private func finalAttributes(of source: any FileSource) -> SFTPAttributes? {
        guard options.preservesAttributes else { return nil }
        var attributes = SFTPAttributes()
        // The set-id bits of a server's file are not copied.
        attributes.mode = source.attributes.permissions.map { $0 & (source.side == .remote ? 0o777 : 0o7777) }
        attributes.times = source.attributes.times
        return attributes
    }

    // MARK: Verification

    /// - Throws: `ssh.sftp.checksum-mismatch`; the connection's failures.
    private func verify(_ target: any FileTarget, _ source: any FileSource) async throws {
        let path = source.side == .remote ? source.path : target.path
        // Ask the server first: without its sum the local one is useless.
        let first = target.side == .remote ? try await target.checksum(of: source.size) : try await source.checksum()
        guard case .sum(let one) = first else {
            if case .unavailable(let reason) = first { tally.unverified("\(path) is not verified: \(reason).") }
            return
        }
        let second = target.side == .remote ? try await source.checksum() : try await target.checksum(of: source.size)
        guard case .sum(let other) = second else {
            if case .unavailable(let reason) = second { tally.unverified("\(path) is not verified: \(reason).") }
            return
        }
        if one == other { return tally.note { $0.verifiedFiles += 1 } }
        let places = source.side == target.side ? ("at the source", "in the copy") : ("here", "there")
        throw await target.client.error(
            SSHFileProblem(
                .checksumMismatch, .remote, operation: "verify", path: path,
                detail: "\(other) \(places.0), \(one) \(places.1)"))
    }
}

extension TransferWindow {
    /// Moves everything, as many parts at once as the window allows.
    ///
    /// - Parameters:
    ///   - reach: the current ``limit``.
    ///   - move: moves the beginning of a range, and returns the number of bytes moved.
    mutating func run(
        reach: () -> Int, _ move: @escaping @Sendable (Range<UInt64>) async throws -> Int
    ) async throws {
        // The group holds the parts under way. A failure cancels them, and leaves `contiguous` unchanged.
        try await withThrowingTaskGroup(of: (Range<UInt64>, Int).self) { group in
            while true {
                limit = reach()
                while let range = next() { group.addTask { (range, try await move(range)) } }
                guard let (range, count) = try await group.next() else { return }
                finished(range, count: count)
            }
        }
    }
}
