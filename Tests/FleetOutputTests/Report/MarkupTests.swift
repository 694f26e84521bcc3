import Foundation
import Testing

@testable import FleetOutput

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// Hosts' text in HTML and XML.
@Suite("Markup") struct MarkupTests {
    static let hostile = [
        "<script>alert(1)</script>", "\" onload=\"alert(1)", "' x='", "&lt;", "]]>", "<!--", "a\u{0}b\u{1B}[31m\u{7F}\u{9B}",
        "\u{FFFE}\u{FFFF}",
        "\u{1FFFE}", "\u{202E}evil", "two\nlines\ttab\r\n", "\u{2028}", "日本語 e\u{301} \u{10FFFD}",
    ]

    @Test("text never becomes markup, in an element or an attribute", arguments: hostile)
    func escapes(text: String) throws {
        var markup = Markup()
        markup.element("p", ["title": text], text: text)
        let written = String(decoding: markup.bytes, as: UTF8.self)
        let inside = written.dropFirst("<p title=\"".count)
        #expect(written.filter { $0 == "<" || $0 == ">" }.count == 4)
        #expect(inside.filter { $0 == "\"" }.count == 1)
        // An independent parser reads it, and finds one element with two equal texts.
        let read = try #require(ParsedXML(markup.bytes))
        #expect(read.elements.map(\.name) == ["p"])
        #expect(read.elements.first?.attributes["title"] == read.elements.first?.text)
    }

    @Test("a host's output is shown as on a terminal, line by line")
    func output() {
        var markup = Markup()
        markup.output(Array("a<b\tc\r\n\u{1B}[31mred\n".utf8) + [0xFF])
        #expect(String(decoding: markup.bytes, as: UTF8.self) == "a&lt;b     c\n\\x1b[31mred\n\\xff")
    }

    @Test("an attribute without a value is left out, and an element without content is closed")
    func shapes() {
        var markup = Markup()
        markup.element("a", ["b": nil, "c": "1"]) { $0.empty("d", ["e": ""]) }
        #expect(String(decoding: markup.bytes, as: UTF8.self) == "<a c=\"1\"><d e=\"\"/></a>\n")
    }
}

/// The result of Foundation's parser (libxml2) on a document; nil if the document is invalid.
final class ParsedXML: NSObject, XMLParserDelegate {
    struct Element {
        var name: String
        var attributes: [String: String]
        var text = ""
    }

    private(set) var elements: [Element] = []
    private var open: [Int] = []

    init?(_ bytes: [UInt8]) {
        super.init()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        guard parser.parse() else { return nil }
    }

    func all(_ name: String) -> [Element] { elements.filter { $0.name == name } }

    func parser(
        _ parser: XMLParser, didStartElement elementName: String, namespaceURI: String?, qualifiedName qName: String?,
        attributes attributeDict: [String: String] = [:]
    ) {
        open.append(elements.count)
        elements.append(Element(name: elementName, attributes: attributeDict))
    }

    func parser(_ parser: XMLParser, didEndElement elementName: String, namespaceURI: String?, qualifiedName qName: String?) {
        open.removeLast()
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
        if let last = open.last { elements[last].text += string }
    }
}
