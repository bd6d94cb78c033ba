// Reads a compose file with the compose specification's own loader, which checks it against the
// specification, and prints the project as JSON: load FILE [PROFILE...]. Variables come from the
// environment. Exit code 1 and the loader's message when the file is refused.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/compose-spec/compose-go/v2/cli"
)

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("usage: load FILE [PROFILE...]"))
	}
	options, err := cli.NewProjectOptions(os.Args[1:2], cli.WithOsEnv, cli.WithProfiles(os.Args[2:]))
	if err != nil {
		fail(err)
	}
	project, err := options.LoadProject(context.Background())
	if err != nil {
		fail(err)
	}
	json, err := project.MarshalJSON()
	if err != nil {
		fail(err)
	}
	fmt.Println(string(json))
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
