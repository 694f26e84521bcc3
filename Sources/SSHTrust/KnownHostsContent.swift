internal import Synchronization

/// The content of one known_hosts file. Only the lines that may be about a host are read, when it is looked up.
///
/// Connections share it: see ``KnownHostsReader``.
final class KnownHostsContent: Sendable {
    /// The part of it that has been read so far.
    private struct Cache {
        var all: (entries: [SSHKnownHostsEntry], skippedLines: [SSHKnownHostsLocation])?
        var hashedNames: [(line: Int, name: HashedHostName)]?
        /// The lines with hashed names of the hosts that were looked up: each look-up takes an HMAC for every line.
        var hashedLines: [KnownHostName: [Int]] = [:]
        /// The results for the hosts that were looked up; a connection looks up its host twice.
        var entries: [KnownHostName: [SSHKnownHostsEntry]] = [:]
        /// The lines that are looked at for every host: with many hosts each would be parsed as many times.
        var general: [Int: KnownHostsLine] = [:]
    }

    private let bytes: [UInt8]
    private let file: String
    private let index: KnownHostsIndex
    private let cache = Mutex(Cache())
    /// How many hosts' look-ups are kept, and how many lines.
    private static let maximumKept = 512
    /// In a file of at least this size, reading all lines takes milliseconds.
    private static let large = 1000

    init(_ contents: [UInt8], file: String) {
        bytes = contents
        self.file = file
        index = KnownHostsIndex(contents)
    }

    /// The lines that were understood.
    var entries: [SSHKnownHostsEntry] { all.entries }
    /// The lines that could not be understood.
    var skippedLines: [SSHKnownHostsLocation] { all.skippedLines }

    /// Whether a look-up may take long.
    var isSlow: Bool {
        index.hashed.count >= 100 || index.lines.count >= Self.large && cache.withLock { $0.all == nil }
    }

    /// The lines that are about a host.
    func entries(for name: KnownHostName) -> [SSHKnownHostsEntry] {
        if let known = cache.withLock({ $0.entries[name] }) { return known }
        let found = readEntries(for: name)
        cache.withLock { read in
            if read.entries.count >= Self.maximumKept { read.entries = [:] }
            read.entries[name] = found
        }
        return found
    }

    private func readEntries(for name: KnownHostName) -> [SSHKnownHostsEntry] {
        var lines = index.lines(for: name)
        if !index.hashed.isEmpty { lines = (lines + hashedLines(for: name)).sorted() }
        return lines.compactMap { line in
            guard case .entry(let entry) = parsed(line), entry.matches(name) else { return nil }
            return entry
        }
    }

    /// A line that is not of one host alone stays parsed.
    private func parsed(_ number: Int) -> KnownHostsLine {
        guard index.isGeneral(number) else { return line(number) }
        if let known = cache.withLock({ $0.general[number] }) { return known }
        let line = line(number)
        cache.withLock { if $0.general.count < Self.maximumKept { $0.general[number] = line } }
        return line
    }

    /// Whether a line's name is hashed.
    func isHashed(_ location: SSHKnownHostsLocation) -> Bool {
        location.file == file && index.hashed.contains(location.line - 1)
    }

    private func line(_ number: Int) -> KnownHostsLine {
        KnownHostsLine(bytes[index.lines[number]], at: SSHKnownHostsLocation(file: file, line: number + 1))
    }

    private func hashedLines(for name: KnownHostName) -> [Int] {
        cache.withLock { read in
            if let known = read.hashedLines[name] { return known }
            let names = read.hashedNames ?? hashedNames()
            read.hashedNames = names
            let found = names.filter { $0.name.matches(name) }.map(\.line)
            if read.hashedLines.count >= Self.maximumKept { read.hashedLines = [:] }
            read.hashedLines[name] = found
            return found
        }
    }

    private func hashedNames() -> [(line: Int, name: HashedHostName)] {
        index.hashed.compactMap { number in
            guard case .heading(let heading) = KnownHostsHeading.read(bytes[index.lines[number]]),
                case .hashed(let name) = heading.names
            else { return nil }
            return (number, name)
        }
    }

    private var all: (entries: [SSHKnownHostsEntry], skippedLines: [SSHKnownHostsLocation]) {
        cache.withLock { read in
            if let all = read.all { return all }
            var all: (entries: [SSHKnownHostsEntry], skippedLines: [SSHKnownHostsLocation]) = ([], [])
            for number in index.lines.indices {
                switch line(number) {
                case .blank: break
                case .entry(let entry): all.entries.append(entry)
                case .broken: all.skippedLines.append(SSHKnownHostsLocation(file: file, line: number + 1))
                }
            }
            read.all = all
            return all
        }
    }
}

/// Reads known_hosts files, each once as long as it does not change: successive connections share the result.
final class KnownHostsReader: Sendable {
    static let shared = KnownHostsReader()

    /// How many files' contents are kept when no connection uses them.
    private static let maximumKept = 4

    private let reading: SharedFileCache<KnownHostsContent>
    /// The last one read at the end.
    private let kept = Mutex<[KnownHostsContent]>([])

    init(_ reading: SharedFileCache<KnownHostsContent> = SharedFileCache()) { self.reading = reading }

    func content(of path: String) throws(SSHKnownHostsProblem) -> KnownHostsContent {
        let content = try reading.content(of: path) { () throws(SSHKnownHostsProblem) in
            KnownHostsContent(try KnownHostsIO.read(path: path), file: path)
        }
        kept.withLock { kept in
            guard kept.last !== content else { return }
            kept.removeAll { $0 === content }
            kept.append(content)
            if kept.count > Self.maximumKept { kept.removeFirst() }
        }
        return content
    }
}

