import ArgumentParser
import BridgeSSH
import SSHRun
import Testing

@testable import SSHCommandLine

/// The ways to many hosts are found once, and equal ones are kept once.
struct HostAccessTableTests {
    private static func access(_ text: String) throws -> HostAccess {
        HostAccess(
            HostOptions(RunOptions(), .unset, .unset, .unset), command: SSHCommandOptions(), in: .configured(text), .init())
    }

    private static func hosts(_ names: String...) -> [NamedHost] { names.map(NamedHost.init(name:)) }

    @Test func hostsThatDifferInNameAloneShareAConfiguration() throws {
        let text = "Host db*\nUser root\nHost web2\nHostName 10.0.0.2\nPort 2222\nHost *\nConnectTimeout 7\n"
        let reaches = try HostAccessTable(Self.hosts("web1", "web2", "web3", "db1"), Self.access(text))
        #expect(reaches.sharedCount == 1)
        #expect(reaches.endpoints.map(\.description) == ["me@web1:22", "me@10.0.0.2:2222", "me@web3:22", "root@db1:22"])
        for name in ["web1", "web2", "web3", "db1"] {
            let reach = try reaches.reach(name)
            #expect(reach.endpoint.name == name)
            #expect(reach.configuration.timeouts.connect == .seconds(7))
        }
    }

    /// Its name alone would lead nowhere, for only the inventory knows it.
    @Test func aRemedyKnowsTheAddressThatTheInventoryGives() throws {
        var host = NamedHost(name: "web1")
        host.address = "10.0.0.2"
        let reaches = try HostAccessTable([host, NamedHost(name: "web2")], Self.access(""))
        for reach in [try reaches.reach("web1"), try Self.access("").reach(host)] {
            #expect(Array(reach.configuration.reachOptions.suffix(2)) == ["-o", "HostName=10.0.0.2"])
        }
        #expect(try reaches.reach("web2").configuration.reachOptions.contains("HostName=10.0.0.2") == false)
        // Hosts of an inventory have one way all the same.
        #expect(reaches.sharedCount == 1)
    }

    @Test func aConfigurationThatNamesTheHostIsItsOwn() throws {
        let text = "Host a b\nIdentityFile /keys/%n\nHost c d\nSetEnv ROLE=x\nSendEnv X\n"
        let reaches = try HostAccessTable(Self.hosts("a", "b", "c", "d"), Self.access(text))
        #expect(reaches.sharedCount == 3)
        #expect(try reaches.reach("b").configuration.credentials.identities.map(\.path) == ["/keys/b"])
        #expect(try reaches.reach("c").options.environment.map(\.name) == ["ROLE"])
    }

    @Test func hostsBeyondTheWaysThatAreKeptAreReachedAllTheSame() throws {
        let names = (0..<HostAccessTable.mostShared + 3).map { "n\($0)" }
        var secrets = HostAccess.Secrets()
        secrets.password = SSHSecret("open sesame")
        let reaches = try HostAccessTable(names.map(NamedHost.init(name:)), Self.access("Host *\nIdentityFile /keys/%n\n"))
            .with(secrets)
        #expect(reaches.sharedCount == HostAccessTable.mostShared)
        for name in [names[0], names[HostAccessTable.mostShared + 2]] {
            let reach = try reaches.reach(name)
            #expect(reach.configuration.credentials.identities.map(\.path) == ["/keys/\(name)"])
            #expect(reach.configuration.credentials.password?.hasBytes(of: SSHSecret("open sesame")) == true)
        }
    }

    @Test func secretsAreNotInWhatIsSharedBeforeTheyAreAskedFor() throws {
        let reaches = try HostAccessTable(Self.hosts("a"), Self.access(""))
        #expect(try reaches.reach("a").configuration.credentials.password == nil)
        var secrets = HostAccess.Secrets()
        secrets.passphrase = SSHSecret("key")
        #expect(try reaches.with(secrets).reach("a").configuration.credentials.passphrase != nil)
    }

    @Test func aWrongConfigurationIsFoundBeforeTheFirstHost() throws {
        let access = try Self.access("Host b\nProxyJump b\n")
        #expect(throws: UsageProblem.self) { try HostAccessTable(Self.hosts("a", "b"), access) }
    }
}
