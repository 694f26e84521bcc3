/// One message of a client: what it looks like, where it stands in the source, and what it means.
struct TranscriptRow: Sendable {
    let template: TranscriptTemplate
    /// OpenSSH's file and the releases that print it, or the library that does.
    let source: String
    /// Whether the client ends after it, or only adds what follows from it.
    let ends: Bool
    /// Whether it reads debug messages.
    let isDebug: Bool
    /// Whether a library says it, in the program that uses it, and no client of its own.
    var isLibrary = false
    /// Whether it only notes something of a line that another row may read.
    var isAside = false
    /// The client whose words they are, as `TranscriptFormat` names it.
    var client = ""
    let read: @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading?

    init(
        _ text: String, _ source: String, ends: Bool = false,
        _ read: @escaping @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading? = { _, _ in nil }
    ) {
        template = TranscriptTemplate(text)
        isDebug = text.hasPrefix("debug")
        self.source = source
        self.ends = ends
        self.read = read
    }

    /// A library's message. The exception that it names may be the cause of another one.
    static func library(
        _ text: String, _ source: String,
        _ read: @escaping @Sendable ([String: String], inout TranscriptFacts) -> TranscriptReading? = { _, _ in nil }
    ) -> Self {
        var row = Self(text, source, ends: true, read)
        row.isLibrary = true
        return row
    }

    /// A library's message that means the same whatever stands in its places.
    static func says(_ text: String, _ source: String, _ reading: @autoclosure @escaping @Sendable () -> TranscriptReading)
        -> Self
    {
        library(text, source) { _, _ in reading() }
    }

    /// Words of which something is noted, whatever else the line says.
    static func aside(
        _ text: String, _ source: String, _ note: @escaping @Sendable ([String: String], inout TranscriptFacts) -> Void
    ) -> Self {
        var row = Self(text, source) { found, facts in
            note(found, &facts)
            return nil
        }
        row.isAside = true
        return row
    }

    /// A line that shows that what was tried before has succeeded.
    static func recovers(_ text: String, _ source: String) -> Self {
        Self(text, source) { _, facts in
            facts.hasRecovered = true
            return nil
        }
    }
}
