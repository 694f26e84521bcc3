// `import BridgeSSH` gives a user of the library everything that is public on the floors below.
@_exported public import SSHConfig
@_exported public import SSHFileTransfer
@_exported public import SSHTranscripts
@_exported public import SSHTransport
@_exported public import SSHTrust
