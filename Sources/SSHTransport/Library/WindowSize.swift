/// The size of a terminal, in characters and pixels (RFC 4254 section 6.2).
package struct WindowSize: Sendable, Hashable {
    package var columns: Int32
    package var rows: Int32
    var widthPixels: Int32 = 0
    var heightPixels: Int32 = 0

    /// A number that no terminal has (ioctl_tty(2): 16 bits) becomes the nearest that one may have.
    package init(columns: Int, rows: Int) {
        self.columns = Int32(UInt16(clamping: columns))
        self.rows = Int32(UInt16(clamping: rows))
    }
}
