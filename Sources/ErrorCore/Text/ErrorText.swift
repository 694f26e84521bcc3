import Synchronization

/// The words of the catalogue: every title, message, suggestion and option title, replaceable by the app.
///
/// English ships. An app supplies only what it wants to say differently, as entries or as a lookup in its own string
/// tables; what it does not supply stays English:
/// ```swift
/// ErrorText.install(ErrorText([.message("network.timeout"): "Das hat länger als {seconds} s gedauert."]))
/// ```
/// Templates name the values of the case in braces. A part in square brackets is left out when a value in it is not
/// known; alternatives in it are separated by `|`, and the first of which all values are known is taken. `\` quotes.
public struct ErrorText: Sendable {
    /// The name of one text.
    public struct Key: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral {
        /// The name, such as `network.timeout.message`: fit for a string table.
        public let rawValue: String
        /// A name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A name.
        public init(stringLiteral value: String) { rawValue = value }

        /// The title of the error with this code.
        public static func title(_ errorCode: String) -> Key { Key(rawValue: errorCode + ".title") }
        /// The message of the error with this code.
        public static func message(_ errorCode: String) -> Key { Key(rawValue: errorCode + ".message") }
        /// The suggestion of the error with this code.
        public static func suggestion(_ errorCode: String) -> Key { Key(rawValue: errorCode + ".suggestion") }
        /// The title of a recovery option.
        public static func option(_ id: ErrorRecoveryOption.ID) -> Key { Key(rawValue: "option." + id.rawValue) }
    }

    private let lookup: (@Sendable (Key) -> String?)?

    /// The English texts.
    public static let english = ErrorText(lookup: nil)

    /// Texts from an app's own source; nil for a key leaves it English.
    public init(_ lookup: @escaping @Sendable (Key) -> String?) {
        self.init(lookup: lookup)
    }

    /// These texts instead of the English ones.
    public init(_ entries: [Key: String]) {
        self.init(lookup: { entries[$0] })
    }

    private init(lookup: (@Sendable (Key) -> String?)?) {
        self.lookup = lookup
    }

    /// The text of a key with the values filled in; `template` where the app has none of its own.
    ///
    /// An app's own error types use it to take part in the replacement of texts.
    public func string(_ key: @autoclosure () -> Key, default template: String, values: [String: String] = [:]) -> String {
        TextTemplate.render(lookup?(key()) ?? template, values: values)
    }

    func optionTitle(_ id: ErrorRecoveryOption.ID) -> String? {
        lookup?(.option(id)) ?? ErrorRecoveryOption.commonRows[id]?.title
    }

    /// The same options, titled as this text has them.
    func titling(_ options: [ErrorRecoveryOption]) -> [ErrorRecoveryOption] {
        guard let lookup else { return options }
        return options.map { option in
            guard let title = lookup(.option(option.id)) else { return option }
            var renamed = option
            renamed.title = title
            return renamed
        }
    }
}

extension ErrorText {
    // One text for the whole process, as a language is; scoped(to:) is for tests and for servers that speak several.
    private static let installed = Mutex(ErrorText.english)
    @TaskLocal private static var scoped: ErrorText?

    /// The text that counts here: the scoped one, else the installed one.
    public static var current: ErrorText {
        scoped ?? installed.withLock { $0 }
    }

    /// Makes a text the one of the whole process. Call it once, at launch.
    public static func install(_ text: ErrorText) {
        installed.withLock { $0 = text }
    }

    /// Runs an operation, and the tasks that it starts, under a text.
    public static func scoped<Result>(
        to text: ErrorText, isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
    ) async rethrows -> Result {
        try await $scoped.withValue(text, operation: operation, isolation: isolation)
    }

    /// Runs an operation under a text.
    public static func scoped<Result>(to text: ErrorText, operation: () throws -> Result) rethrows -> Result {
        try $scoped.withValue(text, operation: operation)
    }
}
