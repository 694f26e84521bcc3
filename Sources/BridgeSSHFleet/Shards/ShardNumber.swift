/// Which shard of a plan this process runs: `K/N`, `K`, or `auto`.
package enum ShardNumber {
    /// Why the shard cannot be determined.
    package struct Problem: Error, Equatable {
        package let text: String
    }

    /// The environment variables in which schedulers number the tasks of an array: Slurm's sbatch(1), "Job Array Support";
    /// Kubernetes' "Indexed Job for Parallel Processing"; AWS Batch's "Array jobs"; Nomad's "Runtime Environment Settings".
    package static let variables = [
        "SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ARRAY_INDEX", "NOMAD_ALLOC_INDEX",
    ]

    /// Parses the number of a shard. N means the same shard as 0, so tasks may be counted from 0 or from 1.
    ///
    /// - Parameters:
    ///   - text: `K/N`, `K` or `auto`.
    ///   - shards: the number of shards of the plan.
    ///   - environment: looks up environment variables for `auto`.
    /// - Returns: 0 to `shards` − 1.
    package static func parse(_ text: String, of shards: Int, environment: (String) -> String?) throws(Problem) -> Int {
        if text == "auto" { return try automatic(of: shards, environment) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2, let number = number(parts[0]) else {
            throw Problem(text: "“\(text)” is not a shard; write K/\(shards) with K from 0 to \(shards - 1), or auto")
        }
        if parts.count == 2 {
            guard self.number(parts[1]) == shards else {
                throw Problem(text: "“\(text)” does not fit the plan, which has \(Self.shards(shards))")
            }
        }
        return try checked(number, of: shards, from: "“\(text)”")
    }

    private static func automatic(of shards: Int, _ environment: (String) -> String?) throws(Problem) -> Int {
        var found: (variable: String, number: Int)?
        for variable in variables {
            guard let value = environment(variable), !value.isEmpty else { continue }
            guard let number = number(value[...]) else {
                throw Problem(text: "\(variable) is “\(VisibleText.name(value))”, which is not the number of a shard")
            }
            if let found, found.number != number {
                throw Problem(text: "\(found.variable) and \(variable) name different shards; give --shard K/\(shards)")
            }
            found = found ?? (variable, number)
        }
        guard let found else {
            throw Problem(
                text: "auto finds none of \(variables.joined(separator: ", ")) in the environment; give --shard K/\(shards)")
        }
        return try checked(found.number, of: shards, from: "\(found.variable)=\(found.number)")
    }

    private static func checked(_ number: Int, of shards: Int, from origin: String) throws(Problem) -> Int {
        guard (0...shards).contains(number) else {
            throw Problem(text: "\(origin) is not one of the plan's \(Self.shards(shards)), 0 to \(shards - 1)")
        }
        return number % shards
    }

    private static func number(_ text: Substring) -> Int? {
        text.isEmpty || !text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? nil : Int(text)
    }

    package static func shards(_ count: Int) -> String { count == 1 ? "1 shard" : "\(count) shards" }
}
