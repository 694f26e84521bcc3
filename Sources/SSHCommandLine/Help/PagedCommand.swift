package import ArgumentParser

/// A command whose subcommands have manual pages of their own.
package protocol PagedCommand: ParsableCommand {}
