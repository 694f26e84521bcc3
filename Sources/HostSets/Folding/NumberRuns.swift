/// Numbers of one dimension as runs: `1-20`, `01-09`, `7`.
enum NumberRuns {
    /// Calls `body` with each run of numbers that are sorted and different. What follows a padded number keeps its width, so `08-11`
    /// is one run, and `05,10-99,100` is not joined at the hundred: as `nodeset -f` writes it, so that both read the other's.
    static func forEachRun(of numbers: [HostNumber], _ body: (_ first: HostNumber, _ last: HostNumber) -> Void) {
        guard var first = numbers.first else { return }
        var last = first
        // The state lasts over single numbers and ends with a run of several, or where the width tells that it must.
        var isPadded = first.isPadded
        var width = first.width
        for number in numbers.dropFirst() {
            let widthsDiffer = isPadded ? number.width != width : number.isPadded
            if widthsDiffer {
                body(first, last)
                (first, last, isPadded, width) = (number, number, number.isPadded, number.width)
            } else if number.value == last.value + 1 {
                last = number
            } else {
                body(first, last)
                if first != last { (isPadded, width) = (number.isPadded, number.width) }
                (first, last) = (number, number)
            }
        }
        body(first, last)
    }

    /// Between brackets; one number needs none.
    static func write(_ numbers: [HostNumber], to bytes: inout [UInt8]) {
        if numbers.count == 1 { return numbers[0].write(to: &bytes) }
        var separator = UInt8(ascii: "[")
        forEachRun(of: numbers) { first, last in
            bytes.append(separator)
            separator = UInt8(ascii: ",")
            first.write(to: &bytes)
            if first != last {
                bytes.append(UInt8(ascii: "-"))
                last.write(to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
