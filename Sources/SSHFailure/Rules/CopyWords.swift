/// What is said of a copy that a lost connection, a silent server or a cancellation ended.
enum CopyWords {
    /// Completes the message.
    static func fate(_ copy: CopyEvidence) -> String {
        let files = "\(copy.files) file\(copy.files == 1 ? "" : "s")"
        let done = copy.files == 0 ? "No file is known to have arrived" : "The copy is not complete: \(files) arrived"
        let left = copy.partialFiles.sorted().map { $0.oneLine(300) }
        guard let first = left.first else { return "\(done), and no unfinished file is known to be left." }
        let others = left.count > 1 ? " (and \(left.count - 1) more)" : ""
        return copy.resumes
            ? "\(done), and what there is of an unfinished file stays as \(first)\(others)."
            : "\(done), and \(first)\(others) may be left of an unfinished file."
    }

    static func hint(_ copy: CopyEvidence) -> String {
        if copy.partialFiles.isEmpty { return "Copy again; what --resume was given for can be gone on with after a cut." }
        return copy.resumes
            ? "The same copy with --resume goes on from there."
            : "Copy again, and remove what is left; what --resume was given for can be gone on with after a cut."
    }
}
