internal import BridgeSSH

/// Names similar to one that was mistyped.
enum NearNames {
    /// The three nearest, best first: those that contain the last word of the input, or differ by a few letters.
    static func of(_ typed: String, among names: [String]) -> [String] {
        let word = String(typed.lowercased().split(separator: ".").last ?? "")
        let near = names.map { name in
            let last = String(name.split(separator: ".").last ?? "")
            let holds = word.count >= 3 && name.contains(word)
            return (
                name: name, distance: min(EditDistance.between(typed.lowercased(), name), EditDistance.between(word, last)),
                holds: holds
            )
        }.filter { $0.holds || $0.distance <= max(2, word.count / 4) }
        let sorted = near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return sorted.prefix(3).map(\.name)
    }
}
