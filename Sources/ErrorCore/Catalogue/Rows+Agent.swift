extension CatalogueRow {
    static let agent: [AppError.Kind: CatalogueRow] = [
        .agentBusy: CatalogueRow(
            "Agent Busy",
            "The agent is still at work on your last request.",
            suggestion: "Wait until it has finished, or abort it.",
            icon: "hourglass", severity: .info, category: .agent, retry: .backoff(),
            options: [.waitForCompletion, .abort]),
        .agentCreationFailed: CatalogueRow(
            "No Agent",
            "An agent could not be started[: {reason}].",
            suggestion: "Check the settings and try again.",
            icon: "hourglass", category: .agent, retry: .afterFix,
            options: [.retry, .checkSettings]),
        .agentAborted: CatalogueRow(
            "Agent Stopped",
            "The agent was stopped before it had finished; its work may be incomplete.",
            suggestion: "Start it again to continue.",
            icon: "hourglass", severity: .info, category: .agent, retry: .afterFix,
            options: [.retry, .dismiss]),
        .agentExecutionError: CatalogueRow(
            "Agent Failed",
            "The agent failed while it was working[: {message}].",
            suggestion: "Try again, or put the request in other words.",
            icon: "hourglass", category: .agent, retry: .afterFix,
            options: [.retry, .dismiss]),
        .agentSessionNotFound: CatalogueRow(
            "Agent Session Gone",
            "The agent no longer knows the session[ {sessionId}].",
            suggestion: "Start a new session.",
            icon: "hourglass", category: .agent, retry: .afterFix,
            options: [.dismiss]),
        .agentModelUnavailable: CatalogueRow(
            "Model Unavailable",
            "The model[ {model}] is not available now.",
            suggestion: "Choose another model in the settings.",
            icon: "hourglass", category: .agent, retry: .afterFix,
            options: [.checkSettings, .retry]),
    ]
}
