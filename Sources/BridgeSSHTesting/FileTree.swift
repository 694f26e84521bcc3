internal import BridgeSSH

/// Files, directories and symbolic links in memory, as a POSIX file system has them. Pure: its time does not advance.
struct FileTree {
    /// The entry at a path. By number, because an open file stays the same when another file gets its name.
    private struct Node {
        enum Content {
            case file([UInt8])
            case directory
            case link(String)
        }
        var content: Content
        var permissions: UInt32
        var times = SFTPAttributes.Times(access: 0, modification: 0)
    }

    /// An open file.
    struct OpenFile {
        fileprivate let number: Int
        fileprivate let flags: SFTPRequest.OpenFlags
    }

    enum Handle {
        case file(OpenFile)
        case directory(ArraySlice<SFTPName>)
    }

    private static let maximumLinks = 40

    private var numbers = ["/": 0]
    private var nodes = [0: Node(content: .directory, permissions: 0o755)]
    private var nextNumber = 1
    private var denied: Set<String> = []
    var isFull = false

    // MARK: For the test

    mutating func deny(_ path: String) { denied.insert(Self.normal(path)) }

    var files: [String] {
        numbers.filter { if case .file? = nodes[$0.value]?.content { true } else { false } }.map(\.key).sorted()
    }

    func content(of path: String) -> [UInt8]? {
        guard let resolved = try? resolve(path, following: true), case .file(let bytes)? = node(at: resolved)?.content else {
            return nil
        }
        return bytes
    }

    mutating func put(_ bytes: [UInt8]?, at path: String) {
        let path = Self.normal(path)
        guard let bytes else { return numbers[path] = nil }
        let parts = path.split(separator: "/").dropLast()
        var directory = ""
        for part in parts {
            directory += "/\(part)"
            if numbers[directory] == nil { add(Node(content: .directory, permissions: 0o755), at: directory) }
        }
        add(Node(content: .file(bytes), permissions: 0o644), at: path)
    }

    // MARK: Paths

    /// An absolute path without `.`, `..` and empty parts.
    static func normal(_ path: String) -> String {
        var parts: [Substring] = []
        for part in path.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        return "/" + parts.joined(separator: "/")
    }

    private static func parent(of path: String) -> String { normal(path + "/..") }

    /// - Throws: `SFTPRefusal` for a path that the test has denied.
    func check(_ path: String) throws(SFTPRefusal) {
        if denied.contains(Self.normal(path)) { throw SFTPRefusal(SFTPStatus.permissionDenied, "Permission denied") }
    }

    private func node(at path: String) -> Node? { numbers[path].flatMap { nodes[$0] } }

    /// The path without symbolic links in the directories above it and, with `following`, in itself.
    private func resolve(_ path: String, following: Bool) throws(SFTPRefusal) -> String {
        var rest = Self.normal(path).split(separator: "/").map(String.init)
        var resolved = ""
        var links = 0
        while !rest.isEmpty {
            let next = resolved + "/" + rest.removeFirst()
            if case .link(let target)? = node(at: next)?.content, following || !rest.isEmpty {
                links += 1
                guard links <= Self.maximumLinks else { throw SFTPRefusal(SFTPStatus.failure, "too many symbolic links") }
                let whole = target.hasPrefix("/") ? target : resolved + "/" + target
                rest = Self.normal(whole).split(separator: "/").map(String.init) + rest
                resolved = ""
            } else {
                resolved = next
            }
        }
        return resolved.isEmpty ? "/" : resolved
    }

    private static let missing = SFTPRefusal(SFTPStatus.noSuchFile, "No such file")
    private static func failure(_ message: String) -> SFTPRefusal { SFTPRefusal(SFTPStatus.failure, message) }

    private func existing(_ path: String, following: Bool) throws(SFTPRefusal) -> (path: String, number: Int, node: Node) {
        let path = try resolve(path, following: following)
        guard let number = numbers[path], let node = nodes[number] else { throw Self.missing }
        return (path, number, node)
    }

