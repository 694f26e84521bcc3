/// At the end, equal output once under the folded names of its hosts; the most common first.
package struct FoldRenderer: FleetRenderer {
    private let printer: GroupPrinter
    private var groups: OutputGroups

    package let needsPieces = false

    /// - Parameter folded: makes one expression of names.
    package init(_ form: OutputForm, _ store: OutputStore, folded: @escaping @Sendable ([String]) -> String) {
        printer = GroupPrinter(form: form, store: store, folded: folded)
        groups = OutputGroups(store)
    }

    package mutating func take(_ event: FleetEvent, _ pieces: inout [RenderedPiece]) throws {
        switch event {
        case .ended(let result): try groups.add(result)
        case .summary:
            for group in groups.sorted { printer.whole(group, &pieces) }
        default: break
        }
    }
}
