import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The catalogue's texts: every title, message, suggestion, reason and option title. An app can replace each of them.
///
/// The built-in texts are English. An app supplies only the texts that differ, as entries or as a lookup in its own string
/// tables; all others stay English:
/// ```swift
/// ErrorText.install(ErrorText(
///     [.message("network.timeout"): "Keine Antwort nach {seconds, plural, one {# Sekunde} other {# Sekunden}}."],
///     locale: Locale(identifier: "de")))
/// ```
/// ## Templates
///
/// - `{path}` inserts the case's value with this label.
/// - `{path:last}` inserts the last component of a path, `{id:8}` the first 8 characters, `{seconds:duration}` a number of
///   seconds in the locale's format.
/// - `{seconds, plural, one {# second} other {# seconds}}` selects a branch by the plural rules of the locale's language; `=0
///   {…}` matches exactly that number.
/// - `[: {reason}]` is left out when a value in it is unknown. It may hold alternatives separated by `|`; the first whose values
///   are all known is used.
/// - `\` escapes the next character; ``literal(_:)`` escapes a finished text.
///
/// A lookup that receives the error can use the platform's own formatting and string tables:
/// ```swift
/// ErrorText { key, error in
///     guard case AppError.timeout(let seconds)? = error, key == .message("network.timeout") else { return nil }
///     return ErrorText.literal(String(localized: "No answer after \(seconds) seconds."))
/// }
/// ```
/// The reasons that mappings give, such as `the server’s certificate has expired`, are English in the ``AppError`` and in logs.
/// In displayed text they are looked up by ``Key/reason(_:)``.
public struct ErrorText: Sendable {
    /// The name of one text.
    public struct Key: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
        /// The name, such as `network.timeout.message`. It can be used as a key of a string table.
        public let rawValue: String
        /// A key with this name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A key with this name.
        public init(stringLiteral value: String) { rawValue = value }

