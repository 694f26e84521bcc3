import ArgumentParser

/// Whether a person is asked.
struct PromptOptions: ParsableArguments {
    @Flag(name: .long, help: "Ask nothing: no prompt for passwords, passphrases or host keys.")
    var batch = false
}

extension PromptOptions: PlainOptions {
    static let table: [PlainOption<Self>] = [.flag("--batch") { $0.batch = $1 }]
}
