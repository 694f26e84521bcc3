// The scenarios by golang.org/x/crypto/ssh.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/knownhosts"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "go-client:", err)
		os.Exit(1)
	}
}

type phase struct {
	wall     time.Time
	cpu      float64
	resident int
}

func used() float64 {
	var usage syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano()).Seconds()
}

// VmRSS of proc(5), in KiB.
func resident() int {
	status, err := os.ReadFile("/proc/self/status")
	check(err)
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	check(err)
	return kib
}

func begin() phase { return phase{time.Now(), used(), resident()} }

func (p phase) report(more map[string]float64) {
	figures := map[string]float64{"wall": time.Since(p.wall).Seconds(), "cpu": used() - p.cpu, "residentKiB": float64(resident())}
	for name, value := range more {
		figures[name] = value
	}
	check(json.NewEncoder(os.Stdout).Encode(figures))
}

func connect() *ssh.Client {
	key, err := os.ReadFile(os.Getenv("BENCH_IDENTITY"))
	check(err)
	signer, err := ssh.ParsePrivateKey(key)
	check(err)
	known, err := knownhosts.New(os.Getenv("BENCH_KNOWN_HOSTS"))
	check(err)
	client, err := ssh.Dial("tcp", os.Getenv("BENCH_HOST")+":"+os.Getenv("BENCH_PORT"), &ssh.ClientConfig{
		User: os.Getenv("BENCH_USER"), Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, HostKeyCallback: known,
		// The library does not look up which types of key known_hosts has for the host; ssh does.
		HostKeyAlgorithms: []string{"ssh-ed25519"}, Timeout: 300 * time.Second,
	})
	check(err)
	return client
}

func run(client *ssh.Client) {
	session, err := client.NewSession()
	check(err)
	_, err = session.Output("true")
	check(err)
	session.Close()
}

func parallel(count, width int, work func()) {
	var group sync.WaitGroup
	turns := make(chan struct{}, width)
	for i := 0; i < count; i++ {
		turns <- struct{}{}
		group.Add(1)
		go func() {
			defer group.Done()
			work()
			<-turns
		}()
	}
	group.Wait()
}

func read(client *ssh.Client, count int64) {
	session, err := client.NewSession()
	check(err)
	output, err := session.StdoutPipe()
	check(err)
	check(session.Start(fmt.Sprintf("head -c %d /dev/zero", count)))
	received, err := io.CopyBuffer(struct{ io.Writer }{io.Discard}, output, make([]byte, 1<<16))
	check(err)
	check(session.Wait())
	if received != count {
		check(fmt.Errorf("%d bytes came", received))
	}
}

func write(client *ssh.Client, count, piece int) {
	session, err := client.NewSession()
	check(err)
	input, err := session.StdinPipe()
	check(err)
	check(session.Start("cat >/dev/null"))
	zeros := make([]byte, piece)
	for i := 0; i < count/piece; i++ {
		_, err := input.Write(zeros)
		check(err)
	}
	check(input.Close())
	check(session.Wait())
}

func connections(count int, runs bool) {
	start := begin()
	clients := make(chan *ssh.Client, count)
	parallel(count, count, func() {
		client := connect()
		if runs {
			run(client)
		}
		clients <- client
	})
	each := float64(resident()-start.resident) / float64(count)
	if runs {
		for i := 0; i < count; i++ {
			(<-clients).Close()
		}
	}
	start.report(map[string]float64{"perConnectionKiB": each})
}

func main() {
	number := func(index int) int {
		value, err := strconv.Atoi(os.Args[index])
		check(err)
		return value
	}
	start := begin()
	switch os.Args[1] {
	case "command":
		client := connect()
		run(client)
		client.Close()
	case "connections":
		connections(number(2), true)
		return
	case "idle":
		connections(number(2), false)
		return
	default:
		client := connect()
		defer client.Close()
		start = begin()
		switch os.Args[1] {
		case "sequence":
			for i := number(2); i > 0; i-- {
				run(client)
			}
		case "parallel":
			parallel(number(2), number(3), func() { run(client) })
		case "read":
			read(client, int64(number(2)))
		case "write":
			write(client, number(2), number(3))
		default:
			check(fmt.Errorf("unknown scenario %s", os.Args[1]))
		}
	}
	start.report(nil)
}
