/// Makes an authenticated session, through as many hops as it takes: of every hop the keys and known hosts first, then, one
/// inside the other, its connection, its host key, its user.
struct Dialer: Sendable {
    let endpoint: Endpoint
    let configuration: Configuration
    let timeline: Timeline

    /// - Throws: `SSHError`; what an `Interaction` throws.
    func connect() async throws -> SSHConnection {
        // One deadline for the whole chain.
        let deadline = PausableDeadline(seconds: configuration.timeouts.connect)
        var dialers: [LegDialer] = []
        do {
            for leg in Leg.legs(to: endpoint, configuration) {
                dialers.append(try await LegDialer.prepare(leg, within: configuration.timeouts, deadline, timeline))
            }
            let connection = try await connect(dialers, deadline)
            for dialer in dialers { await dialer.agent.close() }
            return connection
        } catch {
            deadline.cancel()
            for dialer in dialers { await dialer.agent.close() }
            // The stage that failed took time too.
            timeline.end()
            throw error
        }
    }

    private func connect(_ dialers: [LegDialer], _ deadline: PausableDeadline) async throws -> SSHConnection {
        var path = Path.network
        var reached: Passage?
        for dialer in dialers {
            let passage: Passage
            do {
                passage = try await dialer.connect(after: reached)
                if dialer.leg.isJumpHost { timeline.endJumpHost() }
            } catch {
                if dialer.leg.isJumpHost { timeline.endJumpHost() }
                await path.close()
                throw error
            }
            path = .hop(passage)
            reached = passage
        }
        guard let reached else {
            throw FailureClassifier.classify(Evidence(event: .internalFailure(problem: "no hop"), stage: .local))
        }
        // Until a channel is asked for, the time is the caller's.
        deadline.pause()
        return SSHConnection(
            session: reached.session, recorder: reached.recorder, configuration: configuration, deadline: deadline)
    }
}
