/// What is said of a copy that a lost connection, a silent server or a cancellation ended.
enum CopyWords {
    /// Completes the message.
    static func fate(_ copy: SSHCopyEvidence) -> String {
        let files = "\(copy.files) file\(copy.files == 1 ? "" : "s")"
        let done = copy.files == 0 ? "No file is known to have arrived" : "The copy is not complete: \(files) arrived"
        let left = copy.partialFiles.sorted().map { $0.oneLine(300) }
        guard let first = left.first else { return "\(done), and no unfinished file is known to be left." }
        let others = left.count > 1 ? " (and \(left.count - 1) more)" : ""
        return copy.resumes
            ? "\(done), and the unfinished file is kept as \(first)\(others)."
            : "\(done), and \(first)\(others) may be left of an unfinished file."
    }

    static func hint(_ copy: SSHCopyEvidence) -> String {
        if copy.partialFiles.isEmpty { return "Copy again; a copy with `--resume` can be continued after an interruption." }
        return copy.resumes
            ? "Run the same copy with `--resume` to continue it."
            : "Copy again, and remove what is left; a copy with `--resume` can be continued after an interruption."
    }
}
