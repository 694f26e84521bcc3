/// A variable that the server did not take for a command.
package enum RefusedVariable {
    /// What an observer hears of it.
    package static func notice(of name: String) -> String {
        "The server refused to set \(name) (its AcceptEnv does not list it)."
    }
}
