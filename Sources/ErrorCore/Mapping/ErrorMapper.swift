import Synchronization

/// Adds or replaces a mapping from an error to an ``AppError``, by type or by domain and code.
/// ```swift
/// ErrorMapper.register(ErrorMapper(domain: "SKErrorDomain", codes: [
///     2: .cancelled,
///     0: .featureUnavailable(feature: "The purchase"),
/// ]))
/// ErrorMapper.register(ErrorMapper(domain: "CKErrorDomain") { code, error in
///     code == 3 || code == 4 ? .networkUnavailable : nil
/// })
/// ```
/// Mappers are asked in order of registration, before the built-in mapping: first about the error, then about each underlying
/// error. They are not asked about an ``AppErrorConvertible``, which decides itself.
public struct ErrorMapper: Sendable {
    private let map: @Sendable (any Error, AppError.MappingHints) -> AppError?

    /// A mapper for any error; nil leaves the error to the next mapper.
    public init(_ map: @escaping @Sendable (_ error: any Error, _ hints: AppError.MappingHints) -> AppError?) {
        self.map = map
    }

    /// A mapper for errors of one type; nil leaves the error to the next mapper.
    public init<Failure: Error>(for type: Failure.Type, _ map: @escaping @Sendable (Failure) -> AppError?) {
        self.init { error, _ in (error as? Failure).flatMap(map) }
    }

    /// A mapper for errors of one `NSError` domain; nil leaves the error to the next mapper.
    ///
    /// - Parameters:
    ///   - domain: The domain, such as `SKErrorDomain`.
    ///   - map: Receives the code and the error. Use `as NSError` for its user info.
    public init(domain: String, _ map: @escaping @Sendable (_ code: Int, _ error: any Error) -> AppError?) {
        self.init { error, _ in
            guard let identity = FoundationErrors.reader?.identity(of: error), identity.domain == domain else { return nil }
            return map(identity.code, error)
        }
    }

    /// A mapper for some codes of one `NSError` domain.
    public init(domain: String, codes: [Int: AppError]) {
        self.init(domain: domain) { code, _ in codes[code] }
    }

    /// The case for an error; nil if the mapper does not know the error.
    public func callAsFunction(_ error: any Error, hints: AppError.MappingHints = .init()) -> AppError? {
        map(error, hints)
    }
}

extension ErrorMapper {
    // Global, because an app has one set of mappings. Tests use scoped(to:).
    private static let registry = Mutex<[ErrorMapper]>([])
    /// Most apps register no mapper; then the lock is not taken.
    private static let hasRegistered = Atomic(false)
    @TaskLocal private static var scoped: [ErrorMapper]?

    /// Adds a mapper. Earlier mappers are asked first. Register at launch.
    public static func register(_ mapper: ErrorMapper) {
        registry.withLock { $0.append(mapper) }
        hasRegistered.store(true, ordering: .releasing)
    }

    /// The mappers in force, in order: the scoped ones, else the registered ones.
    public static var current: [ErrorMapper] {
        scoped ?? (hasRegistered.load(ordering: .acquiring) ? registry.withLock { $0 } : [])
    }

    /// Runs an operation, and the tasks that it starts, with these mappers instead of the registered ones.
    public static func scoped<Result>(
        to mappers: [ErrorMapper], isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
    ) async rethrows -> Result {
        try await $scoped.withValue(mappers, operation: operation, isolation: isolation)
    }

    /// Runs an operation with these mappers instead of the registered ones.
    public static func scoped<Result>(to mappers: [ErrorMapper], operation: () throws -> Result) rethrows -> Result {
        try $scoped.withValue(mappers, operation: operation)
    }

    static func map(_ error: any Error, _ hints: AppError.MappingHints) -> AppError? {
        for mapper in current {
            if let known = mapper.map(error, hints) { return known }
        }
        return nil
    }
}
