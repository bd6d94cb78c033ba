package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// A link forwards TCP connections of one port to another.
//
// A cut link forwards nothing, but neither closes nor refuses anything: both sides see silence, and what they wrote
// arrives when the link is whole again, as after a cut cable.
type link struct {
	target string

	mutex       sync.Mutex
	whole       *sync.Cond // signals the end of a cut
	cut         bool
	delay       time.Duration
	connections map[net.Conn]bool
}

// serve reads commands, one a line, and answers each with a line "ok" or the error:
//
//	link NAME PORT TARGET    forwards connections to 127.0.0.1:PORT
//	cut NAME | heal NAME | reset NAME
//	delay NAME MILLISECONDS  in each direction
func serve(commands io.Reader, answers io.Writer) {
	links := map[string]*link{}
	for lines := bufio.NewScanner(commands); lines.Scan(); {
		if err := obey(lines.Text(), links); err != nil {
			fmt.Fprintln(answers, err)
		} else {
			fmt.Fprintln(answers, "ok")
		}
	}
}

func obey(line string, links map[string]*link) error {
	var verb, name, target string
	var number int
	if count, _ := fmt.Sscan(line, &verb, &name, &number, &target); count < 2 {
		return fmt.Errorf("not a command: %q", line)
	}
	if verb == "link" {
		made, err := listen(number, target)
		links[name] = made
		return err
	}
	one := links[name]
	if one == nil {
		return fmt.Errorf("no link %q", name)
	}
	one.mutex.Lock()
	defer one.mutex.Unlock()
	switch verb {
	case "cut":
		one.cut = true
	case "heal":
		one.cut = false
		one.whole.Broadcast()
	case "delay":
		one.delay = time.Duration(number) * time.Millisecond
	case "reset":
		for connection := range one.connections {
			connection.(*net.TCPConn).SetLinger(0)
			connection.Close()
		}
	default:
		return fmt.Errorf("not a command: %q", line)
	}
	return nil
}

func listen(port int, target string) (*link, error) {
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return nil, err
	}
	made := &link{target: target, connections: map[net.Conn]bool{}}
	made.whole = sync.NewCond(&made.mutex)
	go func() {
		for {
			if client, err := listener.Accept(); err == nil {
				go made.forward(client)
			}
		}
	}()
	return made, nil
}

func (l *link) forward(client net.Conn) {
	defer client.Close()
	l.pass()
	server, err := net.Dial("tcp", l.target)
	if err != nil {
		return
	}
	defer server.Close()
	l.keep(client, server)
	defer l.forget(client, server)
	ended := make(chan bool, 2)
	go l.copy(server, client, ended)
	go l.copy(client, server, ended)
	<-ended
}

// pass waits until the link is whole, then for its delay.
func (l *link) pass() {
	l.mutex.Lock()
	for l.cut {
		l.whole.Wait()
	}
	delay := l.delay
	l.mutex.Unlock()
	time.Sleep(delay)
}

func (l *link) copy(to, from net.Conn, ended chan<- bool) {
	buffer := make([]byte, 64*1024)
	for {
		count, err := from.Read(buffer)
		l.pass()
		if count > 0 {
			if _, err := to.Write(buffer[:count]); err != nil {
				break
			}
		}
		if err != nil {
			break
		}
	}
	ended <- true
}

func (l *link) keep(connections ...net.Conn) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, one := range connections {
		l.connections[one] = true
	}
}

func (l *link) forget(connections ...net.Conn) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	for _, one := range connections {
		delete(l.connections, one)
	}
}
