/// Names that the sources do not know.
extension Evaluator {
    var listedNames: [String] { sources.list?.names ?? [] }

    mutating func isListed(_ name: String) -> Bool {
        let names = listed ?? Set(listedNames)
        listed = names
        return names.contains(name)
    }

    func unknownProblem(_ names: [String]) -> HostSetProblem {
        let known = (sources.inventory?.hosts ?? []) + (sources.inventory?.groupNames ?? []) + listedNames
        let subject =
            names.count == 1
            ? "\(HostSetProblem.shown(names[0])) is neither a host nor a group of the inventory."
            : "\(names.count) names are not in the inventory: \(HostSetProblem.shown(NameFolder(names).folded()))."
        return HostSetProblem(
            .unknownHost, subject, nearest: NearestNames.of(names[0], among: known),
            remedy: "--allow-unknown takes names that the inventory does not have.")
    }
}
