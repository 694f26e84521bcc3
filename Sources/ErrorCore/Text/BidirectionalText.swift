/// Right-to-left values in a left-to-right sentence, and the other way round (Unicode Standard Annex 9).
extension String {
    /// The value between isolates if it has right-to-left letters or directional controls, so that it cannot reorder the
    /// sentence around it. Directional controls of its own are dropped.
    var isolatedIfNeeded: String {
        // U+0590 begins with the byte D6.
        guard utf8.contains(where: { $0 >= 0xD6 }),
            unicodeScalars.contains(where: { $0.isRightToLeft || $0.isDirectionalControl })
        else { return self }
        var inner = String.UnicodeScalarView()
        inner.append(contentsOf: unicodeScalars.lazy.filter { !$0.isDirectionalControl })
        return inner.isEmpty ? "" : "\u{2068}" + String(inner) + "\u{2069}"
    }

    /// Without FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE: for terminals and logs, which do not reorder by them.
    var withoutIsolates: String {
        guard utf8.contains(0xE2), unicodeScalars.contains(where: { $0.value == 0x2068 || $0.value == 0x2069 }) else {
            return self
        }
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: unicodeScalars.lazy.filter { $0.value != 0x2068 && $0.value != 0x2069 })
        return String(scalars)
    }
}

extension Unicode.Scalar {
    /// A letter of a right-to-left script, by block.
    fileprivate var isRightToLeft: Bool {
        guard value >= 0x590 else { return false }
        switch value {
        case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
        default: return false
        }
    }

    /// Embeddings, overrides and isolates.
    fileprivate var isDirectionalControl: Bool {
        (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
    }
}
