package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// violations checks the promises of docs/guide/cluster.md:
//
//   - The numbers of an endpoint, and of its commands, are the same everywhere. So puts at all gateways together are
//     linearisable: each number is accepted at most once, and the highest one never falls (numbers).
//   - A gateway reads from its replica, which may be behind others. But it never shows an older value than before, not
//     even after a restart; it shows what it has acknowledged itself; it shows only what a client has sent; and what it
//     has shown stays in the history. Reads at different gateways need not agree (shown).
//   - A revocation is effective everywhere after the time that the history states: one second if nothing fails (shown).
//   - Every acknowledged update is in the history of each gateway once, and nothing else is. Updates without an answer
//     may be there or not, but at all gateways or at none (ends).
//   - No gateway accepts a recorded message again (replays).
//
// The linearisation of one register may take the given time.
func (h *history) violations(patience time.Duration) []string {
	var found []string
	for _, key := range h.keys() {
		operations := h.of(key)
		if fault := numbers(operations, h.stored(key), patience); fault != "" {
			found = append(found, key+": "+fault)
		}
		for _, fault := range append(shown(operations), h.endsOf(key, operations)...) {
			found = append(found, key+": "+fault)
		}
	}
	for _, one := range h.replays {
		values := h.ends[one.At][one.Key]
		repeated := len(values) > 0 && values[len(values)-1] == one.value() // 2.04 that changes nothing
		if one.Outcome == "ok" && !repeated {
			found = append(found, fmt.Sprintf("%s: a replay was accepted: %v", one.Key, one))
		}
	}
	return found
}

// stored has the values that a register has at any gateway after the round; nil if that is not recorded.
func (h *history) stored(key string) map[value]bool {
	var stored map[value]bool
	for _, end := range h.ends {
		if values, known := end[key]; known {
			if stored == nil {
				stored = map[value]bool{}
			}
			for _, one := range values {
				stored[one] = true
			}
		}
	}
	return stored
}

// A register's state: the highest number, the octets that have it, and the octets of the last registration.
type register struct {
	highest value
	raised  value
}

// numbers checks that the puts and raises of one register are linearisable. An unknown put may be at any time after
// its call, or never: at the end, it has no effect that anything else sees. If it is not stored, it never was.
func numbers(operations []operation, stored map[value]bool, patience time.Duration) string {
	model := porcupine.Model{
		Init: func() any { return register{} },
		Step: func(state, input, _ any) (bool, any) { return step(state.(register), input.(operation)) },
	}
	var checked []porcupine.Operation
	for _, one := range withoutRepetitions(operations) {
		never := one.Outcome == "unknown" && one.Kind == "put" && stored != nil && !stored[one.value()]
		if one.Outcome == "refused" || never {
			continue
		}
		checked = append(checked, porcupine.Operation{Input: one, Call: one.Call, Return: one.Return})
	}
	switch porcupine.CheckOperationsTimeout(model, checked, patience) {
	case porcupine.Illegal:
		return "its numbers are not linearisable"
	case porcupine.Unknown:
		return fmt.Sprintf("not decided within %v", patience)
	}
	return ""
}

// withoutRepetitions has one put for those that sent the same octets. A gateway that is behind acknowledges octets that it
// has as its newest ones, although others have overtaken them: they are stored, so the answer is true. So the put begins
// with the first one, and is over when one of them is acknowledged.
func withoutRepetitions(operations []operation) []operation {
	var once []operation
	places := map[value]int{}
	for _, one := range operations {
		if one.Kind != "put" || one.Outcome != "ok" && one.Outcome != "unknown" {
			once = append(once, one)
			continue
		}
		place, known := places[one.value()]
		if !known {
			places[one.value()] = len(once)
			once = append(once, one)
			continue
		}
		first := &once[place]
		first.Call = min(first.Call, one.Call)
		first.Return = min(first.Return, one.Return)
		if one.Outcome == "ok" {
			first.Outcome = "ok"
		}
	}
	return once
}

