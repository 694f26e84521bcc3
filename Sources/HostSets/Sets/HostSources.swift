/// The sources of the names and groups in an expression.
public struct HostSources: Sendable {
    /// Returns the names for `@SOURCE` and `@SOURCE:ARGUMENT`; the argument is nil for `@SOURCE`.
    ///
    /// If it throws a ``HostSetProblem``, that is shown unchanged; another error is shown with the source's name.
    public typealias Provider = @Sendable (_ argument: String?) throws -> [String]

    /// An Ansible inventory. If there is one, a plain name must be one of its hosts or groups.
    public var inventory: FleetInventory?
    /// ClusterShell's groups.
    public var groups: GroupSources?
    /// Whether wildcards and `@*` include the hosts of ``groups``. This is false for groups of the machine's own configuration
    /// beside an inventory, because those groups may be mere examples.
    public var knowsHostsOfGroups: Bool
    /// The hosts of a list, as ``HostList`` reads it; nil for none.
    public var list: HostSet?
    /// bridge-ssh's own sources by name: `ssh`, `known`, `run`. They take precedence over a group of the same name.
    public var providers: [String: Provider]
    /// Whether names that the inventory does not have are accepted.
    public var allowsUnknown: Bool

    /// No sources: each name stands for itself.
    public static var none: HostSources { HostSources() }

    /// The given sources.
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
    /// - Throws: ``HostSetProblem``. If the operators leave no host, the result is an empty set and not an error. It is an
    ///   error if a name, wildcard or group matches nothing and no other operand matches anything.
    public func resolve(_ expression: String) throws -> ResolvedHosts {
        var evaluator = Evaluator(self)
        let hosts = try evaluator.resolve(expression)
        return ResolvedHosts(hosts: HostSet(unique: hosts), notices: evaluator.notices)
    }

    /// All hosts that the sources know, as for `@*`.
    ///
    /// - Throws: ``HostSetProblem``.
    public func all() throws -> HostSet {
        var evaluator = Evaluator(self)
        return HostSet(unique: try evaluator.knownHosts().hosts)
    }
}

extension HostSources {
    /// Whether a pattern with `*` and `?` matches a whole name.
    public static func wildcard(_ pattern: String, matches name: String) -> Bool { Wildcard(pattern).matches(name) }
}

/// A group and its source.
struct GroupName: Hashable, CustomStringConvertible {
    var source: String
    var group: String
    var description: String { "@\(HostSetProblem.shown(source)):\(HostSetProblem.shown(group))" }
}

/// The hosts of an expression.
public struct ResolvedHosts: Sendable {
    /// The hosts.
    public var hosts: HostSet
    /// Warnings for the user: an empty group, a wildcard without a match.
    public var notices: [String]

    /// Hosts and their warnings.
    public init(hosts: HostSet, notices: [String] = []) {
        self.hosts = hosts
        self.notices = notices
    }
}
