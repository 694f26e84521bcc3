#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The parser that this process feeds: FUZZ_TARGET of the environment names it.
private let parser: @Sendable ([UInt8]) -> Void = {
    let name = getenv("FUZZ_TARGET").map { String(cString: $0) } ?? ""
    guard let parser = Parsers.all[name] else {
        print("fuzz: FUZZ_TARGET is one of \(Parsers.all.keys.sorted().joined(separator: ", "))")
        exit(64)
    }
    return parser
}()

/// libFuzzer calls this with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    parser(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
}

@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// SwiftPM makes the executable begin here, under the target's name, and not at libFuzzer's own `main`.
@_cdecl("fuzz_main")
public func start(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt {
    var (count, arguments) = (count, arguments)
    return runDriver(&count, &arguments, testOneInput)
}
