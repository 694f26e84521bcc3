/// A setting in ssh's configuration that made the event possible.
public struct SSHSettingEvidence: Sendable, Hashable, Codable {
    /// The keyword of ssh_config(5).
    public var keyword: String
    /// `file:line`, or `command-line` for a setting given as an option.
    public var place: String
    /// The server's algorithms that the setting excludes, in the client's order; empty if the setting is not a list of
    /// algorithms.
    public var excluded: [String]

    /// A setting.
    public init(keyword: String, place: String, excluded: [String] = []) {
        self.keyword = keyword
        self.place = place
        self.excluded = excluded
    }
}
