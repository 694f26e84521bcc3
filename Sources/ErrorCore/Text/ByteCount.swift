/// Sizes in English. The platform's formatter needs the whole of Foundation.
enum ByteCount {
    /// A size in binary units with at most one decimal, such as `1.5 GB`.
    static func english(_ count: Int64) -> String {
        let units = ["bytes", "KB", "MB", "GB", "TB", "PB", "EB"]
        var size = Double(count)
        var unit = 0
        while size >= 1024, unit < units.count - 1 {
            size /= 1024
            unit += 1
        }
        let tenths = Int64((size * 10).rounded())
        let (whole, decimal) = tenths.quotientAndRemainder(dividingBy: 10)
        return decimal == 0 || unit == 0 ? "\(whole) \(units[unit])" : "\(whole).\(decimal) \(units[unit])"
    }
}