    /// A place for a new entry.
    private func unusedPath(_ path: String) throws(SFTPRefusal) -> String {
        let path = try resolve(path, following: false)
        guard node(at: path) == nil else { throw Self.failure("Failure") }
        try checkParent(of: path)
        return path
    }

    private func checkParent(of path: String) throws(SFTPRefusal) {
        guard case .directory? = node(at: Self.parent(of: path))?.content else { throw Self.missing }
    }

    private mutating func add(_ node: Node, at path: String) {
        numbers[path] = nextNumber
        nodes[nextNumber] = node
        nextNumber += 1
    }

    private func children(of path: String) -> [String] {
        let prefix = path == "/" ? "/" : path + "/"
        return numbers.keys.filter { $0.hasPrefix(prefix) && $0 != path && !$0.dropFirst(prefix.count).contains("/") }.sorted()
    }

    // MARK: Requests

    func attributes(of path: String, following: Bool) throws(SFTPRefusal) -> SFTPAttributes {
        Self.attributes(of: try existing(path, following: following).node)
    }

    func attributes(of file: OpenFile) throws(SFTPRefusal) -> SFTPAttributes {
        guard let node = nodes[file.number] else { throw Self.missing }
        return Self.attributes(of: node)
    }

    private static func attributes(of node: Node) -> SFTPAttributes {
        var attributes = SFTPAttributes()
        switch node.content {
        case .file(let bytes): (attributes.mode, attributes.size) = (0o100000 | node.permissions, UInt64(bytes.count))
        case .directory: (attributes.mode, attributes.size) = (0o040000 | node.permissions, 0)
        case .link(let target): (attributes.mode, attributes.size) = (0o120777, UInt64(target.utf8.count))
        }
        attributes.owner = SFTPAttributes.Owner(user: 1000, group: 1000)
        attributes.times = node.times
        return attributes
    }

    mutating func set(_ attributes: SFTPAttributes, of path: String) throws(SFTPRefusal) {
        try set(attributes, ofNode: try existing(path, following: true).number)
    }

    mutating func set(_ attributes: SFTPAttributes, of file: OpenFile) throws(SFTPRefusal) {
        try set(attributes, ofNode: file.number)
    }

    private mutating func set(_ attributes: SFTPAttributes, ofNode number: Int) throws(SFTPRefusal) {
        guard var node = nodes[number] else { throw Self.missing }
        if let mode = attributes.permissions { node.permissions = mode }
        if let times = attributes.times { node.times = times }
        if let size = attributes.size, case .file(let bytes) = node.content {
            guard size <= UInt64(bytes.count) || !isFull && size <= UInt64(Self.maximumLength) else {
                throw Self.failure("Failure")
            }
            let missing = max(0, Int(size) - bytes.count)
            node.content = .file(Array(bytes.prefix(Int(size))) + [UInt8](repeating: 0, count: missing))
        }
        nodes[number] = node
    }

    func target(of path: String) throws(SFTPRefusal) -> String {
        guard case .link(let target) = try existing(path, following: false).node.content else { throw Self.failure("no link") }
        return target
    }

    mutating func makeDirectory(_ path: String, _ attributes: SFTPAttributes) throws(SFTPRefusal) {
        add(Node(content: .directory, permissions: attributes.permissions ?? 0o755), at: try unusedPath(path))
    }

    mutating func makeLink(_ path: String, to target: String) throws(SFTPRefusal) {
        add(Node(content: .link(target), permissions: 0o777), at: try unusedPath(path))
    }

    mutating func remove(_ path: String, directory: Bool) throws(SFTPRefusal) {
        let found = try existing(path, following: false)
        if case .directory = found.node.content {
            guard directory, children(of: found.path).isEmpty, found.path != "/" else { throw Self.failure("Failure") }
        } else if directory {
            throw Self.failure("not a directory")
        }
        numbers[found.path] = nil
    }

