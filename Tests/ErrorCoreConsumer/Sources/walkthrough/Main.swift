/// Walks the five designs that ErrorCore unites, each as one of its users would.
@main struct Walkthrough {
    static func main() async throws {
        if CommandLine.arguments.contains("--html") {
            print(HostilePage.html)
            return
        }
        await oneEnum()
        try await ownErrorsAndHandler()
        try await pipeline()
        try await responders()
        try await contextAndPresenter()
        print("all five designs walked")
    }
}

/// Ends the program if something differs from its user's expectation.
func expect(_ condition: Bool, _ what: String, file: String = #fileID, line: Int = #line) {
    precondition(condition, "\(file):\(line): \(what)")
}
