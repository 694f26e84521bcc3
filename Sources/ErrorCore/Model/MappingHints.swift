extension AppError {
    /// What the caller knows and an error may not say.
    public struct MappingHints: Sendable, Hashable {
        /// Which way a file was used.
        public enum FileUse: Sendable, Hashable {
            /// It was read.
            case read
            /// It was written.
            case write
        }
        /// The file that was used; a path in the error itself counts more.
        public var path: String?
        /// Which way the file was used, for errors that fit both.
        public var fileUse: FileUse
        /// The time that was allowed, in seconds, for an error that says only that it passed.
        public var timeoutSeconds: Int?
        /// The type that was coded, for an error that does not name one.
        public var type: String?

        /// Hints; none is needed.
        public init(path: String? = nil, fileUse: FileUse = .read, timeoutSeconds: Int? = nil, type: String? = nil) {
            self.path = path
            self.fileUse = fileUse
            self.timeoutSeconds = timeoutSeconds
            self.type = type
        }
    }
}
