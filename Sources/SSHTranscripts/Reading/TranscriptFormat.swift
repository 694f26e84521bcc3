/// A client, or a library that speaks for many, and the messages that it prints.
struct TranscriptFormat: Sendable {
    /// As a verdict names it.
    let name: String
    let rows: [TranscriptRow]

    init(_ name: String, _ rows: [TranscriptRow]) {
        self.name = name
        self.rows = rows.map { row in
            var row = row
            row.client = name
            return row
        }
    }
}
