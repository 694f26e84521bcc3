import Foundation

/// The five designs as their users wrote them, on ErrorCore.
@main struct Ports {
    static func main() async {
        let designs = [
            await portOneEnum(), await portBaseProtocol(), await portTypedPipeline(), await portResponders(),
            await portCategories(), await articles(), await portOldNames(),
        ]
        let wrong = designs.flatMap(\.wrong)
        for line in wrong { print("wrong: \(line)") }
        print("\(designs.reduce(0) { $0 + $1.right }) of \(designs.reduce(0) { $0 + $1.right + $1.wrong.count }) right")
        exit(wrong.isEmpty ? 0 : 1)
    }
}