        /// The title of the error with this code, or of a category such as `category.network`.
        public static func title(_ errorCode: String) -> Key { Key(rawValue: errorCode + ".title") }
        /// The message of the error with this code.
        public static func message(_ errorCode: String) -> Key { Key(rawValue: errorCode + ".message") }
        /// The suggestion of the error with this code.
        public static func suggestion(_ errorCode: String) -> Key { Key(rawValue: errorCode + ".suggestion") }
        /// The title of a recovery option.
        public static func option(_ id: ErrorRecoveryOption.ID) -> Key { Key(rawValue: "option." + id.rawValue) }
        /// A reason inside a message, by its English text.
        public static func reason(_ english: String) -> Key { Key(rawValue: "reason." + english) }
        /// How often an error happened, as `{count}`.
        public static let occurrences: Key = "presentation.occurrences"
    }

    /// A source of templates. The error is nil for the title of an option or a category.
    public typealias Lookup = @Sendable (Key, (any Error)?) -> String?

    private let lookup: Lookup?
    /// The locale for plural rules and number formats; nil for English.
    public let locale: Locale?

    /// The English texts.
    public static let english = ErrorText(lookup: nil, locale: nil)

    /// Texts from an app's own source. A key for which it returns nil stays English.
    public init(locale: Locale? = nil, _ lookup: @escaping @Sendable (Key) -> String?) {
        self.init(lookup: { key, _ in lookup(key) }, locale: locale)
    }

    /// Texts from an app's own source, which may depend on the error. A key for which it returns nil stays English.
    public init(locale: Locale? = nil, _ lookup: @escaping Lookup) {
        self.init(lookup: lookup, locale: locale)
    }

    /// Uses these texts instead of the English ones.
    public init(_ entries: [Key: String], locale: Locale? = nil) {
        self.init(lookup: { key, _ in entries[key] }, locale: locale)
    }

    private init(lookup: Lookup?, locale: Locale?) {
        self.lookup = lookup
        self.locale = locale
    }

    /// Escapes a finished text for use as a template: its braces, brackets, bars and backslashes.
    public static func literal(_ text: String) -> String {
        guard text.contains(where: { "{}[]|\\".contains($0) }) else { return text }
        return text.reduce(into: "") { result, character in
            if "{}[]|\\".contains(character) { result.append("\\") }
            result.append(character)
        }
    }

    /// The text for a key, with the values filled in. `template` is used if the app has no text for the key.
    ///
    /// Call it from your own error types so that their texts can be replaced too.
    ///
    /// - Parameters:
    ///   - key: The name of the text.
    ///   - template: The English text.
    ///   - values: The values to insert, by name. Line ends in a value become spaces, a value is cut to 300 characters, and
    ///     right-to-left values are isolated from the surrounding text.
    ///   - error: The error that the text describes, for the app's lookup.
    public func string(
        _ key: Key, default template: String, values: [String: String] = [:], for error: (any Error)? = nil
    ) -> String {
        string([key], default: template, values: values, for: error)
    }

    /// The text for the first of several keys for which the app has one.
    func string(
        _ keys: [Key], default template: String, values: [String: String], for error: (any Error)?
    ) -> String {
        let own = lookup.flatMap { lookup in keys.lazy.compactMap { lookup($0, error) }.first }
        var shown: [String: String] = [:]
        for (name, value) in values {
            let value = value.onOneLine.cut(to: 300)
            guard !value.isEmpty else { continue }
            // An empty value counts as missing, also if it held only directional controls.
            shown[name] = (lookup?(.reason(value), error) ?? value).isolatedIfNeeded
        }
        return TextTemplate(values: shown, language: language, formatDuration: duration).render(own ?? template)
    }

    func optionTitle(_ id: ErrorRecoveryOption.ID) -> String? {
        lookup?(.option(id), nil) ?? ErrorRecoveryOption.commonRows[id]?.title
    }

    /// The same options, with the titles of this text.
    func titling(_ options: [ErrorRecoveryOption], for error: any Error) -> [ErrorRecoveryOption] {
        guard let lookup else { return options }
        return options.map { option in
            guard let title = lookup(.option(option.id), error) else { return option }
            var renamed = option
            renamed.title = title
            return renamed
        }
    }

    private var language: String {
        locale.map { $0.identifier.prefix { $0.isLetter }.lowercased() } ?? "en"
    }
}

extension ErrorText {
    /// A number of seconds, in the locale's format if there is a locale and Foundation is fully linked.
    func duration(_ seconds: Int) -> String {
        locale.flatMap { FoundationErrors.reader?.duration(seconds: seconds, locale: $0) } ?? "\(seconds) s"
    }

    /// A number of bytes in binary units, formatted like a duration.
    func bytes(_ count: Int64) -> String {
        locale.flatMap { FoundationErrors.reader?.bytes(count, locale: $0) } ?? ByteCount.english(count)
    }
}

extension ErrorText {
    // Global, because a process has one language. Tests, and servers with several languages, use scoped(to:).
    private static let installed = Mutex(ErrorText.english)
    @TaskLocal private static var scoped: ErrorText?

    /// The text in force: the scoped one, else the installed one.
    public static var current: ErrorText {
        scoped ?? installed.withLock { $0 }
    }

    /// Installs a text for the whole process. Call it once, at launch.
    public static func install(_ text: ErrorText) {
        installed.withLock { $0 = text }
    }

    /// Runs an operation, and the tasks that it starts, with a text in force.
    public static func scoped<Result>(
        to text: ErrorText, isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
    ) async rethrows -> Result {
        try await $scoped.withValue(text, operation: operation, isolation: isolation)
    }

