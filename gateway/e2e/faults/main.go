// The parts of the fault tests of a cluster that Python would be too slow for or lacks.
//
//	faults proxy      forwards TCP connections, and cuts, delays and resets them on command
//	faults check FILE checks the history of a round
package main

import (
	"fmt"
	"os"
	"time"
)

func main() {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "proxy":
		serve(os.Stdin, os.Stdout)
	case len(os.Args) == 3 && os.Args[1] == "check":
		check(os.Args[2])
	default:
		fmt.Fprintln(os.Stderr, "usage: faults proxy | faults check FILE")
		os.Exit(2)
	}
}

const mostViolations = 20

// check prints violations on lines of their own, or how much was checked. Exit code 1 with violations.
func check(path string) {
	history, err := read(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	violations := history.violations(time.Minute)
	for _, violation := range violations[:min(len(violations), mostViolations)] {
		fmt.Println(violation)
	}
	if len(violations) > 0 {
		fmt.Println(len(violations), "violations")
		os.Exit(1)
	}
	fmt.Printf("%d operations on %d registers at %d gateways\n", len(history.operations), len(history.keys()), len(history.ends))
}
