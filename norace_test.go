//go:build !race

package llhttpgo

const raceEnabled = false
