/// An ordered set of hosts: each name once, in the order of the expression.
public struct HostSet: Sendable, Hashable {
    /// The hosts.
    public let hosts: [FleetHost]

    /// An empty set.
    public init() { hosts = [] }

    init(unique hosts: [FleetHost]) { self.hosts = hosts }

    /// The hosts of an expression: `web[01-20],@db!db7`.
    ///
    /// - Throws: ``HostSetProblem``. ``HostSources/resolve(_:)`` also returns notices.
    public init(_ expression: String, sources: HostSources = .none) throws {
        self = try sources.resolve(expression).hosts
    }

    /// Hosts in the given order. A repeated host counts once.
    ///
    /// - Throws: ``HostSetProblem`` if a host has two different ports or users, or if there are too many hosts.
    public init(_ hosts: some Sequence<FleetHost>) throws {
        var accumulator = HostAccumulator()
        accumulator.reserve(hosts.underestimatedCount)
        for host in hosts { try accumulator.add(host) }
        self.hosts = accumulator.hosts
    }

    /// The names, without users and ports.
    public var names: [String] { hosts.map(\.name) }

    /// One expression for all hosts: `r[1-4]n[01-16],web1`. It does not depend on the order of the hosts, and resolves to the
    /// same hosts.
    public var folded: String {
        hosts.count == 1 ? hosts[0].description : NameFolder(hosts.map(\.description)).folded()
    }
}

extension HostSet: RandomAccessCollection {
    /// The index of the first host.
    public var startIndex: Int { 0 }
    /// The index after the last host.
    public var endIndex: Int { hosts.count }
    /// The host at an index.
    public subscript(position: Int) -> FleetHost { hosts[position] }
}

extension HostSet: CustomStringConvertible {
    /// The folded expression.
    public var description: String { folded }
}

/// A list of hosts, one per line, as `--hosts-file` reads it.
public enum HostList {
    /// The most bytes in a line.
    private static let maximumLine = 16 << 20

    /// Parses a list. A line contains a host or an expression without groups; `#` starts a comment.
    ///
    /// - Throws: ``HostSetProblem`` with the line.
    public static func parse(_ text: String, file: String) throws -> HostSet {
        var hosts = HostAccumulator()
        var text = text
        hosts.reserve(text.withUTF8 { bytes in bytes.count { $0 == UInt8(ascii: "\n") } })
        for (index, line) in SourceLines(text).enumerated() {
            let content = String(decoding: SourceLines.trimmed(line.prefix { $0 != UInt8(ascii: "#") }), as: UTF8.self)
            if content.isEmpty { continue }
            do {
                if HostName.plain(content) != nil {
                    try hosts.add(FleetHost(name: content))
                    continue
                }
                if let host = host(content) {
                    try hosts.add(host)
                    continue
                }
                if line.count > maximumLine {
                    throw HostSetProblem(.malformed, "The line is longer than \(maximumLine >> 20) MiB.")
                }
                for host in try HostSet(String(content)) { try hosts.add(host) }
            } catch var problem as HostSetProblem {
                problem.location = .init(file: file, line: index + 1)
                throw problem
            }
        }
        return HostSet(unique: hosts.hosts)
    }

    /// A fast path for lines without ranges and operators; nil for all other lines, whose evaluation also reports any problem.
    private static func host(_ line: String) -> FleetHost? {
        let bytes = Array(line.utf8)
        let isName = bytes.allSatisfy { isLetter($0) || isDigit($0) || "-._@:%[]".utf8.contains($0) }
        guard isName, !bytes.contains(UInt8(ascii: "[")) || Evaluator.isBracketedAddress(bytes[...]) else { return nil }
        return try? FleetHost.parse(line)
    }

    /// Reads a list from a file.
    ///
    /// - Throws: ``HostSetProblem``.
    public static func load(_ file: String, files: any HostFiles = LocalFiles()) throws -> HostSet {
        try parse(try text(of: file, files: files), file: file)
    }

    /// Reads a list from standard input.
    ///
    /// - Throws: ``HostSetProblem``.
    public static func standardInput() throws -> HostSet {
        let name = "standard input"
        return try parse(SourceAccess.text(of: try LocalFiles.read(0, name), name), file: name)
    }

    private static func text(of file: String, files: any HostFiles) throws -> String {
        try SourceAccess(files: files, runner: nil).textIncludingPipes(at: file)
    }
}

/// Hosts in the order of arrival, each once. Hosts can be removed.
struct HostAccumulator {
    private var slots: [FleetHost?] = []
    private var places: [String: Int] = [:]

    var count: Int { places.count }
    var isEmpty: Bool { places.isEmpty }
    var hosts: [FleetHost] { slots.compactMap { $0 } }

    /// Reserves capacity for this many more hosts, up to the limit.
    mutating func reserve(_ capacity: Int) {
        let capacity = min(capacity, Int(NumberRange.maximumCount))
        // `reserveCapacity` reserves exactly the given capacity. Without doubling, many small reservations would copy the array
        // each time.
        if slots.count + capacity > slots.capacity { slots.reserveCapacity(max(slots.count + capacity, 2 * slots.capacity)) }
        places.reserveCapacity(places.count + capacity)
    }

    func contains(_ name: String) -> Bool { places[name] != nil }

    mutating func add(_ host: FleetHost) throws(HostSetProblem) {
        let place = Self.place(in: &places[host.name, default: slots.count])
        if place < slots.count {
            if let known = slots[place] { slots[place] = try known.merged(with: host) }
            return
        }
        if places.count > NumberRange.maximumCount {
            places[host.name] = nil
            throw HostSetProblem(
                .tooMany, "More than \(NumberRange.grouped(NumberRange.maximumCount)) hosts are named; no more are taken.")
        }
        slots.append(host)
    }

    /// The index of a name. Looks the name up only once, and adds it to the dictionary if it is missing.
    private static func place(in entry: inout Int) -> Int { entry }

    mutating func remove(_ name: String) {
        guard let place = places.removeValue(forKey: name) else { return }
        slots[place] = nil
    }

    /// Keeps only the hosts that the other set also has.
    mutating func keep(_ other: HostAccumulator) throws(HostSetProblem) {
        var kept = HostAccumulator()
        for host in hosts {
            guard let place = other.places[host.name], let twin = other.slots[place] else { continue }
            try kept.add(host.merged(with: twin))
        }
        self = kept
    }
}
