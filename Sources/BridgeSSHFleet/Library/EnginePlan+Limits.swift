internal import BridgeSSH
internal import ErrorCore
internal import SSHRun

extension EnginePlan {
    /// - Parameters:
    ///   - whole: the number of hosts of a run that goes on with some of them, by which its rules count; nil where these are all.
    ///   - runsCommand: whether a command is run at all.
    /// - Throws: `FleetPlanProblem` for a rule that can never hold.
    package init(
        hosts: Int, of whole: Int? = nil, _ limits: FleetLimits, stop: [StopRule], runsCommand: Bool
    ) throws(FleetPlanProblem) {
        self.init(hosts: hosts)
        guard limits.retries >= 0 else {
            throw FleetPlanProblem(
                field: "limits.retries", option: "--retries", problem: "\(limits.retries) is less than none; give 0 or more")
        }
        let codes = Set(SSHError.Code.known.map(\.rawValue))
        for rule in stop {
            self.stop.append((rule, try rule.number(of: whole ?? hosts, codes: codes, runsCommand: runsCommand)))
        }
        parallel = limits.parallel.count
        ceiling = DescriptorLimit.hostsAtOnce
        loginsPerAddress = max(1, limits.loginsPerAddress)
        if let rate = limits.rate {
            // The time between two hosts must be one that can be counted.
            guard rate >= 0.00001, rate.isFinite else {
                throw FleetPlanProblem(
                    field: "limits.rate", option: "--rate",
                    problem: "it must be at least 0.00001 hosts a second, about one a day")
            }
            self.rate = rate
        }
        splay = limits.splay
        pauseLimit = limits.pauseLimit
        retry = RetryPolicy.default
        retry.maxAttempts = min(limits.retries, .max - 1) + 1
        retry.isIdempotent = limits.isIdempotent
        wait = limits.loginWait.map { LoginWait($0, awaitsName: limits.loginWaitAwaitsNames) }
        var generator = SystemRandomNumberGenerator()
        seed = generator.next()
    }
}

extension UsageProblem {
    /// - Parameter isOption: whether a command line gave it.
    package init(_ problem: FleetPlanProblem, isOption: Bool = true) {
        self.init(field: isOption ? problem.option : problem.field, problem: problem.problem)
    }
}

/// Numbers for addresses that hosts log in at: equal ones for equal host names, ports and users of the way there.
package enum AddressNumbers {
    /// - Parameter endpoints: nil for a host that has none.
    package static func of(_ endpoints: [SSHEndpoint?]) -> [Int32] {
        var numbers: [String: Int32] = [:]
        return endpoints.enumerated().map { index, endpoint in
            let place = endpoint?.place ?? "\(index)"
            if let number = numbers[place] { return number }
            let number = Int32(numbers.count)
            numbers[place] = number
            return number
        }
    }
}
