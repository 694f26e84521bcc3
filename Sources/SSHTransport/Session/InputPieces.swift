/// What is left of pieces that are sent one after the other.
struct InputPieces {
    private var pieces: ArraySlice<InputPiece>
    private var offset = 0

    init(_ pieces: [InputPiece]) {
        self.pieces = pieces.drop { $0.isEmpty }
    }

    var isEmpty: Bool { pieces.isEmpty }

    /// Lends what is left of the first piece; nil if there is none.
    func withFirst<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
        pieces.first.map { piece in
            piece.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        }
    }

    /// Takes bytes away that have been sent.
    mutating func remove(_ count: Int) {
        offset += count
        while let first = pieces.first, offset >= first.count {
            offset -= first.count
            pieces.removeFirst()
        }
    }
}
