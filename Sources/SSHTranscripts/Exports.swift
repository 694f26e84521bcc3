// Re-exports the targets below whose types appear in this target's interface.
@_exported public import SSHFailure
