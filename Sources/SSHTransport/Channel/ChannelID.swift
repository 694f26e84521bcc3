/// Our name for a channel of a session.
package struct ChannelID: Sendable, Hashable {
    package let rawValue: Int
}
