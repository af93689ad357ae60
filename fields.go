package llhttpgo

// This file has the ids of well-known field names.

import "llhttpgo/core"

// FieldID is the id of a well-known field name, 0 for any other: the permanent entries of IANA's registry, the fields
// of Fetch and its client hints, and what is common without a registration. It may be an index: ids are small.
type FieldID uint16

// FieldCount is how many ids there are, 0 among them.
const FieldCount = core.FieldCount

// String gives the name in its usual spelling, "" for 0.
func (id FieldID) String() string { return core.FieldName(uint16(id)) }

// LookupField gives the id of a name, in letters of either case, or 0.
func LookupField(name []byte) FieldID { return lookupField(name) }

// LookupFieldString is LookupField for a string.
func LookupFieldString(name string) FieldID { return lookupField(stringBytes(name)) }
