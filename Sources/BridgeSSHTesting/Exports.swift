// Re-exports the target below whose types appear in this target's interface.
@_exported public import BridgeSSH
