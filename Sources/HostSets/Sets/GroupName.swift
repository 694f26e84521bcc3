/// A group and its source.
struct GroupName: Hashable, CustomStringConvertible {
    var source: String
    var group: String
    var description: String { "@\(HostSetProblem.shown(source)):\(HostSetProblem.shown(group))" }
}
