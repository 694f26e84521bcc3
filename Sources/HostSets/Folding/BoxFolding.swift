/// Names of several dimensions as few boxes: `r[1-4]n[01-16]` is one box of two sides.
///
/// The order of the steps is what `nodeset` does, so that the result is the same. What it compares by trying all pairs is found
/// here by the sides that two boxes share.
enum BoxFolding {
    /// Calls `body` with each box: a sorted list of numbers for each dimension.
    ///
    /// - Parameter columns: for each dimension the number of each name. No two names have the same numbers.
    static func forEachBox(of columns: [[HostNumber]], _ body: ([[HostNumber]]) -> Void) {
        let count = columns[0].count
        let ranked = columns.map { NumberRanks($0) }
        var product = 1
        for column in ranked { product = product.multipliedReportingOverflow(by: column.numbers.count).partialValue }
        // Names are different, so if there are as many as the whole box has, they are the box.
        if product == count, ranked.allSatisfy({ $0.numbers.count <= count }) { return body(ranked.map(\.numbers)) }
        var merging = BoxMerging(ranked, count: count)
        merging.merge()
        merging.forEachBox(body)
    }
}
