/// Our name for a channel of a session.
package struct ChannelID: Sendable, Hashable {
    let rawValue: Int
}
