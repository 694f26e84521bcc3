import ArgumentParser
import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

/// The access to many hosts is resolved once, and equal access is stored once.
struct HostAccessTableTests {
    private static func access(_ text: String) throws -> HostAccess {
        HostAccess(
            HostOptions(RunOptions(), .unset, .unset, .unset), command: SSHCommandOptions(), in: .configured(text), .init())
    }

    private static func hosts(_ names: String...) -> [NamedHost] { names.map(NamedHost.init(name:)) }

    @Test("hosts that differ in name alone share a configuration") func hostsThatDifferInNameAloneShareAConfiguration() throws {
        let text = "Host db*\nUser root\nHost web2\nHostName 10.0.0.2\nPort 2222\nHost *\nConnectTimeout 7\n"
        let accessTable = try HostAccessTable(Self.hosts("web1", "web2", "web3", "db1"), Self.access(text))
        #expect(accessTable.sharedCount == 1)
        #expect(accessTable.endpoints.map(\.description) == ["me@web1:22", "me@10.0.0.2:2222", "me@web3:22", "root@db1:22"])
        for name in ["web1", "web2", "web3", "db1"] {
            let connection = try accessTable.connection(to: name)
            #expect(connection.endpoint.name == name)
            #expect(connection.configuration.timeouts.connect == .seconds(7))
        }
    }

    /// Its name alone would not reach it, because only the inventory knows its address.
    @Test("a remedy knows the address that the inventory gives") func aRemedyKnowsTheAddressThatTheInventoryGives() throws {
        var host = NamedHost(name: "web1")
        host.address = "10.0.0.2"
        let accessTable = try HostAccessTable([host, NamedHost(name: "web2")], Self.access(""))
        for connection in [try accessTable.connection(to: "web1"), try Self.access("").connection(to: host)] {
            #expect(Array(connection.configuration.reachOptions.suffix(2)) == ["-o", "HostName=10.0.0.2"])
        }
        #expect(try accessTable.connection(to: "web2").configuration.reachOptions.contains("HostName=10.0.0.2") == false)
        // Hosts of an inventory nevertheless share one configuration.
        #expect(accessTable.sharedCount == 1)
    }

    /// These options decide which machine is reached, and which files list its host key.
    @Test("a remedy repeats the options that the inventory gives") func aRemedyRepeatsTheOptionsThatTheInventoryGives() throws {
        var host = NamedHost(name: "web1")
        host.arguments = ["-o", "UserKnownHostsFile=/k", "-oHostKeyAlias=x", "-Jgate", "-i", "/key", "-p", "2222"]
        let options = try Self.access("").connection(to: host).configuration.reachOptions
        #expect(options == ["-o", "UserKnownHostsFile=/k", "-o", "HostKeyAlias=x", "-J", "gate"])
    }

    @Test("the inventory's user counts, then the first -l among its arguments, then ssh's configuration")
    func usersOfAnInventory() throws {
        var host = NamedHost(name: "web1")
        host.arguments = ["-l", "bob", "-l", "carol"]
        #expect(try Self.access("User dave").connection(to: host).endpoint.user == "bob")
        host.user = "alice"
        #expect(try Self.access("User dave").connection(to: host).endpoint.user == "alice")
    }

    @Test("a passphrase is for the keys at jump hosts too, a password for the destination alone") func secrets() throws {
        var secrets = HostAccess.Secrets()
        (secrets.passphrase, secrets.password) = (SSHSecret("open sesame"), SSHSecret("hunter2"))
        let access = try Self.access("Host web1\nProxyJump gate,middle\n").with(secrets)
        let connection = try access.connection(to: NamedHost(name: "web1"))
        let hops = connection.configuration.jumpHosts.map(\.configuration.credentials)
        #expect(hops.count == 2)
        #expect(hops.allSatisfy { $0.passphrase?.hasBytes(of: SSHSecret("open sesame")) == true && $0.password == nil })
        #expect(connection.configuration.credentials.password?.hasBytes(of: SSHSecret("hunter2")) == true)
    }

    @Test("a configuration that names the host is not shared") func aConfigurationThatNamesTheHostIsItsOwn() throws {
        let text = "Host a b\nIdentityFile /keys/%n\nHost c d\nSetEnv ROLE=x\nSendEnv X\n"
        let accessTable = try HostAccessTable(Self.hosts("a", "b", "c", "d"), Self.access(text))
        #expect(accessTable.sharedCount == 3)
        #expect(try accessTable.connection(to: "b").configuration.credentials.identities.map(\.path) == ["/keys/b"])
        #expect(try accessTable.connection(to: "c").options.environment.map(\.name) == ["ROLE"])
    }

    @Test("hosts beyond the cache's limit can still be reached") func hostsBeyondTheWaysThatAreKeptAreReachedAllTheSame() throws {
        let names = (0..<HostAccessTable.maximumShared + 3).map { "n\($0)" }
        var secrets = HostAccess.Secrets()
        secrets.password = SSHSecret("open sesame")
        let accessTable = try HostAccessTable(names.map(NamedHost.init(name:)), Self.access("Host *\nIdentityFile /keys/%n\n"))
            .with(secrets)
        #expect(accessTable.sharedCount == HostAccessTable.maximumShared)
        for name in [names[0], names[HostAccessTable.maximumShared + 2]] {
            let connection = try accessTable.connection(to: name)
            #expect(connection.configuration.credentials.identities.map(\.path) == ["/keys/\(name)"])
            #expect(connection.configuration.credentials.password?.hasBytes(of: SSHSecret("open sesame")) == true)
        }
    }

    @Test("shared access contains no secrets before they are asked for") func secretsAreNotInWhatIsSharedBeforeTheyAreAskedFor()
        throws
    {
        let accessTable = try HostAccessTable(Self.hosts("a"), Self.access(""))
        #expect(try accessTable.connection(to: "a").configuration.credentials.password == nil)
        var secrets = HostAccess.Secrets()
        secrets.passphrase = SSHSecret("key")
        #expect(try accessTable.with(secrets).connection(to: "a").configuration.credentials.passphrase != nil)
    }

    @Test("a wrong configuration is found before the first host") func aWrongConfigurationIsFoundBeforeTheFirstHost() throws {
        let access = try Self.access("Host b\nProxyJump b\n")
        #expect(throws: UsageProblem.self) { try HostAccessTable(Self.hosts("a", "b"), access) }
    }
}
