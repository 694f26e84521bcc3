/// The whole corpus. Expectations were written from what was provoked, before the classifier was asked.
enum Corpus {
    static let all: [Entry] =
        shells + coreutils + textTools + archives + git + network + nested + elevation + interpreters + builders + sequences
        + silent
}
