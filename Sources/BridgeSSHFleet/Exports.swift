@_exported public import BridgeSSH
@_exported public import HostSets
