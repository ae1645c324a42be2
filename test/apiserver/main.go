// Command apiserver runs etcd and kube-apiserver in one process, for tests.
//
// Usage: apiserver DATA_DIR [kube-apiserver flags…]
//
// etcd stores below DATA_DIR and listens on a free loopback port. The process
// ends when its standard input closes, so that it never outlives its parent.
package main

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/etcd/server/v3/embed"
	"k8s.io/component-base/cli"
	"k8s.io/kubernetes/cmd/kube-apiserver/app"
)

func main() {
	if len(os.Args) < 2 {
		fail("usage: apiserver DATA_DIR [kube-apiserver flags…]")
	}
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()

	etcdURL := startEtcd(filepath.Join(os.Args[1], "etcd"))
	command := app.NewAPIServerCommand()
	command.SetArgs(append([]string{"--etcd-servers=" + etcdURL}, os.Args[2:]...))
	os.Exit(cli.Run(command))
}

func startEtcd(dataDir string) string {
	anyPort := []url.URL{{Scheme: "http", Host: "127.0.0.1:0"}}
	config := embed.NewConfig()
	config.Dir = dataDir
	config.LogLevel = "error"
	config.ListenClientUrls = anyPort
	config.ListenPeerUrls = anyPort
	config.UnsafeNoFsync = true
	server, err := embed.StartEtcd(config)
	if err != nil {
		fail("etcd: " + err.Error())
	}
	select {
	case <-server.Server.ReadyNotify():
	case <-time.After(time.Minute):
		fail("etcd: not ready after one minute")
	}
	return "http://" + server.Clients[0].Addr().String()
}

func fail(message string) {
	fmt.Fprintln(os.Stderr, message)
	os.Exit(1)
}
