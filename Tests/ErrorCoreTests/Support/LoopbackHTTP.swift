import Foundation
import NIOCore
import NIOPosix

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An HTTP server on a free port of 127.0.0.1 that gives one canned answer to everyone.
struct LoopbackHTTP {
    let port: Int

    /// Serves `answer`, byte for byte; an empty one leaves every connection unanswered and open.
    static func serving<Result: Sendable>(_ answer: String, _ body: (LoopbackHTTP) async throws -> Result) async throws -> Result
    {
        let server = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Answer(answer)) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let result: Result
        do {
            result = try await body(LoopbackHTTP(port: server.localAddress?.port ?? 0))
        } catch {
            try await server.close()
            throw error
        }
        try await server.close()
        return result
    }

    /// The result with a real `URLSession`.
    func fetch(path: String = "/", timeout: TimeInterval = 10) async throws -> RawResponseParts {
        try await LoopbackHTTP.fetch("http://127.0.0.1:\(port)\(path)", timeout: timeout)
    }

    static func fetch(_ address: String, timeout: TimeInterval = 10) async throws -> RawResponseParts {
        guard let url = URL(string: address) else { throw URLError(.badURL) }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = timeout
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(from: url)
        guard let http = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return RawResponseParts(status: http.statusCode, headers: http.allHeaderFields.asStrings, body: data, url: address)
    }

    private final class Answer: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer
        private let answer: String
        init(_ answer: String) { self.answer = answer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard !answer.isEmpty else { return }
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
            context.close(promise: nil)
        }
    }
}

struct RawResponseParts: Sendable {
    var status: Int
    var headers: [String: String]
    var body: Data
    var url: String
}

extension [AnyHashable: Any] {
    fileprivate var asStrings: [String: String] {
        var result: [String: String] = [:]
        for (name, value) in self { result["\(name)"] = "\(value)" }
        return result
    }
}

/// The text of an HTTP/1.1 response.
func httpText(_ status: Int, headers: [String] = [], body: String = "") -> String {
    let fields = ["Content-Length: \(body.utf8.count)", "Connection: close"] + headers
    return "HTTP/1.1 \(status) X\r\n" + fields.joined(separator: "\r\n") + "\r\n\r\n" + body
}
