/// Finds the lines of a known_hosts file that may be about a host, without reading the others: most lines name few hosts, and
/// spell them whole.
struct KnownHostsIndex: Sendable {
    /// The range of each line, without its line feed.
    private(set) var lines: [Range<Int>] = []
    /// Lines that spell a name whole, by its hash.
    private var named: [UInt64: [Int]] = [:]
    /// Lines that have to be looked at for every name: with patterns, with a marker, or unusual.
    private var general: [Int] = []
    /// Lines with a hashed name.
    private(set) var hashed: [Int] = []

    init(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            var start = 0
            while start <= bytes.count {
                let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
                lines.append(start..<end)
                note(UnsafeBufferPointer(rebasing: bytes[start..<end]), lines.count - 1)
                start = end + 1
            }
        }
    }

    /// The lines that may be about a host, in order, except those with hashed names.
    func lines(for name: KnownHostName) -> [Int] {
        let exact = named[Self.hash(name.bytes)] ?? []
        return general.isEmpty ? exact : (exact + general).sorted()
    }

    /// Whether a line is looked at for every name.
    func isGeneral(_ line: Int) -> Bool {
        var (low, high) = (0, general.count)
        while low < high {
            let middle = (low + high) / 2
            if general[middle] < line { low = middle + 1 } else { high = middle }
        }
        return low < general.count && general[low] == line
    }

    private mutating func note(_ line: UnsafeBufferPointer<UInt8>, _ number: Int) {
        var place = line.startIndex
        while place < line.endIndex, line[place].isBlank { place += 1 }
        guard place < line.endIndex, line[place] != UInt8(ascii: "#") else { return }
        if line[place] == UInt8(ascii: "|") { return hashed.append(number) }
        var hashes: [UInt64] = []
        var hash = Self.seed
        var isEmpty = true
        func endName() {
            if !isEmpty { hashes.append(hash) }
            (hash, isEmpty) = (Self.seed, true)
        }
        scan: while place < line.endIndex {
            switch line[place] {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): break scan
            case UInt8(ascii: ","): endName()
            case UInt8(ascii: "*"), UInt8(ascii: "?"), UInt8(ascii: "!"), UInt8(ascii: "@"), 0, UInt8(ascii: "\r"):
                return general.append(number)
            case let byte:
                hash = Self.add(byte.lowercasedASCII, to: hash)
                isEmpty = false
            }
            place += 1
        }
        endName()
        for hash in hashes where named[hash]?.last != number { named[hash, default: []].append(number) }
    }

    // FNV-1a. A collision costs one look at a line.
    private static let seed: UInt64 = 0xCBF2_9CE4_8422_2325

    private static func add(_ byte: UInt8, to hash: UInt64) -> UInt64 { (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }

    private static func hash(_ bytes: [UInt8]) -> UInt64 { bytes.reduce(seed) { add($1, to: $0) } }
}

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The system calls for reading and writing a known_hosts file, each failure with its name and errno.
package enum KnownHostsIO {
    /// The whole file.
    static func read(path: String) throws(SSHKnownHostsProblem) -> [UInt8] {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(path)
        } catch {
            throw SSHKnownHostsProblem(code: .unreadable, path: path, operation: error.operation, errno: error.errno)
        }
    }

    /// The rest of an open file that will be changed.
    static func read(_ descriptor: Int32, path: String) throws(SSHKnownHostsProblem) -> [UInt8] {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(descriptor)
        } catch {
            throw SSHKnownHostsProblem(code: .unwritable, path: path, operation: error.operation, errno: error.errno)
        }
    }

    static func write(_ contents: some Collection<UInt8>, to descriptor: Int32, path: String) throws(SSHKnownHostsProblem) {
        var rest = Array(contents)[...]
        while !rest.isEmpty {
            let count = try call(.unwritable, "write", path) {
                rest.withUnsafeBytes { systemWrite(descriptor, $0.baseAddress, $0.count) }
            }
            rest = rest.dropFirst(count)
        }
    }

    static func status(of descriptor: Int32, path: String) throws(SSHKnownHostsProblem) -> stat {
        var status = stat()
        _ = try call(.unwritable, "fstat", path) { fstat(descriptor, &status) }
        return status
    }

    /// Whether the group or others may write a file, and so change which hosts its owner trusts; false if that is unknown.
    package static func isWritableByOthers(path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o022 != 0
    }

    /// Makes a system call, again if a signal interrupts it.
    @discardableResult
    static func call<Result: SignedInteger>(
        _ code: SSHKnownHostsProblem.Code, _ operation: String, _ path: String, _ body: () -> Result
    ) throws(SSHKnownHostsProblem) -> Result {
        do throws(WholeFile.Failure) {
            return try WholeFile.call(operation, body)
        } catch {
            throw SSHKnownHostsProblem(code: code, path: path, operation: operation, errno: error.errno)
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ buffer: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, buffer, count)
}
