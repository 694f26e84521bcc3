/// What was noticed on a connection, which may last for months: the first notices, and how many there were.
struct BoundedNotices {
    /// How many are kept.
    static let limit = 64

    private var first: [String] = []
    private var others = 0

    mutating func append(_ text: String) {
        if first.count < Self.limit { first.append(text) } else { others += 1 }
    }

    /// Those that were kept, and a line on how many were not.
    var texts: [String] {
        others == 0 ? first : first + ["There were \(others) more notices."]
    }
}
