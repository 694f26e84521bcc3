/// Numbers of one dimension as runs: `1-20`, `01-09`, `7`.
enum NumberRuns {
    struct Run {
        var first: HostNumber
        var last: HostNumber
    }

    /// The runs of numbers that are sorted and different. What follows a padded number keeps its width, so `08-11` is one run, and
    /// `05,10-99,100` is not joined at the hundred: as `nodeset -f` writes it, so that both read the other's.
    static func runs(of numbers: [HostNumber]) -> [Run] {
        var runs: [Run] = []
        guard var first = numbers.first else { return runs }
        var last = first
        // The state lasts over single numbers and ends with a run of several, or where the width tells that it must.
        var isPadded = first.isPadded
        var width = first.width
        for number in numbers.dropFirst() {
            let widthsDiffer = isPadded ? number.width != width : number.isPadded
            if widthsDiffer {
                runs.append(Run(first: first, last: last))
                (first, last, isPadded, width) = (number, number, number.isPadded, number.width)
            } else if number.value == last.value + 1 {
                last = number
            } else {
                runs.append(Run(first: first, last: last))
                if first != last { (isPadded, width) = (number.isPadded, number.width) }
                (first, last) = (number, number)
            }
        }
        runs.append(Run(first: first, last: last))
        return runs
    }

    /// As between brackets; `isSingle` if there is one number, which needs none.
    static func write(_ numbers: [HostNumber], to bytes: inout [UInt8]) {
        if numbers.count == 1 { return numbers[0].write(to: &bytes) }
        bytes.append(UInt8(ascii: "["))
        for (index, run) in runs(of: numbers).enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            run.first.write(to: &bytes)
            if run.first != run.last {
                bytes.append(UInt8(ascii: "-"))
                run.last.write(to: &bytes)
            }
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
