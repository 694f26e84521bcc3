/// The whole corpus. Expectations say what was provoked; some were corrected once a program turned out to say less.
enum Corpus {
    static let all: [Entry] =
        shells + coreutils + textTools + archives + git + network + nested + elevation + interpreters + builders + sequences
        + silent
}