    /// Runs an operation with a text in force.
    public static func scoped<Result>(to text: ErrorText, operation: () throws -> Result) rethrows -> Result {
        try $scoped.withValue(text, operation: operation)
    }
}

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

    /// The title of an error if only its category is known. An app's own category is titled by its name: `gift-card`
    /// becomes "Gift Card Problem". ``ErrorText`` can replace it.
    public var title: String {
        ErrorText.current.string(.title("category." + rawValue), default: englishTitle)
    }

    /// The SF Symbol for errors of this category that do not name their own.
    public var icon: String { Self.appearances[self]?.icon ?? ErrorSeverity.error.icon }

    /// The colour of this category; an app's own categories are gray.
    public var tint: ErrorTint { Self.appearances[self]?.tint ?? .gray }

    var englishTitle: String {
        if let title = Self.appearances[self]?.title { return title }
        let words = rawValue.split { !$0.isLetter && !$0.isNumber }.prefix(3).map { $0.prefix(1).uppercased() + $0.dropFirst() }
        return (words + ["Problem"]).joined(separator: " ")
    }
}

extension ErrorRecoveryOption.ID {
    /// Try the same operation again.
    public static let retry: Self = "retry"
    /// Give up the operation.
    public static let cancel: Self = "cancel"
    /// Close the message.
    public static let dismiss: Self = "dismiss"
    /// Connect again.
    public static let reconnect: Self = "reconnect"
    /// Open the app's own settings.
    public static let checkSettings: Self = "check-settings"
    /// Open the system settings.
    public static let openSettings: Self = "open-settings"
    /// Stop the running operation.
    public static let abort: Self = "abort"
    /// Wait until the running operation has ended.
    public static let waitForCompletion: Self = "wait"
    /// Choose a file.
    public static let browse: Self = "browse"
    /// Grant the permission and try again.
    public static let retryWithPermission: Self = "grant-permission"
    /// Continue without the tool.
    public static let skipTool: Self = "skip"
}

extension ErrorRecoveryOption {
    /// Try the same operation again.
    public static var retry: Self { common(.retry) }
    /// Give up the operation.
    public static var cancel: Self { common(.cancel) }
    /// Close the message.
    public static var dismiss: Self { common(.dismiss) }
    /// Connect again.
    public static var reconnect: Self { common(.reconnect) }
    /// Open the app's own settings.
    public static var checkSettings: Self { common(.checkSettings) }
    /// Open the system settings.
    public static var openSettings: Self { common(.openSettings) }
    /// Stop the running operation.
    public static var abort: Self { common(.abort) }
    /// Wait until the running operation has ended.
    public static var waitForCompletion: Self { common(.waitForCompletion) }
    /// Choose a file.
    public static var browse: Self { common(.browse) }
    /// Grant the permission and try again.
    public static var retryWithPermission: Self { common(.retryWithPermission) }
    /// Continue without the tool.
    public static var skipTool: Self { common(.skipTool) }

    /// The option with this identity, titled by the current ``ErrorText``.
    static func common(_ id: ID) -> Self {
        let row = commonRows[id]
        return Self(
            id: id, title: ErrorText.current.optionTitle(id) ?? id.rawValue, icon: row?.icon, style: row?.style ?? .secondary)
    }

    /// English title, symbol and style of the common options.
    static let commonRows: [ID: (title: String, icon: String?, style: Style)] = [
        .retry: ("Retry", "arrow.clockwise", .primary),
        .cancel: ("Cancel", "xmark", .secondary),
        .dismiss: ("OK", nil, .secondary),
        .reconnect: ("Reconnect", "arrow.triangle.2.circlepath", .primary),
        .checkSettings: ("Settings", "gearshape", .secondary),
        .openSettings: ("Open Settings", "gear", .secondary),
        .abort: ("Abort", "stop.circle", .destructive),
        .waitForCompletion: ("Wait", "hourglass", .primary),
        .browse: ("Browse", "folder", .primary),
        .retryWithPermission: ("Grant Permission", "checkmark.shield", .primary),
        .skipTool: ("Skip", "forward", .secondary),
    ]
}
