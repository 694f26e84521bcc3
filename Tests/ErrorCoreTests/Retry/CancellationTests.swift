import ErrorCore
import Testing

@Suite struct CancellationTests {
    @Test("what is a cancellation") func whatIsACancellation() {
        #expect((CancellationError() as any Error).isCancellation && (AppError.cancelled as any Error).isCancellation)
        #expect(!(AppError.networkUnavailable as any Error).isCancellation)
    }
}
