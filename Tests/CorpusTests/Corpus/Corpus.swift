/// The whole corpus. An expectation is the provoked cause. Some were corrected because a program reports less.
enum Corpus {
    static let all: [Entry] =
        shells + coreutils + textTools + archives + git + network + nested + elevation + interpreters + builders + sequences
        + silent
}
