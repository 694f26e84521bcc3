/// The settings read so far. The first value of a keyword stays, except for keywords that accumulate values.
struct SettingStore {
    /// By the keyword's name, each value as `ssh -G` prints it.
    private(set) var values: [String: [String]] = [:]
    /// The place of a keyword's first value.
    private(set) var places: [String: SSHConfigPlace] = [:]
    /// The place of each value, in the same order as `values`; empty for values that no line set.
    private(set) var origins: [String: [SSHConfigPlace]] = [:]
    /// Which accumulated values come from the user's own files or the command line, in the same order as `values`.
    private var isUsers: [String: [Bool]] = [:]

    /// Lines that were skipped, and whether they are in a section that applies.
    private(set) var notes: [(problem: SSHConfigProblem, isActive: Bool)] = []

    /// Keeps a note about a line; once, although a final pass reads the line again.
    mutating func note(_ problem: SSHConfigProblem, isActive: Bool) {
        guard let index = notes.firstIndex(where: { $0.problem == problem }) else {
            return notes.append((problem, isActive))
        }
        if isActive { notes[index].isActive = true }
    }

    func first(_ name: String) -> String? { values[name]?.first }

    func isSet(_ name: String) -> Bool { values[name] != nil }

    /// Keeps the values if there is none yet.
    mutating func set(_ name: String, _ new: [String], at place: SSHConfigPlace) {
        guard values[name] == nil, !new.isEmpty else { return }
        values[name] = new
        places[name] = place
        origins[name] = new.map { _ in place }
    }

    mutating func set(_ name: String, _ new: String, at place: SSHConfigPlace) { set(name, [new], at: place) }

    /// Adds a value of a keyword that accumulates.
    mutating func append(_ name: String, _ new: String, at place: SSHConfigPlace) {
        values[name, default: []].append(new)
        origins[name, default: []].append(place)
        if places[name] == nil { places[name] = place }
    }

    /// Appends a path, unless it is already in the list with the same `isUsers`.
    mutating func appendPath(_ name: String, _ new: String, isUsers: Bool, at place: SSHConfigPlace) {
        let known = zip(values[name] ?? [], self.isUsers[name] ?? [])
        guard !known.contains(where: { $0 == new && $1 == isUsers }) else { return }
        append(name, new, at: place)
        self.isUsers[name, default: []].append(isUsers)
    }

    /// Removes values.
    mutating func remove(_ name: String, where isUnwanted: (String) -> Bool) {
        let rest = zip(values[name] ?? [], origins[name] ?? []).filter { !isUnwanted($0.0) }
        values[name] = rest.isEmpty ? nil : rest.map(\.0)
        origins[name] = rest.isEmpty ? nil : rest.map(\.1)
    }

    /// Gives values to the keywords that have none.
    mutating func fill(with defaults: [String: [String]]) { values = defaults.merging(values) { $1 } }

    /// Replaces any value.
    mutating func replace(_ name: String, with new: [String]?) {
        if new?.count != values[name]?.count { origins[name] = nil }
        values[name] = new
    }
}
