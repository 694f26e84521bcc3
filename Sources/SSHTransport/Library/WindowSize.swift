/// The size of a terminal, in characters and pixels (RFC 4254 section 6.2).
package struct WindowSize: Sendable, Hashable {
    package var columns: Int32
    package var rows: Int32
    var widthPixels: Int32 = 0
    var heightPixels: Int32 = 0

    package init(columns: Int32, rows: Int32, widthPixels: Int32 = 0, heightPixels: Int32 = 0) {
        self.columns = columns
        self.rows = rows
        self.widthPixels = widthPixels
        self.heightPixels = heightPixels
    }
}
