import SSHTestSupport

/// Network devices that offer only a shell, as programs on a sandboxed sshd.
enum DeviceShell {
    /// A device's answer to an exec request.
    static let denial = "SSH command execution is not supported."

    /// A server whose every session is this device.
    static func sandbox(_ program: String, _ lines: String = "") -> SSHDSandbox.Options {
        var options = SSHDSandbox.Options("ForceCommand /bin/sh /opt/device\n" + lines)
        options.files["/opt/device"] = SandboxFile(
            "if [ -n \"$SSH_ORIGINAL_COMMAND\" ]; then echo '\(denial)'; exit 1; fi\n" + program)
        return options
    }

    /// Like Cisco IOS: a greeting with lines that look like prompts, an echo, a pager, and a caret under the error. It
    /// records every line that it receives.
    static let ios = #"""
        printf '\r\n#### Authorized access only ####\r\nr1#\r\n'
        prompt=r1# pager=on
        page() {
            [ "$pager" = on ] || return 0
            printf ' --More-- '; stty -icanon -echo; dd bs=1 count=1 >/dev/null 2>&1; stty icanon echo
            printf '\b\b\b\b\b\b\b\b\b        \b\b\b\b\b\b\b\b\b'
        }
        while :; do
            printf '%s' "$prompt"; IFS= read -r line || exit 0; echo "$line" >> /tmp/typed
            case $line in
            'terminal length 0') pager=off ;;
            'show version') printf 'Cisco IOS XE Software\nr1 uptime is 1 week\n' ;;
            'show users') printf 'before\nr1#'; sleep 0.05; printf '\nafter\n' ;;
            'show colours') printf '\033[31mred\033[0m 10%%\r 20%%\rdone!\n' ;;
            'show pages') echo one; page; echo two; page; echo three ;;
            'show tech') pager=on; echo one; page; echo two; page; echo three ;;
            'configure terminal') prompt='r1(config)#'; echo 'Enter configuration commands, one per line.' ;;
            'show flood') i=0; while [ $i -lt 2000 ]; do echo "line $i of many"; i=$((i + 1)); done ;;
            'show sleep') printf 'working'; sleep 60 ;;
            'reload') printf 'Proceed with reload? [confirm]'; sleep 60 ;;
            'exit') exit 0 ;;
            '') ;;
            *) printf '%%'; printf ' Invalid input detected at \047^\047 marker.\n\n' ;;
            esac
        done
        """#

    /// Like RouterOS: no echo of the terminal but a line editor that redraws the line, with colours.
    static let routerOS = #"""
        stty -echo
        printf '\r\n  MikroTik RouterOS 7.15 (c) 1999-2024       https://www.mikrotik.com/\r\n\r\n\033[9999B'
        draw() { printf '\r\033[K[\033[1;32madmin\033[m@MikroTik] > %s' "$1"; }
        while :; do
            draw ''; draw ''; IFS= read -r line || exit 0; draw "$line"; printf '\r\n'; draw "$line"; printf '\r\n'
            case $line in
            '/system identity print') printf '  name: MikroTik\r\n' ;;
            '/log print') printf 'one\r\n-- [Q quit|D dump|down]'; stty -icanon; key=$(dd bs=1 count=1 2>/dev/null); stty icanon
                printf '\r\033[Ktwo %s\r\n' "$key" ;;
            *) printf 'bad command name %s (line 1 column 1)\r\n' "$line" ;;
            esac
        done
        """#

    /// Redraws its prompt when the command may have been typed already, and shows the command late.
    static let redrawing = #"""
        stty -echo
        printf '[admin@r1] > '; sleep 0.35; printf '\r[admin@r1] > '; sleep 0.8; IFS= read -r line; sleep 1
        printf '%s\r\nrunning...\r\n' "$line"; echo "$line" >> /tmp/typed; printf '[admin@r1] > '; IFS= read -r line
        """#

    /// Writes its own message and its prompt while the command runs.
    static let logging = #"""
        printf r1#; IFS= read -r line; printf r1#; IFS= read -r line
        printf '*Mar 1 00:00:01: %%SYS-5-CONFIG_I: x\r\nr1#'; sleep 3
        printf '\rreal output\r\n'; echo "$line" >> /tmp/typed; printf r1#; IFS= read -r line
        """#

    /// Asks for consent in the form of a pager.
    static let asking = #"""
        printf 'Welcome\r\nPress any key to continue'; stty -icanon -echo; dd bs=1 count=1 >/dev/null 2>&1; stty icanon echo
        printf '\r\nsw1#'; IFS= read -r line; printf sw1#; IFS= read -r line
        printf 'Erase flash? Press any key to continue'; stty -icanon; dd bs=1 count=1 of=/tmp/key 2>/dev/null
        printf '\r\nerased\r\nsw1#'; IFS= read -r line
        """#

    /// Like Junos: a command that fails after some output, one that fails at once, and an unknown one.
    static let junos = #"""
        while :; do
            printf 'admin@r1> '; IFS= read -r line || exit 0
            case $line in
            'set cli screen-length 0') ;;
            'request update') printf 'started: step 1 done\nerror: step 2 failed\n' ;;
            'commit') printf 'error: commit failed\n' ;;
            *) printf '    ^\nunknown command.\n' ;;
            esac
        done
        """#

    /// A prompt of an unknown form.
    static let strange = #"""
        while :; do
            printf 'what now? '; IFS= read -r line || exit 0
            case $line in hello) echo 'hello yourself' ;; *) echo "$line" ;; esac
        done
        """#
}
