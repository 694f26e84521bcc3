/// A terminal's colours, movements and titles (ECMA-48 section 5.4; xterm's operating system commands).
enum TerminalCodes {
    static func removed(from text: String) -> String {
        guard text.utf8.contains(0x1B) else { return text }
        var kept = String.UnicodeScalarView()
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            guard scalar == "\u{1b}" else {
                kept.append(scalar)
                continue
            }
            switch rest.first {
            case "[":
                rest.removeFirst()
                while let next = rest.popFirst(), !("@"..."~").contains(next) {}
            case "]":
                while let next = rest.popFirst(), next != "\u{07}" {
                    if next == "\u{1b}", rest.first == "\\" {
                        rest.removeFirst()
                        break
                    }
                }
            default: _ = rest.popFirst()
            }
        }
        return String(kept)
    }
}
