/// Programs that try again say so; the last try's outcome is what counts.
enum Retries {
    private static let words = ["[DEBUG]", "[WARN]", "etrying", "rying again", "leeping before", "retry attempt"]

    /// Whether the line is one of many tries.
    static func tell(_ line: String) -> Bool { words.contains { line.mentions($0) } }
}

/// Lines in which a program says once more what another line of it has said.
enum Echoes {
    static let words = [
        "Install terminal quit with output: ", "Received install output: ", "The deploy has failed with an error: ",
    ]

    static func hold(_ line: String) -> Bool { words.contains { line.mentions($0) } }
}
