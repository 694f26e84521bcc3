internal import CYaml

/// Parses YAML to values with their lines.
///
/// The values are built here from libyaml's events, and not by Yams, for three reasons. The values that aliases repeat are
/// counted before anything is repeated. A list or mapping as a key is refused before it is hashed. And Yams would spend most of
/// its time on what inventories do not need.
struct YAMLText {
    /// Maximum nesting depth. Deeper nesting is not a real inventory and would exhaust the stack.
    private static let maximumDepth = 64

    /// The most values that aliases may repeat.
    private static let maximumRepetition = 5_000_000

    /// A value that an alias can repeat, with the number of values in it.
    private struct AnchoredNode {
        var node: SourceNode
        var size: Int
    }

    private let events: YAMLEvents
    private let file: String
    private var depth = 0
    private var anchors: [String: AnchoredNode] = [:]
    /// The number of values parsed or repeated so far.
    private var count = 0
    private var repetition = 0

    private init(_ events: YAMLEvents, _ file: String) {
        self.events = events
        self.file = file
    }

    /// The document of a text; nil if the text is empty.
    static func load(_ text: String, file: String) throws(HostSetProblem) -> SourceNode? {
        var text = text
        let result = text.withUTF8 { bytes -> Result<SourceNode?, HostSetProblem> in
            var reader = YAMLText(YAMLEvents(bytes), file)
            do throws(HostSetProblem) { return .success(try reader.document()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    private func malformed(_ message: String, _ line: Int?, remedy: String? = nil) -> HostSetProblem {
        HostSetProblem(.malformed, message, location: .init(file: file, line: line), remedy: remedy)
    }

    private func next() throws(HostSetProblem) -> YAMLEvents.Event {
        do throws(YAMLEvents.Failure) { return try events.next() } catch {
            throw malformed("The file is not YAML: \(HostSetProblem.shown(error.reason)).", error.line)
        }
    }

    private mutating func document() throws(HostSetProblem) -> SourceNode? {
        guard case .documentStart = try next().kind else { return nil }
        let root = try node(try next())
        _ = try next()
        let rest = try next()
        guard case .end = rest.kind else {
            throw malformed(
                "A second document begins in the file.", rest.line, remedy: "Write each document into a file of its own.")
        }
        return root
    }

    private mutating func node(_ event: YAMLEvents.Event, isKey: Bool = false) throws(HostSetProblem) -> SourceNode {
        let before = count
        count += 1
        let node: SourceNode
        let properties: YAMLEvents.Properties
        switch event.kind {
        case .alias(let name): return try alias(name, event.line)
        case .scalar(let text, let isPlain, let its):
            properties = its
            node = SourceNode(try scalar(text, isPlain: isPlain, its.tag, event.line), line: event.line)
            if !isKey { try checkValue(node, text) }
        case .listStart(let its):
            properties = its
            let isOrdinary = try isUsual(its.tag, "seq", others: ["omap", "pairs"], event.line)
            let items = try list(event.line)
            node = SourceNode(isOrdinary ? .list(items) : .scalar(its.tag ?? "", .foreign), line: event.line)
        case .mappingStart(let its):
            properties = its
            let isOrdinary = try isUsual(its.tag, "map", others: ["set"], event.line)
            let pairs = try mapping(event.line)
            node = SourceNode(isOrdinary ? .mapping(pairs) : .scalar(its.tag ?? "", .foreign), line: event.line)
        default: throw malformed("The file is not YAML: a value is missing.", event.line)
        }
        if let anchor = properties.anchor {
            guard anchors.updateValue(AnchoredNode(node: node, size: count - before), forKey: anchor) == nil else {
                // PyYAML refuses it, although YAML itself would use the later one.
                throw malformed(
                    "The anchor &\(HostSetProblem.shown(anchor)) occurs twice in the file.", event.line,
                    remedy: "Rename one of the two.")
            }
        }
        return node
    }

    private mutating func alias(_ name: String, _ line: Int) throws(HostSetProblem) -> SourceNode {
        guard let anchored = anchors[name] else {
            throw malformed("The alias *\(HostSetProblem.shown(name)) comes before its anchor, or is inside it.", line)
        }
        count += anchored.size
        repetition += anchored.size
        if repetition > Self.maximumRepetition {
            throw malformed("The aliases repeat more than \(NumberRange.grouped(UInt128(Self.maximumRepetition))) values.", line)
        }
        return anchored.node
    }

    private mutating func descend(_ line: Int) throws(HostSetProblem) {
        depth += 1
        if depth > Self.maximumDepth {
            throw malformed("Values are nested more than \(Self.maximumDepth) deep.", line)
        }
    }

    private mutating func list(_ line: Int) throws(HostSetProblem) -> [SourceNode] {
        try descend(line)
        var items: [SourceNode] = []
        while true {
            let event = try next()
            if case .listEnd = event.kind { break }
            items.append(try node(event))
        }
        depth -= 1
        return items
    }

    private mutating func mapping(_ line: Int) throws(HostSetProblem) -> [SourceNode.Pair] {
        try descend(line)
        var pairs = SourcePairs()
        while true {
            let event = try next()
            if case .mappingEnd = event.kind { break }
            let key = try self.key(event)
            let value = try node(try next())
            if case .scalar("<<", .plain) = key.content {
                try merge(value, into: &pairs)
            } else if !pairs.add(key, value) {
                throw malformed(
                    "The key \(HostSetProblem.shown(key.text ?? "")) occurs twice in one mapping.", key.line,
                    remedy: "Only one of the two would count; join them.")
            }
        }
        depth -= 1
        return pairs.merged()
    }

    /// A key must be a scalar: Python does not allow lists and mappings as keys either.
    private mutating func key(_ event: YAMLEvents.Event) throws(HostSetProblem) -> SourceNode {
        let kind: String
        switch event.kind {
        case .listStart: kind = "a list"
        case .mappingStart: kind = "a mapping"
        default:
            let key = try node(event, isKey: true)
            if case .scalar(let text, let form) = key.content {
                // These two are special keys and need no check.
                if form != .plain || (text != "<<" && text != "=") { try checkValue(key, text) }
                return key
            }
            kind = key.kindName
        }
        throw malformed("A key is \(kind); keys are texts.", event.line)
    }

    /// Merges the value of `<<`. Of several mappings, the first one that has a key wins.
    private func merge(_ value: SourceNode, into pairs: inout SourcePairs) throws(HostSetProblem) {
        for node in (value.list ?? [value]).reversed() {
            guard let inner = node.pairs else {
                throw malformed("<< must be followed by a mapping or a list of mappings; this is \(node.kindName).", node.line)
            }
            pairs.merge(inner)
        }
    }

    // MARK: - Tags

    private static let prefix = "tag:yaml.org,2002:"

    /// Whether a list or mapping has its normal type. Refuses a tag that Ansible does not know, as Ansible refuses the file.
    private func isUsual(
        _ tag: String?, _ name: String, others: [String], _ line: Int
    ) throws(HostSetProblem) -> Bool {
        guard let tag else { return true }
        if tag == Self.prefix + name || tag == "!" || tag == "!unsafe" { return true }
        if others.contains(where: { tag == Self.prefix + $0 }) { return false }
        throw wrongTag(tag, line)
    }

    private func wrongTag(_ tag: String, _ line: Int) -> HostSetProblem {
        malformed(
            "The tag \(HostSetProblem.shown(tag)) is not known, or not for such a value.", line,
            remedy: "Put the value in quotes if it is a text.")
    }

    private func scalar(
        _ text: String, isPlain: Bool, _ tag: String?, _ line: Int
    ) throws(HostSetProblem) -> SourceNode.Content {
        guard let tag else { return .scalar(text, isPlain ? .plain : .text) }
        switch tag {
        // Ansible ignores the quotes of an !unsafe value and determines its type again.
        case "!", "!unsafe": return .scalar(text, .plain)
        case "!vault", "!vault-encrypted": return .scalar(text, .vaulted)
        case Self.prefix + "str": return .scalar(text, .text)
        case Self.prefix + "int": return .scalar(text, .taggedWhole)
        case Self.prefix + "float": return .scalar(text, .taggedReal)
        case Self.prefix + "bool": return .scalar(text, .taggedBoolean)
        case Self.prefix + "null": return .scalar(text, .taggedNothing)
        case Self.prefix + "binary", Self.prefix + "timestamp": return .scalar(tag, .foreign)
        default: throw wrongTag(tag, line)
        }
    }

    /// Refuses a scalar that Ansible cannot parse, wherever it occurs: Ansible refuses the whole file.
    private func checkValue(_ node: SourceNode, _ text: String) throws(HostSetProblem) {
        let reason: String
        switch node.content {
        case .scalar(_, .plain):
            // Fast path: most values start with a letter, and those are always valid.
            guard let first = text.utf8.first, first < UInt8(ascii: "A") else { return }
            switch PlainScalar(text) {
            case .malformed(let kind): reason = kind
            case .merge, .equals: reason = "a key, and no value"
            default: return
            }
        case .scalar(_, .taggedWhole), .scalar(_, .taggedReal), .scalar(_, .taggedBoolean):
            guard case .other(let kind) = node.value else { return }
            reason = kind
        default: return
        }
        throw malformed(
            "\(HostSetProblem.shown(text)) is \(reason).", node.line, remedy: "Put it in quotes if it is a text.")
    }
}

/// The events of a YAML text, one after another. This is all of libyaml that is used; PyYAML uses libyaml, too.
final class YAMLEvents {
    /// One event, with its first line.
    struct Event {
        enum Kind {
            case documentStart, documentEnd, listEnd, mappingEnd, end
            case alias(String)
            case scalar(String, isPlain: Bool, Properties)
            case listStart(Properties)
            case mappingStart(Properties)
        }

        var kind: Kind
        var line: Int
    }

    /// The properties before a value.
    struct Properties {
        /// The name after `&`.
        var anchor: String?
        /// The full tag: `tag:yaml.org,2002:str` for `!!str`.
        var tag: String?
    }

    /// Why the text is not valid YAML.
    struct Failure: Error {
        var reason: String
        var line: Int?
    }

    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)

    /// - Parameter text: The buffer must stay valid as long as events are read.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// The next event. The start of the stream is skipped.
    func next() throws(Failure) -> Event {
        var event = yaml_event_t()
        guard yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { yaml_event_delete(&event) }
        let line = Int(event.start_mark.line) + 1
        switch event.type {
        case YAML_STREAM_START_EVENT: return try next()
        case YAML_DOCUMENT_START_EVENT: return Event(kind: .documentStart, line: line)
        case YAML_DOCUMENT_END_EVENT: return Event(kind: .documentEnd, line: line)
        case YAML_SEQUENCE_END_EVENT: return Event(kind: .listEnd, line: line)
        case YAML_MAPPING_END_EVENT: return Event(kind: .mappingEnd, line: line)
        case YAML_ALIAS_EVENT: return Event(kind: .alias(Self.text(event.data.alias.anchor) ?? ""), line: line)
        case YAML_SCALAR_EVENT:
            let scalar = event.data.scalar
            let text = String(decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length), as: UTF8.self)
            return Event(
                kind: .scalar(
                    text, isPlain: scalar.plain_implicit != 0,
                    Properties(anchor: Self.text(scalar.anchor), tag: Self.text(scalar.tag))),
                line: line)
        case YAML_SEQUENCE_START_EVENT:
            let list = event.data.sequence_start
            return Event(kind: .listStart(Properties(anchor: Self.text(list.anchor), tag: Self.text(list.tag))), line: line)
        case YAML_MAPPING_START_EVENT:
            let mapping = event.data.mapping_start
            return Event(
                kind: .mappingStart(Properties(anchor: Self.text(mapping.anchor), tag: Self.text(mapping.tag))), line: line)
        default: return Event(kind: .end, line: line)
        }
    }

    private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
        pointer.map { String(decodingCString: $0, as: UTF8.self) }
    }

    private var failure: Failure {
        let reason = parser.pointee.problem.map { String(cString: $0) } ?? "it cannot be read"
        if parser.pointee.error == YAML_READER_ERROR {
            // The reader knows only the byte offset, which may be ahead of the scanner.
            return Failure(reason: reason, line: nil)
        }
        return Failure(reason: reason, line: Int(parser.pointee.problem_mark.line) + 1)
    }
}

/// The Python value of a scalar in an inventory, with its text as `str` returns it.
enum ScalarValue: Equatable {
    case text(String)
    /// A number or a boolean.
    case number(String)
    /// `None`.
    case nothing
    /// A value without a text that could reach a host, by its kind: "a list".
    case other(String)
}