func step(before register, one operation) (bool, register) {
	after := before
	rises := one.N > before.highest.N
	if rises {
		after.highest = one.value()
		if one.Kind == "raise" {
			after.raised = one.value()
		}
	}
	switch {
	case one.Kind == "read": // of an old replica, perhaps
		return one.N <= before.highest.N, before
	case one.Outcome == "unknown":
		return true, after
	case one.Outcome == "used":
		return one.N <= one.Seen && one.Seen <= before.highest.N, before
	}
	repeats := one.value() == before.highest || one.Kind == "raise" && one.value() == before.raised
	return rises || repeats, after
}

// shown checks what each gateway showed of one register.
func shown(operations []operation) []string {
	var found []string
	sent := map[value]int64{}
	for _, one := range operations {
		if first, known := sent[one.value()]; one.Kind == "put" && one.Outcome != "refused" && (!known || one.Call < first) {
			sent[one.value()] = one.Call
		}
	}
	for _, one := range operations {
		if one.Outcome == "used" {
			found = append(found, fallen(one, operations)...)
		}
		if one.Kind != "read" || one.Outcome != "ok" {
			continue
		}
		if call, known := sent[one.value()]; one.N > 0 && (!known || call > one.Return) {
			found = append(found, fmt.Sprintf("%v shows what nobody had sent", one))
		}
		for _, other := range operations {
			before := other.Return < one.Call && other.At == one.At && other.Outcome == "ok" && other.Kind != "raise"
			late := other.Kind == "put" && other.Outcome == "ok" && other.Effective > 0 && one.Call > other.Effective
			if (before || late) && other.N > one.N {
				found = append(found, fmt.Sprintf("%v, %.3f s after %v", one, float64(one.Call-other.Return)/1e9, other))
				break
			}
		}
	}
	return found
}

// fallen checks that a gateway gave no highest number below one that it had accepted, shown or given before.
func fallen(refused operation, operations []operation) []string {
	for _, other := range operations {
		highest := other.N
		if other.Outcome == "used" {
			highest = other.Seen
		}
		before := other.Return < refused.Call && other.At == refused.At && (other.Outcome == "ok" || other.Outcome == "used")
		if before && highest > refused.Seen {
			return []string{fmt.Sprintf("%v gave %d as the highest number after %v", refused, refused.Seen, other)}
		}
	}
	return nil
}

// endsOf compares the values of one register at each gateway after the round with its operations.
func (h *history) endsOf(key string, operations []operation) []string {
	var found []string
	sent, acknowledged := map[value]bool{}, map[value]string{}
	for _, one := range operations {
		if one.Kind == "put" && (one.Outcome == "ok" || one.Outcome == "unknown") {
			sent[one.value()] = true
		}
		if one.N > 0 && one.Outcome == "ok" && (one.Kind == "put" || one.Kind == "read") {
			acknowledged[one.value()] = one.String()
		}
	}
	var first []value
	var whose string
	for _, at := range slices.Sorted(maps.Keys(h.ends)) {
		values, known := h.ends[at][key]
		if !known {
			continue
		}
		if whose == "" {
			first, whose = values, at
		} else if !slices.Equal(first, values) {
			found = append(found, fmt.Sprintf("%s and %s have different values", whose, at))
		}
		kept := map[value]bool{}
		for place, one := range values {
			kept[one] = true
			if place > 0 && values[place-1].N >= one.N {
				found = append(found, fmt.Sprintf("%s has number %d after %d", at, one.N, values[place-1].N))
			}
			if !sent[one] {
				found = append(found, fmt.Sprintf("%s has number %d (%s), which nobody sent or which was refused", at, one.N, one.V))
			}
		}
		for one, what := range acknowledged {
			if !kept[one] {
				found = append(found, fmt.Sprintf("%s has lost a %s", at, what))
			}
		}
	}
	return found
}
