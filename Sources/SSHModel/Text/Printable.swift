/// A name from an untrusted file, made safe for a sentence: at most 64 printable ASCII characters.
package func printable(_ name: String, spaces: Bool = false) -> String {
    let allowed: ClosedRange<UInt8> = spaces ? 0x20...0x7E : 0x21...0x7E
    let shown = name.utf8.prefix(64).map { allowed.contains($0) ? $0 : UInt8(ascii: "?") }
    return shown.isEmpty ? "an unnamed kind" : String(decoding: shown, as: UTF8.self)
}
