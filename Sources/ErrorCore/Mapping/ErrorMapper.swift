import Synchronization

/// Teaches the mapping to ``AppError`` an error that it does not know, or another answer for one that it knows: by type, or
/// by domain and code.
/// ```swift
/// ErrorMapper.register(ErrorMapper(domain: "SKErrorDomain", codes: [
///     2: .cancelled,
///     0: .featureUnavailable(feature: "The purchase"),
/// ]))
/// ErrorMapper.register(ErrorMapper(domain: "CKErrorDomain") { code, error in
///     code == 3 || code == 4 ? .networkUnavailable : nil
/// })
/// ```
/// Mappers are asked in the order in which they were registered, before the mapping that ships, about the error and then about
/// each error under it. Only an ``AppErrorConvertible`` is not asked about: it says itself what it becomes.
public struct ErrorMapper: Sendable {
    private let map: @Sendable (any Error, AppError.MappingHints) -> AppError?

    /// A mapper for any error; nil passes the error on.
    public init(_ map: @escaping @Sendable (_ error: any Error, _ hints: AppError.MappingHints) -> AppError?) {
        self.map = map
    }

    /// A mapper for the errors of one type; nil passes the error on.
    public init<Failure: Error>(for type: Failure.Type, _ map: @escaping @Sendable (Failure) -> AppError?) {
        self.init { error, _ in (error as? Failure).flatMap(map) }
    }

    /// A mapper for the errors of one `NSError` domain; nil passes the error on.
    ///
    /// - Parameters:
    ///   - domain: The domain, such as `SKErrorDomain`.
    ///   - map: Gets the code and the error, whose user info `as NSError` has.
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
    // One order for the whole process, as the errors of an app are; scoped(to:) is for tests.
    private static let registry = Mutex<[ErrorMapper]>([])
    /// Most apps register none, and then an error need not look for them.
    private static let hasRegistered = Atomic(false)
    @TaskLocal private static var scoped: [ErrorMapper]?

    /// Adds a mapper. Earlier mappers are asked first. Register at launch.
    public static func register(_ mapper: ErrorMapper) {
        registry.withLock { $0.append(mapper) }
        hasRegistered.store(true, ordering: .releasing)
    }

    /// The mappers that are asked here, in order: the scoped ones, else the registered ones.
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
