/// Our name for a channel of a session.
package struct ChannelID: Sendable, Hashable, Comparable {
    package let rawValue: Int

    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}
