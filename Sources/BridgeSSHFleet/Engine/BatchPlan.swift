/// The batches of a run: ranges of its hosts, one begun when the one before it has ended.
package struct BatchPlan: Sendable, Equatable {
    package let ranges: [Range<Int>]

    /// - Parameters:
    ///   - sizes: of the batches in turn; the last holds for all that follow. None is one batch of all hosts.
    ///   - hosts: the number of hosts of the run.
    package init(_ sizes: [HostShare], hosts: Int) {
        var ranges: [Range<Int>] = []
        var begun = 0
        while begun < hosts {
            let size = sizes.isEmpty ? hosts : sizes[min(ranges.count, sizes.count - 1)].hosts(of: hosts)
            let end = min(hosts, begun + max(1, size))
            ranges.append(begun..<end)
            begun = end
        }
        self.ranges = ranges
    }

    /// Reads `1,10%,100%`.
    ///
    /// - Throws: `FleetPlanProblem`.
    package static func sizes(parsing text: String) throws(FleetPlanProblem) -> [HostShare] {
        var sizes: [HostShare] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let size = HostShare(parsing: String(part)), size.isPossible else {
                throw FleetPlanProblem(
                    field: "batch", option: "--batch",
                    problem: "“\(part)” is no size of a batch; write numbers of hosts and percentages of 1% to 100%, as in: "
                        + "--batch 1,10%,100%")
            }
            sizes.append(size)
        }
        return sizes
    }
}