/// The parsed form of one known_hosts line: `[@marker] names type key [comment]` (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
enum KnownHostsLine: Hashable {
    case blank
    case entry(SSHKnownHostsEntry)
    /// Not parsable, and so without effect, as in OpenSSH.
    case broken

    /// Reads one line, given without its line feed.
    init(_ line: ArraySlice<UInt8>, at location: SSHKnownHostsLocation) {
        switch KnownHostsHeading.read(line) {
        case .broken: self = .broken
        case .blank: self = .blank
        case .heading(let heading):
            var rest = heading.rest
            guard let key = Self.key(type: rest.takeField(), base64: rest.takeField()) else {
                self = .broken
                return
            }
            self = .entry(
                SSHKnownHostsEntry(
                    marker: heading.marker, names: heading.names, key: key, comment: String(decoding: rest, as: UTF8.self),
                    location: location))
        }
    }

    private static func key(type: ArraySlice<UInt8>, base64: ArraySlice<UInt8>) -> SSHHostKey? {
        // White space that is not a separator does not matter inside base64.
        let digits = base64.contains(where: \.isOddSpace) ? base64.filter { !$0.isOddSpace }[...] : base64
        // A damaged key must make the line a broken one, not another key of the host.
        guard let blob = Base64.decode(digits), let key = try? SSHPublicKey(blob: blob), type.elementsEqual(key.algorithm.utf8)
        else { return nil }
        return SSHHostKey(key)
    }
}

/// The lines of a known_hosts file with their ends, so that unchanged lines stay the same byte for byte.
struct KnownHostsText {
    private(set) var lines: [ArraySlice<UInt8>] = []

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
            lines.append(rest[..<end])
            rest = rest[end...]
        }
    }

    var bytes: [UInt8] { Array(lines.joined()) }

    /// Adds a line, given without its terminator, and returns its line number.
    mutating func append(_ line: String) -> Int {
        if let last = lines.last, last.last != UInt8(ascii: "\n") {
            lines[lines.count - 1] = last + [UInt8(ascii: "\n")]
        }
        lines.append(ArraySlice(Array((line + "\n").utf8)))
        return lines.count
    }

    /// Replaces each line by the lines that `change` returns, which may be none.
    ///
    /// - Parameter change: is given a line without its line feed, and its number from 1; nil leaves it as it is.
    mutating func replaceLines<Problem>(
        _ change: (ArraySlice<UInt8>, Int) throws(Problem) -> [[UInt8]]?
    ) throws(Problem) {
        var result: [ArraySlice<UInt8>] = []
        for (index, line) in lines.enumerated() {
            let isEnded = line.last == UInt8(ascii: "\n")
            guard let replacement = try change(isEnded ? line.dropLast() : line, index + 1) else {
                result.append(line)
                continue
            }
            for (place, new) in replacement.enumerated() {
                let isLast = place == replacement.count - 1
                result.append(ArraySlice(isEnded || !isLast ? new + [UInt8(ascii: "\n")] : new))
            }
        }
        lines = result
    }
}

/// The beginning of a known_hosts line: its marker and its hosts. OpenSSH's tools look at no more when they remove or hash
/// lines; the key may be damaged.
struct KnownHostsHeading {
    /// The meaning of a line.
    enum Reading {
        /// An empty line, or a comment.
        case blank
        case broken
        case heading(KnownHostsHeading)
    }

    let marker: SSHKnownHostMarker
    let names: SSHKnownHostsEntry.Names
    /// The names as written, a part of the line.
    let field: ArraySlice<UInt8>
    /// The part of the line from the key's type to the end, including the comment.
    let rest: ArraySlice<UInt8>

    /// A pattern of this many bytes makes OpenSSH ignore its line.
    private static let maximumPatternLength = 1022

    /// Reads one line, given without its line feed.
    static func read(_ line: ArraySlice<UInt8>) -> Reading {
        var rest = line.prefix { $0 != 0 }
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        rest = rest.drop(while: \.isBlank)
        guard let first = rest.first, first != UInt8(ascii: "#") else { return .blank }
        var marker = SSHKnownHostMarker.trusted
        if first == UInt8(ascii: "@") {
            guard let read = Self.marker(rest.takeField()) else { return .broken }
            marker = read
        }
        let field = rest.takeField()
        guard let names = Self.names(field) else { return .broken }
        return .heading(KnownHostsHeading(marker: marker, names: names, field: field, rest: rest))
    }

    private static func marker(_ field: ArraySlice<UInt8>) -> SSHKnownHostMarker? {
        switch String(decoding: field, as: UTF8.self) {
        case "@revoked": .revoked
        case "@cert-authority": .certificateAuthority
        default: nil
        }
    }

    private static func names(_ field: ArraySlice<UInt8>) -> SSHKnownHostsEntry.Names? {
        // A second marker is an error, not a host (sshd(8): only one may be used).
        guard let first = field.first, first != UInt8(ascii: "@") else { return nil }
        if first == UInt8(ascii: "|") { return HashedHostName(field: field).map { .hashed($0) } }
        let patterns = field.split(separator: UInt8(ascii: ",")).map(HostPattern.init)
        guard patterns.allSatisfy({ $0.bytes.count <= maximumPatternLength }) else { return nil }
        return .patterns(patterns, text: String(decoding: field, as: UTF8.self))
    }
}

extension ArraySlice<UInt8> {
    /// Takes the field up to the next space or tab off the front, and the blanks after it.
    mutating func takeField() -> ArraySlice<UInt8> {
        let field = prefix { !$0.isBlank }
        self = dropFirst(field.count).drop(while: \.isBlank)
        return field
    }
}

extension UInt8 {
    var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
    /// Carriage return, vertical tab, form feed.
    var isOddSpace: Bool { (0x0B...0x0D).contains(self) }
}
