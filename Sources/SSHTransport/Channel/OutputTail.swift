/// The end of a stream.
struct OutputTail {
    private var bytes: [UInt8] = []
    private let length: Int

    init(length: Int) { self.length = length }

    mutating func append(_ more: some BidirectionalCollection<UInt8>) {
        bytes.append(contentsOf: more.suffix(length))
        if bytes.count > 2 * length { bytes.removeFirst(bytes.count - length) }
    }

    /// At most as many bytes as are kept.
    var value: [UInt8] { bytes.count > length ? Array(bytes.suffix(length)) : bytes }
}
