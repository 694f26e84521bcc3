/// A setting of ssh's configuration without which the event would not have happened.
public struct SSHSettingEvidence: Sendable, Hashable, Codable {
    /// The keyword of ssh_config(5).
    public var keyword: String
    /// `file:line`, or `command-line` for an option.
    public var place: String
    /// The server's algorithms that the setting excludes, in the client's order; empty where the setting is no list of
    /// algorithms.
    public var excluded: [String]

    /// A setting.
    public init(keyword: String, place: String, excluded: [String] = []) {
        self.keyword = keyword
        self.place = place
        self.excluded = excluded
    }
}