    mutating func rename(_ path: String, to target: String, replaces: Bool) throws(SFTPRefusal) {
        let old = try existing(path, following: false)
        let new = try resolve(target, following: false)
        try checkParent(of: new)
        guard new != old.path else { return }
        if let there = node(at: new) {
            guard replaces else { throw Self.failure("Failure") }
            let areBothDirectories =
                if case (.directory, .directory) = (there.content, old.node.content) { children(of: new).isEmpty } else { false }
            let areBothNone =
                switch (there.content, old.node.content) {
                case (.directory, _), (_, .directory): false
                default: true
                }
            guard areBothDirectories || areBothNone else { throw Self.failure("Failure") }
        }
        guard !new.hasPrefix(old.path + "/") else { throw Self.failure("Failure") }
        numbers[new] = old.number
        numbers[old.path] = nil
        let prefix = old.path + "/"
        for (child, number) in numbers where child.hasPrefix(prefix) {
            numbers[child] = nil
            numbers[new + "/" + child.dropFirst(prefix.count)] = number
        }
    }

    mutating func open(
        _ path: String, _ flags: SFTPRequest.OpenFlags, _ attributes: SFTPAttributes
    ) throws(SFTPRefusal) -> Handle {
        let resolved = try resolve(path, following: true)
        if let number = numbers[resolved], let node = nodes[number] {
            guard !flags.contains(.exclusive) else { throw Self.failure("Failure") }
            if case .directory = node.content {
                // Like open(2) at a server: the entry can be opened, but not read.
                guard !flags.contains(.write) else { throw Self.failure("Failure") }
                return .file(OpenFile(number: number, flags: flags))
            }
            if flags.contains(.truncate) { nodes[number]?.content = .file([]) }
            return .file(OpenFile(number: number, flags: flags))
        }
        guard flags.contains(.create) else { throw Self.missing }
        try checkParent(of: resolved)
        guard !isFull else { throw Self.failure("Failure") }
        add(Node(content: .file([]), permissions: attributes.permissions ?? 0o644), at: resolved)
        return .file(OpenFile(number: nextNumber - 1, flags: flags))
    }

    func openDirectory(_ path: String) throws(SFTPRefusal) -> Handle {
        let found = try existing(path, following: true)
        guard case .directory = found.node.content else { throw Self.failure("not a directory") }
        let dots = [".", ".."].map { SFTPName(bytes: Array($0.utf8), attributes: Self.attributes(of: found.node)) }
        let entries = children(of: found.path).compactMap { child in
            node(at: child).map { node in
                let name = child.split(separator: "/").last.map(String.init) ?? ""
                return SFTPName(bytes: PathText.bytes(of: name), attributes: Self.attributes(of: node))
            }
        }
        return .directory((dots + entries)[...])
    }

    func read(_ file: OpenFile, _ offset: UInt64, _ count: Int) throws(SFTPRefusal) -> ArraySlice<UInt8> {
        guard file.flags.contains(.read), case .file(let bytes)? = nodes[file.number]?.content else {
            throw Self.failure("Failure")
        }
        guard offset < UInt64(bytes.count) else { throw SFTPRefusal(SFTPStatus.endOfFile, "") }
        return bytes[Int(offset)...].prefix(count)
    }

    mutating func write(_ file: OpenFile, _ offset: UInt64, _ data: [UInt8]) throws(SFTPRefusal) {
        guard file.flags.contains(.write), case .file(var bytes)? = nodes[file.number]?.content else { throw .badHandle }
        let start = file.flags.contains(.append) ? bytes.count : Int(clamping: offset)
        guard !isFull, start <= Self.maximumLength - data.count else { throw Self.failure("Failure") }
        let end = start + data.count
        if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
        bytes.replaceSubrange(start..<end, with: data)
        nodes[file.number]?.content = .file(bytes)
    }

    /// A file in memory is no longer than this.
    private static let maximumLength = 1 << 30
}
