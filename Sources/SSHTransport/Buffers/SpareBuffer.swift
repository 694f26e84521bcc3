internal import NIOCore

/// Room for one read that found nothing. Confined to an event loop.
final class SpareBuffer {
    var buffer = ByteBuffer()
}
