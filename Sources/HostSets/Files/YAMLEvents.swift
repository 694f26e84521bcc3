internal import CYaml

/// The events of a text in YAML, one after another. All that is used of libyaml, which PyYAML uses too.
final class YAMLEvents {
    /// One event, with the line where it begins.
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

    /// What stands before a value.
    struct Properties {
        /// Behind the `&`.
        var anchor: String?
        /// Written out: `tag:yaml.org,2002:str` for `!!str`.
        var tag: String?
    }

    /// Why the text is no YAML.
    struct Failure: Error {
        var reason: String
        var line: Int?
    }

    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)

    /// - Parameter text: It must stay where it is as long as events are read.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        yaml_parser_initialize(parser)
        yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        yaml_parser_delete(parser)
        parser.deallocate()
    }

    /// The next event; the beginning of the stream is none.
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
            // The reader knows the byte only, and may be ahead of the scanner.
            return Failure(reason: reason, line: nil)
        }
        return Failure(reason: reason, line: Int(parser.pointee.problem_mark.line) + 1)
    }
}
