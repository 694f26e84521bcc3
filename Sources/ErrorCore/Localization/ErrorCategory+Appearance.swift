extension ErrorCategory {
    private struct Appearance: Sendable {
        var title: String
        var icon: String
        var tint: ErrorTint
    }

    private static let appearances: [ErrorCategory: Appearance] = [
        .network: Appearance(title: "Network Problem", icon: "wifi.exclamationmark", tint: .orange),
        .authentication: Appearance(title: "Sign-In Problem", icon: "person.badge.key", tint: .red),
        .trust: Appearance(title: "Not Trusted", icon: "lock.shield", tint: .red),
        .protocol: Appearance(title: "Unexpected Answer", icon: "curlybraces", tint: .indigo),
        .server: Appearance(title: "Server Problem", icon: "server.rack", tint: .orange),
        .command: Appearance(title: "Command Problem", icon: "terminal", tint: .gray),
        .file: Appearance(title: "File Problem", icon: "doc.questionmark", tint: .brown),
        .validation: Appearance(title: "Invalid Input", icon: "exclamationmark.triangle", tint: .yellow),
        .cancelled: Appearance(title: "Cancelled", icon: "xmark.circle", tint: .gray),
        .internal: Appearance(title: "Unexpected Problem", icon: "xmark.circle", tint: .red),
        .permission: Appearance(title: "Permission Problem", icon: "lock.shield", tint: .purple),
        .agent: Appearance(title: "Agent Problem", icon: "hourglass", tint: .blue),
        .persistence: Appearance(title: "Storage Problem", icon: "externaldrive.badge.exclamationmark", tint: .purple),
        .session: Appearance(title: "Session Problem", icon: "exclamationmark.bubble", tint: .teal),
        .project: Appearance(title: "Project Problem", icon: "folder.badge.questionmark", tint: .brown),
    ]

    /// The title of an error of which only the category is known. An app's own category is titled by its name:
    /// `gift-card` is a "Gift Card Problem". ``ErrorText`` can replace it.
    public var title: String {
        ErrorText.current.string(.title("category." + rawValue), default: englishTitle)
    }

    /// The name of an SF Symbol for errors of this category that name none of their own.
    public var icon: String { Self.appearances[self]?.icon ?? ErrorSeverity.error.icon }

    /// The colour of this category; an app's own categories are gray.
    public var tint: ErrorTint { Self.appearances[self]?.tint ?? .gray }

    var englishTitle: String {
        if let title = Self.appearances[self]?.title { return title }
        let words = rawValue.split { !$0.isLetter && !$0.isNumber }.prefix(3).map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return (words + ["Problem"]).joined(separator: " ")
    }
}
