/// Where the names and groups of an expression come from.
public struct HostSources: Sendable {
    /// Gives the names for `@SOURCE` and `@SOURCE:ARGUMENT`; the argument is nil for the first.
    ///
    /// A ``HostSetProblem`` that it throws is shown as it is, another error with the source's name.
    public typealias Provider = @Sendable (_ argument: String?) throws -> [String]

    /// An inventory of Ansible. With one, a plain name must be one that it has, or a group's.
    public var inventory: FleetInventory?
    /// ClusterShell's groups.
    public var groups: GroupSources?
    /// Whether wildcards and `@*` take the hosts of ``groups`` too. Not so for groups that were not named beside an
    /// inventory: those of the machine's own configuration, which may be examples.
    public var knowsHostsOfGroups: Bool
    /// The hosts of a list, as ``HostList`` reads it; nil if there is none.
    public var list: HostSet?
    /// bridge-ssh's own sources by name: `ssh`, `known`, `run`. They take precedence over a group of the same name.
    public var providers: [String: Provider]
    /// Takes a name that the inventory does not have.
    public var allowsUnknown: Bool

    /// No source: each name is a host by itself.
    public static var none: HostSources { HostSources() }

    /// Sources.
    public init(
        inventory: FleetInventory? = nil, groups: GroupSources? = nil, list: HostSet? = nil, providers: [String: Provider] = [:],
        knowsHostsOfGroups: Bool = true, allowsUnknown: Bool = false
    ) {
        self.inventory = inventory
        self.groups = groups
        self.list = list
        self.providers = providers
        self.knowsHostsOfGroups = knowsHostsOfGroups
        self.allowsUnknown = allowsUnknown
    }

    /// The hosts of an expression, with its warnings.
    ///
    /// - Throws: ``HostSetProblem``. An expression whose operators leave nothing is an empty set and no error; a name, wildcard
    ///   or
    ///   group that matches nothing, with nothing beside it that does, is one.
    public func resolve(_ expression: String) throws -> ResolvedHosts {
        var evaluator = Evaluator(self)
        let hosts = try evaluator.resolve(expression)
        return ResolvedHosts(hosts: HostSet(unique: hosts), notices: evaluator.notices)
    }

    /// All hosts that the sources know: what `@*` is.
    ///
    /// - Throws: ``HostSetProblem``.
    public func all() throws -> HostSet {
        var evaluator = Evaluator(self)
        return HostSet(unique: try evaluator.knownHosts().hosts)
    }
}

extension HostSources {
    /// Whether a wildcard of `*` and `?` matches a whole name.
    public static func wildcard(_ pattern: String, matches name: String) -> Bool { Wildcard(pattern).matches(name) }
}

/// A group and its source.
struct GroupName: Hashable, CustomStringConvertible {
    var source: String
    var group: String
    var description: String { "@\(HostSetProblem.shown(source)):\(HostSetProblem.shown(group))" }
}
