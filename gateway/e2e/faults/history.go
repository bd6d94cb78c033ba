package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
)

// An operation is what one client asked of one register. A register is an endpoint's resource, an endpoint's
// commands, a key's revocation or a token's; its numbers only rise.
type operation struct {
	// Kind: put (a value with a number), raise (a number without a value: a registration), read, or "end" and
	// "replay" (see history).
	Kind string `json:"kind"`
	Key  string `json:"key"`
	// At is the gateway that was asked.
	At string `json:"at"`
	// N is the number and V identifies the octets that were sent, or that were read; 0 and "" before any.
	N int64  `json:"n"`
	V string `json:"v"`
	// Outcome: ok; used (the number was refused, and Seen was given as the highest one); refused (certainly
	// without an effect); unknown.
	Outcome string `json:"outcome"`
	Seen    int64  `json:"seen"`
	Call    int64  `json:"call"`
	Return  int64  `json:"return"`
	// Effective is the time after which each gateway must show a put; 0 if there is none.
	Effective int64 `json:"effective"`
	// Values are all of the register's values at a gateway after the round, oldest first.
	Values []value `json:"values"`
}

type value struct {
	N int64  `json:"n"`
	V string `json:"v"`
}

func (o operation) value() value { return value{o.N, o.V} }

func (o operation) String() string {
	return fmt.Sprintf("%s of %d (%s) at %s: %s", o.Kind, o.N, o.V, o.At, o.Outcome)
}

// A history has the operations of a round, the values of each register at each gateway after it, and the outcomes
// of replays after that.
type history struct {
	operations []operation
	ends       map[string]map[string][]value // by gateway, then by register
	replays    []operation
}

func read(path string) (*history, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	history := &history{ends: map[string]map[string][]value{}}
	decoder := json.NewDecoder(file)
	decoder.DisallowUnknownFields()
	for {
		var one operation
		if err := decoder.Decode(&one); err == io.EOF {
			return history, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		switch one.Kind {
		case "put", "raise", "read":
			if one.Outcome == "unknown" {
				one.Return = math.MaxInt64
			}
			history.operations = append(history.operations, one)
		case "end":
			if history.ends[one.At] == nil {
				history.ends[one.At] = map[string][]value{}
			}
			history.ends[one.At][one.Key] = one.Values
		case "replay":
			history.replays = append(history.replays, one)
		default:
			return nil, fmt.Errorf("%s: unknown kind %q", path, one.Kind)
		}
	}
}

func (h *history) keys() []string {
	keys := map[string]bool{}
	for _, one := range h.operations {
		keys[one.Key] = true
	}
	return slices.Sorted(maps.Keys(keys))
}

func (h *history) of(key string) []operation {
	var found []operation
	for _, one := range h.operations {
		if one.Key == key {
			found = append(found, one)
		}
	}
	return found
}
