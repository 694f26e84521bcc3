import ErrorCore

extension AppError {
    /// The name of the case, such as `sshTimeout`: what `case` in the JSON says.
    package var caseName: String { kind.caseName }
}
